"""Tests that the judge takes only types from the clean room, so that the accused has no hand in a verdict.

The judge is everything that draws and asks questions, gives the reference's answer, and compares.
"""

import ast
from importlib import import_module
from pathlib import Path

import parity

_PACKAGE = Path(parity.__file__).parent
_JUDGE = ("operations", "suite", "reference", "runners/pipe", "runners/asking.py", "runners/runner.py")
_CLEAN_ROOM = ("formats", "scorer", "driver", "harbor_env", "runners.clean_room")

_TYPES = {
    "parity.driver.sandbox": {"Executed", "SandboxSpec"},
    "parity.scorer.job": {"Event", "Job", "JobTrial", "Usage"},
    "parity.scorer.pass_at_k": {"Trial"},
    "parity.scorer.series": {"Series"},
    "parity.scorer.trial_reward": {"MultiStepTrial", "Phase", "Step", "StepRecord", "TrialReward"},
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

_NOT_YET = {
    "operations/harbor_env/conditions.py",
    "operations/harbor_env/rules.py",
    "operations/job_stats/conditions.py",
    "operations/run_job/conditions.py",
    "operations/run_trial/conditions.py",
    "operations/scenarios/execution.py",
}


def _taken(module: Path) -> dict[str, set[str]]:
    """Return the names that a module imports from the clean room, also inside functions, by their modules."""
    taken: dict[str, set[str]] = {}
    for node in ast.walk(ast.parse(module.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom | ast.Import):
            for alias in node.names:
                source, name = (
                    (node.module or "", alias.name) if isinstance(node, ast.ImportFrom) else (alias.name, "*")
                )
                if f"{source}.{name}".removeprefix("parity.").startswith(_CLEAN_ROOM):
                    taken.setdefault(source, set()).add(name)
    return taken


def _judging() -> dict[str, Path]:
    modules = (path for part in _JUDGE for path in ([*(_PACKAGE / part).rglob("*.py")] or [_PACKAGE / part]))
    named = {str(path.relative_to(_PACKAGE)): path for path in modules}
    return {name: path for name, path in named.items() if name not in {*_ADAPTERS, *_NOT_YET}}


def test_judge_takes_only_types_from_the_clean_room() -> None:
    """The judge imports exactly the listed types, and the adapters exactly what they are listed with."""
    taken: dict[str, set[str]] = {}
    for path in _judging().values():
        for source, names in _taken(path).items():
            taken.setdefault(source, set()).update(names)

    assert taken == _TYPES
    assert {name: _taken(_PACKAGE / name) for name in _ADAPTERS} == _ADAPTERS


def test_judge_uses_no_behaviour_of_these_types() -> None:
    """No class among the types checks or changes its values, and the judge uses no method or property of one."""
    classes = [getattr(import_module(module), name) for module, names in _TYPES.items() for name in names]
    members = {name for each in classes for name in getattr(each, "__annotations__", ())}
    own = {name for each in classes if isinstance(each, type) for name in vars(each) if not name.startswith("_")}
    using = {
        (name, node.attr)
        for name, path in _judging().items()
        if _taken(path).keys() & {each.__module__ for each in classes}
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Attribute) and node.attr in own - members
    }

    assert not any(hasattr(each, "__post_init__") for each in classes)
    assert {attribute for _, attribute in using} == {"PY312", "PY314"}
