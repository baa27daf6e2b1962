"""Tests that a runner whose answers all have the wrong shape gets one line for each operation, and no rule."""

import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from parity.formats import METRIC_NAMES
from parity.operations import OPERATIONS
from parity.operations.series import running_series
from parity.runners import CleanRoom
from parity.runners.asking import Clock
from parity.runners.pipe import PipeRunner
from parity.suite.checker import Checker
from parity.suite.report.reading import read_report
from parity.suite.shapes import wrong_shape
from tests.pipe.test_program import shell
from tests.running import Run

_RUNNER = """
class Mine:
    name = "mine"

    def aggregate(self, metric, rewards):
        sum((each or {}).get("reward", 0) for each in rewards)
"""


def _sentence(operation: str, answer: Any) -> str | None:
    runner: Any = SimpleNamespace(name="mine", **{operation: lambda *case: answer})
    return wrong_shape(OPERATIONS[operation], Checker(CleanRoom(), runner, Clock(600)), running_series())


@pytest.mark.parametrize(
    ("operation", "answer"),
    [
        ("aggregate", None),
        ("aggregate", 0.5),
        ("aggregate", {"result": 0.5}),
        ("aggregate", {metric: {"reward": 0.5} for metric in METRIC_NAMES}),
        ("read_reward", [1.0]),
        ("read_reward", {"rewards": {"reward": 1.0}}),
        ("pass_at_k", {"agent": 1.0}),
        ("job_stats", {}),
    ],
)
def test_answer_with_the_wrong_shape_is_reported(operation: str, answer: Any) -> None:
    """None, a list, a different outer key and a different nesting are reported as wrong shapes."""
    sentence = _sentence(operation, answer)

    assert sentence is not None
    assert sentence.startswith(f"`{operation}` returned {answer!r:.30}")
    assert "; it should return a " in sentence


class _Evil:
    """An object that can neither be printed nor compared."""

    def __repr__(self) -> str:
        raise RuntimeError("no")

    def __eq__(self, other: object) -> bool:
        raise RuntimeError("no")

    def __hash__(self) -> int:
        return 1


def test_unprintable_answer_has_the_wrong_shape() -> None:
    """An answer that cannot be compared or printed has the wrong shape."""
    sentence = _sentence("pass_at_k", {_Evil(): _Evil()})

    assert sentence
    assert sentence.startswith("`pass_at_k` returned <dict whose repr raises RuntimeError>; it ")


@pytest.mark.parametrize(
    ("operation", "answer"),
    [
        ("read_reward", {"reward": "1"}),
        ("read_reward", {}),
        ("pass_at_k", {}),
        ("pass_at_k", {"agent/model": {2: 0.5}}),
        ("aggregate", dict.fromkeys(METRIC_NAMES, 7)),
    ],
)
def test_wrong_value_is_not_a_wrong_shape(operation: str, answer: Any) -> None:
    """Wrong values, and keys that depend on the case, are not wrong shapes, because rules cover them."""
    assert _sentence(operation, answer) is None


def test_one_answer_with_the_right_shape_is_enough() -> None:
    """If one answer has the right shape, None in other answers is not reported as a wrong shape."""
    answers = iter([None, None])
    runner: Any = SimpleNamespace(
        name="mine", aggregate=lambda metric, rewards: next(answers, CleanRoom().aggregate(metric, rewards))
    )

    assert wrong_shape(OPERATIONS["aggregate"], Checker(CleanRoom(), runner, Clock(600)), running_series()) is None


def _crash(operation: str, runner: Any, seconds: float = 600) -> str | None:
    return wrong_shape(OPERATIONS[operation], Checker(CleanRoom(), runner, Clock(seconds)), running_series())


@pytest.mark.parametrize(
    ("script", "seconds", "sentence"),
    [
        pytest.param(
            "echo no file >&2; exit 3",
            600,
            "`reason_code` crashed at each of 10 vectors: it ended with exit code 3; on standard error: no file",
            id="crash",
        ),
        pytest.param("sleep 60", 1, None, id="hang"),
        pytest.param("echo x", 600, None, id="malformed"),
    ],
)
def test_program_that_crashes_at_all_vectors_is_reported(script: str, seconds: float, sentence: str | None) -> None:
    """A crash at each of ten vectors is reported with its reason, but not a hang or a malformed answer."""
    runner = PipeRunner(shell(f"read greeting; read question; {script}"))

    reported = _crash("reason_code", runner, seconds)
    runner.close()

    assert reported == sentence


class _ExitsWithoutRewards(CleanRoom):
    """A runner that ends the process if there is no reward, or none at all of a trial."""

    def aggregate(self, metric: str, rewards: Any) -> Any:
        if not any(rewards):
            sys.exit("no rewards")
        return super().aggregate(metric, rewards)


def test_runner_that_crashes_at_short_vectors_only_is_left_to_the_rules() -> None:
    """A runner that crashes at the shortest vectors, which are about what is missing, answers longer ones."""
    assert _crash("aggregate", _ExitsWithoutRewards()) is None


def test_wrong_shape_is_one_line_in_the_output(tmp_path: Path, run: Run) -> None:
    """A method without return is reported in one line, fails the run, and is a divergence in the record."""
    (tmp_path / "mine.py").write_text(_RUNNER)
    suite = ("--pyargs", "parity", "--profile", "quick", "-k", "aggregate")

    ran = run(*suite, "--runner", "mine:Mine", "--report", "report.json")

    assert ran.returncode == pytest.ExitCode.TESTS_FAILED
    assert ran.stdout.count("`aggregate` returned None; it should return a dict such as {") == 1
    assert "DIVERGENCE" not in ran.stdout
    assert "FAILED" not in ran.stdout
    assert "diverges: no answer has the right shape" in ran.stdout
    assert read_report(tmp_path / "report.json").final.verdict == "diverges"
