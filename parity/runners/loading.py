"""Loads the runner that `--runner package.module:name` names."""

import importlib
import inspect
import sys
from pathlib import Path

from parity.operations import OPERATIONS
from parity.runners.clean_room import CleanRoom
from parity.runners.methods import unusable_methods
from parity.runners.own_frames import place_of
from parity.runners.runner import Runner, claims


class RunnerError(Exception):
    """The named runner cannot be used; one line for each reason."""


def load_runner(spec: str, option: str = "--runner") -> Runner:
    """Load the runner that `spec` names: `clean-room`, or `module:name` of a runner, or of a class or function for one.

    Modules in the current folder can be named too.

    Args:
        spec: the user's text.
        option: the option that takes it; messages begin with it.

    Raises:
        RunnerError: the module or name is missing or raises, or it is no runner, or its methods cannot be called.
    """
    if spec == CleanRoom.name:
        return CleanRoom()
    module_name, colon, attribute = spec.partition(":")
    if not (module_name and colon and attribute):
        raise RunnerError(f"{option} takes {CleanRoom.name} or package.module:name, not {spec!r}")
    if (here := str(Path.cwd())) not in sys.path:
        sys.path.insert(0, here)
    try:
        found: object = importlib.import_module(module_name)
        for name in attribute.split("."):
            found = getattr(found, name)
        runner = found() if inspect.isclass(found) or inspect.isroutine(found) else found
        named = isinstance(getattr(runner, "name", None), str)
        able = any(claims(runner, operation) for operation in OPERATIONS)
        unusable = list(unusable_methods(runner))
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # the module may raise anything, SystemExit included
        message = " ".join(str(error).split())
        raise RunnerError(f"{option} {spec}: {type(error).__name__}: {message}{place_of(error)}") from error
    if not named:
        raise RunnerError(f"{option} {spec}: a runner has a name, and {type(runner).__name__} has none; give it one")
    if unusable:
        raise RunnerError("\n".join(f"{option} {spec}: {what}" for what in unusable))
    if not able:
        raise RunnerError(f"{option} {spec}: it has none of the methods {', '.join(OPERATIONS)}")
    return runner  # type: ignore[return-value]
