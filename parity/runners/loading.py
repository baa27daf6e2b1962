"""`--runner package.module:name` to a runner."""

import importlib
import inspect
import sys
from pathlib import Path

from parity.operations import OPERATIONS
from parity.runners.clean_room import CleanRoom
from parity.runners.runner import Runner, claims


class RunnerError(Exception):
    """The runner that was named cannot be used; one line that says why."""


def load_runner(spec: str) -> Runner:
    """The runner that `spec` names: `clean-room`, or `module:name` of a runner or of something that makes one.

    Modules in the current folder can be named too.

    Raises:
        RunnerError: the module or the name is missing, fails, or is no runner.
    """
    if spec == CleanRoom.name:
        return CleanRoom()
    module_name, colon, attribute = spec.partition(":")
    if not (module_name and colon and attribute):
        raise RunnerError(f"--runner takes {CleanRoom.name} or package.module:name, not {spec!r}")
    if (here := str(Path.cwd())) not in sys.path:
        sys.path.insert(0, here)
    try:
        found: object = importlib.import_module(module_name)
        for name in attribute.split("."):
            found = getattr(found, name)
        runner = found() if inspect.isclass(found) or inspect.isroutine(found) else found
        named = isinstance(getattr(runner, "name", None), str)
        able = any(claims(runner, operation) for operation in OPERATIONS)
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # the module may do anything, leaving the process included
        message = " ".join(str(error).split())
        raise RunnerError(f"--runner {spec}: {type(error).__name__}: {message}") from error
    if not named:
        raise RunnerError(f"--runner {spec}: a runner has a name, and {type(runner).__name__} has none")
    if not able:
        raise RunnerError(f"--runner {spec}: it has none of the methods {', '.join(OPERATIONS)}")
    return runner  # type: ignore[return-value]
