"""The operation `harbor_env`, which runs an environment over a directory of tasks.

The answer contains the rows, the calls to sandboxes, and the rewards. The wheel is the authority for Harbor's scoring.
The authority for the documented scoring is HarborEnv's documentation and releases, whose answers are recorded in golden
vectors.
"""

from dataclasses import replace
from itertools import zip_longest
from pathlib import PurePosixPath
from typing import Any

from parity.operations.codec import Codec, Form
from parity.operations.compare import Difference, Ordered, Path
from parity.operations.operation import HARBOR, Operation
from parity.operations.rollout.rules import GENERAL, RULES
from parity.operations.rollout.scenario import EnvScenario, InjectedFault, TaskScenario
from parity.operations.wire import WireError

_FAULTS_OF = {
    "harbor": ("upload-tests", "run-tests", "read-reward"),
    "documented": ("upload-task", "upload-tests", "unpack-tests", "run-tests", "read-reward"),
}
"""The calls in a rollout for which a fault can be injected, by scoring."""


def _check_fault(fault: InjectedFault) -> None:
    if fault.seconds is not None and fault.seconds <= 0:
        raise WireError("must have a positive number of seconds, or null")


def _check_task(task: TaskScenario) -> None:
    if task.name in ("", ".", "..") or {"/", "\0"} & set(task.name):
        raise WireError(f"must have a name that a directory can have, not {task.name!r}")
    for name in (*task.files, *task.left):
        parts = PurePosixPath(name).parts
        if not parts or name.startswith("/") or {"..", "."} & set(name.split("/")) or "\0" in name:
            raise WireError(f"has the file {name!r}, which is not a plain relative path")


def _check_env(case: EnvScenario) -> None:
    calls = _FAULTS_OF[case.scoring]
    if any(task.injected_fault and task.injected_fault.call not in calls for task in case.tasks):
        raise WireError(f"must have mishaps only in the calls {', '.join(calls)}")
    if len({task.name for task in case.tasks}) < len(case.tasks):
        raise WireError("must not have two tasks with the same name")
    if case.workdir and not case.workdir.startswith("/"):
        raise WireError(f"must have an absolute path as workdir, not {case.workdir!r}")


_FORMS = {
    InjectedFault: Form(names={"call": "moment"}, check=_check_fault),
    TaskScenario: Form(
        names={"name": "name", "files": "files", "left": "left", "code": "code", "injected_fault": "mishap"},
        check=_check_task,
    ),
    EnvScenario: Form(check=_check_env),
}


def _at(value: Any, path: Path) -> Any:
    for step in path:
        value = value[step]
    return value


def _purpose(call: Any) -> str | None:
    return next(iter(call), None) if isinstance(call, dict) else None


def _restated(difference: Difference, expected: Any, actual: Any) -> Difference:
    """Change the path of a difference to the refusal, the variable or the call that only one side has."""
    path = difference.path
    if not path and isinstance(expected, dict) and isinstance(actual, dict) and "refused" in {**expected, **actual}:
        return replace(difference, path=("refused",))
    if path and path[-1] == "env" and difference.aspect == "keys":
        left, right = (_at(value, path) for value in (expected, actual))
        return replace(difference, path=(*path, min(left.keys() ^ right.keys())))
    if "calls" in path:
        at = path.index("calls")
        left, right = (_at(value, path[: at + 1]) for value in (expected, actual))
        purposes = [(_purpose(one), _purpose(other)) for one, other in zip_longest(left, right)]
        parting = next((pair for pair in purposes if pair[0] != pair[1]), None)
        if parting:
            return replace(difference, path=(*path[: at + 1], parting[0] or parting[1] or ""))
    return difference


class HarborEnvOperation(Operation[EnvScenario]):
    """The operation `harbor_env`, which runs an environment over tasks, and returns its rows, calls and rewards."""

    name = "harbor_env"
    rules = RULES
    general = GENERAL
    codec = Codec(EnvScenario, "a harbor_env case", _FORMS)

    def describe(self, case: EnvScenario) -> str:
        described = [f"{case.scoring} scoring"]
        if case.names is not None:
            described.append(f"tasks {list(case.names)!r}")
        for task in case.tasks:
            happens = f", {task.injected_fault}" if task.injected_fault else ""
            code = f", exit code {task.code}" if task.code else ""
            described.append(f"{task.name!r}: files {dict(task.files)!r}, leaves {dict(task.left)!r}{code}{happens}")
        if case.scoring == "documented":
            described.append(f"workdir {case.workdir!r}, image {case.image!r}, variables {dict(case.variables)!r}")
            described += [f"model {case.model!r}"] if case.model is not None else []
        return "; ".join(described)

    def ordered(self, case: EnvScenario) -> Ordered:
        """Compare the order of keys in rewards, which are written to files, but not in variables, files and tables."""
        return lambda path: "rewards" in path

    def restated(self, difference: Difference, expected: Any, actual: Any) -> Difference:
        """Use the refusal, variable or call that only one side has as the path."""
        return _restated(difference, expected, actual)

    def authority(self, case: EnvScenario) -> str:
        return "verifiers" if case.scoring == "documented" else HARBOR


HARBOR_ENV = HarborEnvOperation()
