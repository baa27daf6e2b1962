"""Faulty runners, each wrong in one way. The suite must catch every one, and report the rule that it breaks.

A faulty runner is written as a function under `@breaks`, a decorator that converts it to a subclass of the built-in
runner with one fault. The faulty runners for an operation are in the module or directory with the operation's name. In
a directory, `fault.py` contains the code that they share.
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
"""All faulty runners, by name."""

if len(FAULTS) < len(_FAULTS):
    raise ValueError("two faulty runners share a name")
