"""Runners that are wrong in one named way each. The suite must catch every one, and name the rule it breaks.

Each is a function under `@breaks`, which makes of it the built-in runner with one fault. Those of an operation are the
module, or the folder of modules, with the operation's name; in a folder, `fault.py` has what they have in common.
"""

from importlib import import_module
from pkgutil import walk_packages

from tests.faulty.fault import Fault

_MODULES = [import_module(each.name) for each in walk_packages(__path__, f"{__name__}.")]
_FAULTS = [
    fault
    for module in _MODULES
    for fault in vars(module).values()
    if isinstance(fault, type) and issubclass(fault, Fault) and fault.__module__ == module.__name__ and fault != Fault
]

FAULTS: dict[str, type[Fault]] = {fault.__name__: fault for fault in _FAULTS}
"""Every faulty runner by its name."""

if len(FAULTS) < len(_FAULTS):
    raise ValueError("two faulty runners share a name")
