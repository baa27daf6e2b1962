"""Imports that runs of the suite need and that take long: loaded once for many runs."""

from parity.operations import OPERATIONS
from parity.operations.rules import FLAGS

SUITE_MODULES = (
    "parity.operations.goldens",
    "parity.reference.configurations",
    "parity.reference.jobs",
    "parity.reference.real_jobs",
    "parity.reference.recorded",
    "parity.reference.trials",
    "parity.reference.wheel",
    *(f"parity.operations.{name}.strategies" for name in OPERATIONS if FLAGS[name]),  # others draw no cases
)
