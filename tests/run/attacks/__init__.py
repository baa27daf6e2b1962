"""Attempts of hostile tasks: agents and test scripts as bash source, and the rewards that Harbor's rules give them."""

from tests.run.attacks.attack import Attack
from tests.run.attacks.carrying import CARRYING
from tests.run.attacks.host import HOST
from tests.run.attacks.processes import PROCESSES
from tests.run.attacks.programs import PROGRAMS
from tests.run.attacks.settings import SETTINGS
from tests.run.attacks.verdict import VERDICT

__all__ = ["ATTACKS", "Attack"]

ATTACKS = {
    attack.name: attack for group in (CARRYING, PROGRAMS, PROCESSES, HOST, VERDICT, SETTINGS) for attack in group
}
