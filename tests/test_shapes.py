"""A runner whose answers all have the wrong shape gets one line an operation, and no rule is named."""

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from parity.operations import OPERATIONS
from parity.runners import CleanRoom
from parity.runners.asking import Clock
from parity.scorer import Series
from parity.suite.checker import Checker
from parity.suite.report.reading import read_report
from parity.suite.shapes import wrong_shape
from tests.suite_runs import run_suite

_RUNNER = """
class Mine:
    name = "mine"

    def aggregate(self, metric, rewards):
        sum((each or {}).get("reward", 0) for each in rewards)
"""


def _sentence(operation: str, answer: Any) -> str | None:
    runner: Any = SimpleNamespace(name="mine", **{operation: lambda *case: answer})
    return wrong_shape(OPERATIONS[operation], Checker(CleanRoom(), runner, Clock(600)), Series.running())


@pytest.mark.parametrize(
    ("operation", "answer"),
    [
        ("aggregate", None),
        ("aggregate", 0.5),
        ("aggregate", {"result": 0.5}),
        ("aggregate", {metric: {"reward": 0.5} for metric in ("mean", "max", "min", "sum")}),
        ("read_reward", [1.0]),
        ("read_reward", {"rewards": {"reward": 1.0}}),
        ("pass_at_k", {"agent": 1.0}),
        ("job_stats", {}),
    ],
)
def test_answers_of_the_wrong_shape(operation: str, answer: Any) -> None:
    """None, a list, another outer key and another nesting are wrong shapes."""
    sentence = _sentence(operation, answer)

    assert sentence is not None
    assert sentence.startswith(f"`{operation}` returned {answer!r:.30}")
    assert "; it returns a " in sentence


@pytest.mark.parametrize(
    ("operation", "answer"),
    [
        ("read_reward", {"reward": "1"}),
        ("read_reward", {}),
        ("pass_at_k", {}),
        ("pass_at_k", {"agent/model": {2: 0.5}}),
        ("aggregate", dict.fromkeys(("mean", "max", "min", "sum"), 7)),
    ],
)
def test_wrong_answers_of_the_right_shape(operation: str, answer: Any) -> None:
    """Wrong values, and keys that depend on the case, are for the rules."""
    assert _sentence(operation, answer) is None


def test_one_right_answer_is_enough() -> None:
    """None is no wrong shape if another answer has the right one."""
    given = iter([None, None])
    runner: Any = SimpleNamespace(
        name="mine", aggregate=lambda metric, rewards: next(given, CleanRoom().aggregate(metric, rewards))
    )

    assert wrong_shape(OPERATIONS["aggregate"], Checker(CleanRoom(), runner, Clock(600)), Series.running()) is None


def test_one_line_says_so(replays: Path) -> None:
    """A method without return is one line, fails the run, and is a divergence in its record."""
    (replays / "mine.py").write_text(_RUNNER)
    suite = ("--pyargs", "parity", "--profile", "quick", "-k", "aggregate")

    run = run_suite(*suite, "--runner", "mine:Mine", "--report", "report.json", cwd=replays)

    assert run.returncode == pytest.ExitCode.TESTS_FAILED
    assert run.stdout.count("`aggregate` returned None; it returns a dict such as {") == 1
    assert "DIVERGENCE" not in run.stdout
    assert "FAILED" not in run.stdout
    assert "diverges: all answers have the wrong shape" in run.stdout
    assert read_report(replays / "report.json").final.verdict == "diverges"
