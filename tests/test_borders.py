"""Tests that the judge takes only types from the clean room, so that the accused has no hand in a verdict.

The judge is everything that draws and asks questions, gives the reference's answer, and compares.
"""

import ast
from pathlib import Path

import parity

_PACKAGE = Path(parity.__file__).parent
_JUDGE = ("operations", "suite", "reference", "runners/pipe", "runners/asking.py", "runners/runner.py")
_CLEAN_ROOM = tuple(f"parity.{part}" for part in ("formats", "scorer", "driver", "harbor_env", "runners.clean_room"))

_STAYING = {
    "parity.driver.sandbox": {"Executed", "SandboxSpec"},
    "parity.scorer.job": {"Event", "Job", "JobTrial", "Usage"},
    "parity.scorer.pass_at_k": {"Trial"},
    "parity.scorer.series": {"Series"},
    "parity.scorer.trial_reward": {"MultiStepTrial", "Phase", "Step", "StepRecord", "TrialReward"},
    "parity.scorer.values": {"Number", "Rewards"},
}
"""Types, and dataclasses of which the judge calls no method."""

_ELSEWHERE = {
    "reference/harbor_sandboxes.py": {"parity.driver.sandbox", "parity.driver.sandboxes"},
    "reference/sandbox_environment.py": {"parity.driver.sandbox", "parity.driver.sandboxes"},
    "runners/pipe/serving.py": {"parity.runners.clean_room"},
}
"""Modules that do not judge: adapters between Harbor's environments and sandboxes, and the program `parity serve`."""

_NOT_YET = {
    *(f"operations/{name}/{module}.py" for name in ("run_trial", "run_job", "job_stats") for module in ("conditions",)),
    *(f"operations/harbor_env/{module}.py" for module in ("conditions", "rules")),
    "operations/scenarios/execution.py",
}


def _taken(module: Path) -> set[tuple[str, str]]:
    """Return what a module imports from the clean room, also inside functions: pairs of a module and a name."""
    taken = set()
    for node in ast.walk(ast.parse(module.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom):
            pairs = {(node.module or "", alias.name) for alias in node.names}
        elif isinstance(node, ast.Import):
            pairs = {(alias.name, "") for alias in node.names}
        else:
            continue
        taken |= {pair for pair in pairs if ".".join(pair).startswith(_CLEAN_ROOM)}
    return taken


def test_judge_takes_only_types_from_the_clean_room() -> None:
    """Exactly the listed types are imported, so that no function, method or validator of the clean room judges."""
    modules = [
        path for part in _JUDGE for path in [_PACKAGE / part, *(_PACKAGE / part).rglob("*.py")] if path.is_file()
    ]
    names = {path: str(path.relative_to(_PACKAGE)) for path in modules}
    judging = [path for path in modules if names[path] not in _ELSEWHERE and names[path] not in _NOT_YET]

    taken = {pair for path in judging for pair in _taken(path)}

    assert taken == {(module, name) for module, staying in _STAYING.items() for name in staying}
