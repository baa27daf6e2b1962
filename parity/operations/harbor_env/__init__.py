"""`harbor_env`: from a folder of tasks and an environment's arguments to rows, sandboxes, commands and rewards.

The wheel is the authority for Harbor's scoring. The releases of `verifiers` that have the documented class are the
authority for the documented scoring.
"""

from collections.abc import Mapping
from dataclasses import asdict, replace
from itertools import zip_longest
from pathlib import PurePosixPath
from typing import Any

from parity.operations.compare import Difference, Ordered, Path
from parity.operations.harbor_env.flags import FLAGS, flags_of
from parity.operations.harbor_env.recorded.scenario import EnvScenario, InjectedFault, TaskScenario
from parity.operations.harbor_env.rules import RULES
from parity.operations.operation import HARBOR, Operation
from parity.operations.wire import Json, WireError, decode, decode_bytes, encode, encode_bytes

_HARBOR_MOMENTS = ("upload-tests", "run-tests", "read-reward")


_DOCUMENTED_MOMENTS = ("upload-tests", "unpack-tests", "run-tests", "read-reward")


def _encoded_task(task: TaskScenario) -> Json:
    return {
        "name": task.name,
        "files": {name: encode_bytes(content) for name, content in task.files.items()},
        "left": {name: encode_bytes(content) for name, content in task.left.items()},
        "code": encode(task.code),
        "mishap": encode(asdict(task.injected_fault)) if task.injected_fault else None,
    }


def _task(value: Any, moments: tuple[str, ...]) -> TaskScenario:
    match value:
        case {"name": str(name), "files": dict(files), "left": dict(left), "code": code, "mishap": mishap, **rest} if (
            not rest
        ):
            if not name or "/" in name or "\0" in name or name in (".", ".."):
                raise WireError(f"{name!r} cannot be the name of a folder")
            if (number := decode(code)) is True or not isinstance(number, int):
                raise WireError("code takes an int")
            return TaskScenario(
                name, _files(files), _files(left), number, None if mishap is None else _injected_fault(mishap, moments)
            )
    raise WireError("a task takes name, files, left, code and mishap")


def _injected_fault(value: Any, moments: tuple[str, ...]) -> InjectedFault:
    match value:
        case {"moment": moment, "seconds": seconds, **rest} if not rest and moment in moments:
            taken = decode(seconds)
            if taken is None or (type(taken) is int and taken > 0):
                return InjectedFault(moment, taken)
    raise WireError(f"a mishap takes a moment among {', '.join(moments)}, and seconds or null")


def _files(value: Mapping[str, Any]) -> dict[str, bytes]:
    for name in value:
        parts = PurePosixPath(name).parts
        if not parts or name.startswith("/") or {"..", "."} & set(name.split("/")) or "\0" in name:
            raise WireError(f"{name!r} is not a plain path of a file")
    return {name: decode_bytes(content) for name, content in value.items()}


def _at(value: Any, path: Path) -> Any:
    for step in path:
        value = value[step]
    return value


def _purpose(call: Any) -> str | None:
    return next(iter(call), None) if isinstance(call, dict) else None


class HarborEnvOperation(Operation[EnvScenario]):
    """The operation `harbor_env`: from tasks and an environment's arguments to rows, calls and rewards."""

    name = "harbor_env"
    rules = RULES
    flag_sentences = FLAGS
    flags = staticmethod(flags_of)

    def encode(self, case: EnvScenario) -> Json:
        return {
            "scoring": case.scoring,
            "tasks": [_encoded_task(task) for task in case.tasks],
            "names": None if case.names is None else list(case.names),
            "workdir": case.workdir,
            "image": case.image,
            "variables": dict(case.variables),
            "model": case.model,
        }

    def decode(self, value: Any) -> EnvScenario:
        match value:
            case {
                "scoring": "harbor" | "documented" as scoring,
                "tasks": [*tasks],
                "names": list() | None as names,
                "workdir": str(workdir),
                "image": str(image),
                "variables": dict(variables),
                "model": str() | None as model,
                **rest,
            } if not rest and all(isinstance(text, str) for text in [*(names or []), *variables.values()]):
                decoded = tuple(
                    _task(task, _HARBOR_MOMENTS if scoring == "harbor" else _DOCUMENTED_MOMENTS) for task in tasks
                )
                if len({task.name for task in decoded}) < len(decoded):
                    raise WireError("two tasks share a name")
                if workdir and not workdir.startswith("/"):
                    raise WireError(f"workdir takes an absolute path, not {workdir!r}")
                return EnvScenario(
                    scoring, decoded, None if names is None else tuple(names), workdir, image, variables, model
                )
        raise WireError("a harbor_env case takes scoring, tasks, names, workdir, image, variables and model")

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
        return "; ".join(described)

    def ordered(self, case: EnvScenario) -> Ordered:
        """Let the order of keys count in rewards, which reach files, but not in variables, files and tables."""
        return lambda path: "rewards" in path

    def refine(self, difference: Difference, expected: Any, actual: Any) -> Difference:
        """Restate a difference by the refusal, the variable or the call that only one side has."""
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

    def authority(self, flags: frozenset[str]) -> str:
        return "verifiers" if "documented" in flags else HARBOR


HARBOR_ENV = HarborEnvOperation()
