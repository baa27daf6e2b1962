"""Tests that the judge takes only types from the clean room, so that the accused has no hand in a verdict.

The judge is everything that draws and asks questions, gives the reference's answer, and compares.
"""

import ast
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from types import CodeType
from typing import Any

import parity
from parity.operations import OPERATIONS, Operation
from parity.operations.answers import Fault, NotClaimed
from parity.operations.goldens import read_vectors
from parity.reference import open_reference
from parity.runners.asking import ask

_PACKAGE = Path(parity.__file__).parent
_JUDGE = ("operations", "plugin", "suite", "reference", "runners/pipe", "runners/asking.py", "runners/runner.py")
_CLEAN_ROOM = ("formats", "scorer", "driver", "harbor_env", "runners.clean_room")

_TYPES = {
    "parity.driver.sandbox": {"Executed", "SandboxSpec"},
    "parity.formats": {"METRIC_NAMES"},
    "parity.scorer.job": {"Event", "Job", "JobTrial", "Usage"},
    "parity.scorer.pass_at_k": {"Trial"},
    "parity.scorer.series": {"Series"},
    "parity.scorer.trial_reward": {"MultiStepTrial", "Phase", "Step", "StepReward", "TrialReward"},
    "parity.scorer.values": {"Number", "Rewards"},
}
_ADAPTERS = {
    "reference/harbor_sandboxes.py": {
        "parity.driver.sandbox": {"Executed", "Sandbox", "SandboxSpec", "SandboxUnavailable", "User"},
        "parity.driver.sandboxes.process": {"Program"},
        "parity.driver.sandboxes.transfer": {"receive"},
    },
    "reference/sandbox_environment.py": {
        "parity.driver.sandbox": {"Sandbox", "SandboxSpec", "Sandboxes", "User"},
        "parity.driver.sandboxes": {"sandboxes_named"},
    },
    "runners/pipe/serving.py": {
        "parity.runners.clean_room": {"CleanRoom"},
        "parity.scorer.series": {"Series"},
    },
}
"""Modules that do not judge: adapters between sandboxes and Harbor's environments, and `parity serve`."""


def _imports(module: Path) -> dict[str, set[str]]:
    """Return the names that a module imports from the clean room, also inside functions, by their modules."""
    imports: dict[str, set[str]] = {}
    for node in ast.walk(ast.parse(module.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom | ast.Import):
            for alias in node.names:
                source, name = (
                    (node.module or "", alias.name) if isinstance(node, ast.ImportFrom) else (alias.name, "*")
                )
                if f"{source}.{name}".removeprefix("parity.").startswith(_CLEAN_ROOM):
                    imports.setdefault(source, set()).add(name)
    return imports


def _judging() -> dict[str, Path]:
    modules = (path for part in _JUDGE for path in ([*(_PACKAGE / part).rglob("*.py")] or [_PACKAGE / part]))
    named = {str(path.relative_to(_PACKAGE)): path for path in modules}
    return {name: path for name, path in named.items() if name not in _ADAPTERS}


def test_judge_takes_only_types_from_the_clean_room() -> None:
    """The judge imports exactly the listed types, and the adapters exactly what they are listed with."""
    imports: dict[str, set[str]] = {}
    for path in _judging().values():
        for source, names in _imports(path).items():
            imports.setdefault(source, set()).update(names)

    assert imports == _TYPES
    assert {name: _imports(_PACKAGE / name) for name in _ADAPTERS} == _ADAPTERS


def test_judge_uses_no_behaviour_of_these_types() -> None:
    """No class among the types checks or changes its values, and the judge uses no method or property of one."""
    types = [getattr(import_module(module), name) for module, names in _TYPES.items() for name in names]
    classes = [each for each in types if hasattr(each, "__module__")]  # a constant has no module
    members = {name for each in classes for name in getattr(each, "__annotations__", ())}
    own = {name for each in classes if isinstance(each, type) for name in vars(each) if not name.startswith("_")}
    using = {
        (name, node.attr)
        for name, path in _judging().items()
        if _imports(path).keys() & {each.__module__ for each in classes}
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Attribute) and node.attr in own - members
    }

    assert not any(hasattr(each, "__post_init__") for each in classes)
    assert {attribute for _, attribute in using} == {"PY312", "PY314"}


_ALIASES = ("Phase", "Strategy")


def test_no_function_of_the_clean_room_runs_for_the_judge() -> None:
    """No function of the clean room runs while a case is read, described, asked of Harbor, and attributed to rules."""
    wheel = open_reference().wheel
    for name in OPERATIONS:
        read_vectors(name)

    with _functions_of_the_clean_room() as executed:
        for operation in OPERATIONS.values():
            for case in {vector.rule: vector.case for vector in read_vectors(operation.name)}.values():
                _judge(operation, case, wheel)

    assert executed == set()


def _judge(operation: Operation[Any], case: Any, wheel: Any) -> None:
    case = operation.decode(operation.encode(case))
    operation.describe(case)
    if hasattr(wheel, operation.name):
        with operation.arguments(case) as arguments:
            answer = ask(wheel, operation.name, arguments)
        if not isinstance(answer, NotClaimed):
            operation.compare(case, answer, Fault("Error", ""))
    for rule in operation.rules:
        rule.when(case)
        if rule.same:
            rule.same(case)


def _is_of_types(name: str) -> bool:
    """Return whether code computes a module, annotations, or the value of a type alias."""
    return name == "<module>" or name.endswith("__annotate__") or name in {*_TYPES["parity.scorer.values"], *_ALIASES}


@contextmanager
def _functions_of_the_clean_room() -> Iterator[set[str]]:
    """Yield a set to which each function of the clean room that runs inside the `with` block is added."""
    homes = tuple(str(_PACKAGE / part.replace(".", "/")) + "/" for part in _CLEAN_ROOM)
    executed: set[str] = set()
    monitoring = sys.monitoring

    def note(code: CodeType, offset: int) -> object:
        if code.co_filename.startswith(homes) and not _is_of_types(code.co_qualname):
            executed.add(code.co_qualname)
        return monitoring.DISABLE

    tool = next(each for each in range(6) if monitoring.get_tool(each) is None)
    monitoring.use_tool_id(tool, "borders")
    monitoring.register_callback(tool, monitoring.events.PY_START, note)
    monitoring.restart_events()
    monitoring.set_events(tool, monitoring.events.PY_START)
    try:
        yield executed
    finally:
        monitoring.set_events(tool, monitoring.events.NO_EVENTS)
        monitoring.free_tool_id(tool)
