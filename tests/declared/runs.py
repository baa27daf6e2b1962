"""Runs of the suite with declared divergences, and runners for them."""

import os
import subprocess
from collections.abc import Sequence
from pathlib import Path

from parity.runners import CleanRoom
from parity.scorer import Rewards
from tests.faulty.aggregate.sums import AddsOneByOne
from tests.running import run_pytest

_ROOT = Path(__file__).resolve().parents[2]


_FAULTY = "tests.faulty.aggregate.sums:AddsOneByOne"


class AlsoCallsTheKeyMax(CleanRoom):
    """A runner with another fault beside the declared one."""

    def aggregate(self, metric: str, rewards: Sequence[Rewards | None]) -> Rewards:
        found = AddsOneByOne().aggregate(metric, rewards)
        return {"maximum": found["max"]} if list(found) == ["max"] else found


class OnlyReasons:
    """A runner that claims none of the declared operations."""

    name = "only-reasons"

    def reason_code(self, text: str | None) -> str | None:
        return None


def run(folder: Path, *options: str, runner: str = _FAULTY) -> subprocess.CompletedProcess[str]:
    """Run the part of the suite that shows the faulty runner, in a folder."""
    suite = ("--pyargs", "parity", "--profile", "quick", "-p", "no:cacheprovider")
    selected = ("-k", "aggregate or declared", "--runner", runner)
    environment = {**os.environ, "PYTHONPATH": str(_ROOT)}
    return run_pytest(*suite, *selected, *options, cwd=folder, environment=environment)
