"""Imports that runs of the suite need and that take long: loaded once for many runs."""

from pathlib import Path

import parity.operations

_STRATEGIES = Path(parity.operations.__file__).parent.glob("*/strategies.py")

SUITE_MODULES = (
    "parity.operations.goldens",
    "parity.reference.jobs",
    "parity.reference.recorded",
    "parity.reference.trials",
    "parity.reference.wheel",
    *sorted(f"parity.operations.{module.parent.name}.strategies" for module in _STRATEGIES),
)
