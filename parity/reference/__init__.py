"""The reference: the installed `harbor==0.13.1` wheel, asked through its own classes.

The only place in the kit that imports Harbor. Importing this package does not; `open_reference` verifies
the wheel first, then imports it with its network access switched off.
"""

import os
from dataclasses import dataclass
from typing import TYPE_CHECKING

from parity.reference.environment import ENVIRONMENT_FILE, strayed_packages
from parity.reference.guard import WheelError, verify_wheel
from parity.reference.identity import Identity, read_identity

if TYPE_CHECKING:
    from parity.reference.wheel import Wheel

__all__ = [
    "ENVIRONMENT_FILE",
    "Identity",
    "Reference",
    "WheelError",
    "open_reference",
    "read_identity",
    "strayed_packages",
    "verify_wheel",
]


# Harbor's dependencies fetch a price table when they are imported, unless told not to before that.
os.environ["LITELLM_LOCAL_MODEL_COST_MAP"] = "True"


@dataclass(frozen=True)
class Reference:
    """The verified wheel as a runner, and what it is exactly."""

    identity: Identity
    wheel: "Wheel"


def open_reference() -> Reference:
    """Verify the installed wheel and import it.

    Raises:
        WheelError: harbor is missing, of another version, edited or incomplete.
    """
    verify_wheel()
    try:
        from parity.reference.wheel import Wheel
    except Exception as error:  # a half-installed dependency may fail in any way
        problem = f"harbor is intact, but cannot be imported: {type(error).__name__}: {' '.join(str(error).split())}"
        raise WheelError(problem, f"pip install --force-reinstall -c {ENVIRONMENT_FILE} harbor") from error
    return Reference(read_identity(), Wheel())
