"""Runners that are wrong in one named way each. The suite must catch every one, and name the rule it breaks.

Each is the built-in runner with one fault. Its docstring says what it does wrong, `breaks` which rule that
is, and `seen_by` which test of the suite has to see it.
"""

from tests.faulty import attempts, files, jobs, json_values, metrics, outcome, reason_codes, steps, sums, text
from tests.faulty.fault import Fault

_FAULTS = [
    fault
    for module in (files, json_values, text, metrics, sums, attempts, steps, jobs, outcome, reason_codes)
    for fault in vars(module).values()
    if isinstance(fault, type) and issubclass(fault, Fault) and "breaks" in vars(fault)
]

FAULTS: dict[str, type[Fault]] = {fault.__name__: fault for fault in _FAULTS}
"""Every faulty runner by its name."""

if len(FAULTS) < len(_FAULTS):
    raise ValueError("two faulty runners share a name")
