"""A runner gets the same verdicts in the kit's own process and over the pipe."""

import json
import os
from pathlib import Path
from typing import Any

import pytest

from tests.running import PYTHON, run_pytest

_ROOT = Path(__file__).resolve().parents[2]
_SPECS = {
    "clean-room": "aggregate or pass_at_k or reason_code",
    "tests.faulty.aggregate.sums:AddsOneByOne": "aggregate and (golden or test_sizes)",
    "tests.faulty.read_reward.files:TextWins": "read_reward",
}
_THEIRS = {"name", "spec", "version", "language", "replay", "started_at"}
"""Fields of a report that depend on how the runner was named, or on the time."""


def _report(folder: Path, selected: str, *options: str) -> dict[str, Any]:
    path = folder / "report.json"
    run = run_pytest(
        *("--pyargs", "parity", "--profile", "quick", "-p", "no:cacheprovider"),
        *("-k", selected, "--report", str(path), *options),
        cwd=folder,
        environment={**os.environ, "PYTHONPATH": str(_ROOT)},
    )
    assert run.returncode in (0, 1), run.stdout + run.stderr
    report: dict[str, Any] = json.loads(path.read_text())
    return report


def _stripped(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _stripped(each) for key, each in value.items() if key not in _THEIRS}
    return [_stripped(each) for each in value] if isinstance(value, list) else value


@pytest.mark.needs("utf-8")
@pytest.mark.parametrize("spec", _SPECS)
def test_the_same_report(spec: str, tmp_path: Path) -> None:
    """Both reports have the same cases, comparisons, divergences, smallest cases and rules."""
    inside, over = tmp_path / "inside", tmp_path / "over"
    inside.mkdir()
    over.mkdir()

    in_process = _report(inside, _SPECS[spec], "--runner", spec)
    over_pipe = _report(over, _SPECS[spec], "--runner-cmd", f"{PYTHON} -m parity serve {spec}")

    assert _stripped(over_pipe) == _stripped(in_process)
    assert (in_process["final"]["verdict"] == "agrees") == (spec == "clean-room")
