"""A declared region allows one kind of difference, with no more harm than the witness."""

import os
import re
import subprocess
from collections.abc import Sequence
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from parity.operations.aggregate import AGGREGATE, AggregateCase
from parity.operations.answers import Answer, Crash, Fault, Value
from parity.operations.files.file_states import FileState
from parity.operations.operation import Operation
from parity.operations.read_reward import READ_REWARD, RewardFolder
from parity.runners import CleanRoom
from parity.runners.asking import Clock
from parity.scorer import Rewards
from parity.suite.checker import Checker
from parity.suite.declared import Declaration, Declarations, grade_of, read_all_declarations
from parity.suite.declared.declaration import answer_json
from parity.suite.declared.writing import entry_text
from parity.suite.divergence import DivergenceFound
from tests.faulty.read_reward.files import FallsBackToText, TextWins
from tests.running import run_pytest

_ROOT = Path(__file__).resolve().parents[2]
_FIFOS = """# Where ScoresFifos scores otherwise than harbor 0.13.1.

[[divergence]]
operation = "read_reward"
flags = ["json-over-txt"]
difference = "value-for-error"
class = "by-design"
reason = "two FIFOs count as 0.0"
witness = '{"folder":"folder","reward.json":{"kind":"fifo"},"reward.txt":{"kind":"fifo"}}'
reference = '{"fault":{"kind":"RewardFileEmptyError"}}'
runner = '{"value":{"reward":{"f64":"0000000000000000"}}}'
"""
_FIFO, _EMPTY, _JSON = FileState("fifo"), FileState("file"), FileState("file", b'{"reward": 0.25}')
_ONE, _ZERO = FileState("file", b"1"), FileState("file", b"0")


class ScoresFifos(CleanRoom):
    """A runner that scores 0 if both files are FIFOs, and otherwise answers like another runner."""

    other: CleanRoom = CleanRoom()

    def read_reward(self, directory: Path) -> Rewards | None:
        if all((directory / name).is_fifo() for name in ("reward.json", "reward.txt")):
            return {"reward": 0.0}
        return self.other.read_reward(directory)


class AlsoPrefersText(ScoresFifos):
    """A runner with another fault in the same region: a valid reward.txt beats reward.json."""

    other = TextWins()


class AlsoFallsBackToText(ScoresFifos):
    """A runner with another fault of the same kind in the region: reward.txt replaces an unreadable reward.json."""

    other = FallsBackToText()


def _declared(folder: Path, content: str = _FIFOS) -> Path:
    path = folder / "declared.toml"
    path.write_text(content)
    return path


def _passes(runner: Any, reference: Any, path: Path, operation: Operation[Any], case: Any) -> bool:
    """Return whether the runner agrees with a reference on a case, or diverges as declared."""
    declarations = Declarations(read_all_declarations([path]))
    checker = Checker(reference, runner, Clock(10.0), declarations=declarations)
    try:
        checker.check(operation, [case])
    except DivergenceFound:
        return False
    return True


@pytest.mark.parametrize(
    ("runner", "case", "passes"),
    [
        (ScoresFifos(), RewardFolder(_FIFO, _FIFO), True),
        (AlsoPrefersText(), RewardFolder(_FIFO, _FIFO), True),
        (AlsoPrefersText(), RewardFolder(_JSON, _ONE), False),
        (AlsoPrefersText(), RewardFolder(_JSON, _ZERO), False),
        (AlsoFallsBackToText(), RewardFolder(_FIFO, _FIFO), True),
        (AlsoFallsBackToText(), RewardFolder(_EMPTY, _ZERO), True),
        (AlsoFallsBackToText(), RewardFolder(_EMPTY, _ONE), False),
    ],
)
def test_a_region_hides_no_other_fault(runner: Any, case: RewardFolder, passes: bool, tmp_path: Path) -> None:
    """In a region for values instead of errors, such a value passes; more harm, or a wrong value, does not."""
    assert _passes(runner, CleanRoom(), _declared(tmp_path), READ_REWARD, case) == passes


def _run(folder: Path, runner: str) -> subprocess.CompletedProcess[str]:
    suite = ("--pyargs", "parity", "--profile", "quick", "-p", "no:cacheprovider")
    options = ("-k", "which_file_counts or declared", "--divergences", "declared.toml")
    environment = {**os.environ, "PYTHONPATH": str(_ROOT)}
    return run_pytest(*suite, *options, "--runner", f"{__name__}:{runner}", cwd=folder, environment=environment)


def test_a_run_sees_the_other_fault(tmp_path: Path) -> None:
    """With two FIFOs declared, a run still fails by the rule that reward.json beats reward.txt."""
    _declared(tmp_path)

    declared, worse = (_run(tmp_path, runner) for runner in ("ScoresFifos", "AlsoPrefersText"))

    assert declared.returncode == 0, declared.stdout
    assert worse.returncode == pytest.ExitCode.TESTS_FAILED
    assert re.search(r"^DIVERGENCE in read_reward \(.*\): reward-file/json-wins: ", worse.stdout, re.MULTILINE)
    assert "DECLARATION" not in worse.stdout


def test_a_region_of_all_cases_is_warned_of(tmp_path: Path) -> None:
    """The summary warns of a region that holds most generated cases, with the line to change."""
    _declared(tmp_path, _FIFOS.replace('["json-over-txt"]', "[]"))

    done = _run(tmp_path, "ScoresFifos")

    assert done.returncode == 0, done.stdout
    assert (
        "warning: read_reward[any] value-for-error holds 40 of 40 generated cases, where a new fault would pass with "
        "it; narrow its flags at declared.toml:5"
    ) in done.stdout


class _Answers:
    """A runner whose answer depends only on the metric."""

    name = "answers-by-metric"

    def __init__(self, mean: Answer, others: Answer) -> None:
        self.mean = mean
        self.others = others

    def aggregate(self, metric: str, rewards: Sequence[Rewards | None]) -> object:
        match self.mean if metric == "mean" else self.others:
            case Value(value):
                return value
            case Fault(kind):
                raise type(kind, (Exception,), {})
        raise SystemExit(1)


_RIGHT = Value({"a": 0.5})
_ANSWERS: dict[str, Answer] = {
    "higher": Value({"a": 1.0}),
    "lower": Value({"a": 0.25}),
    "one ULP": Value({"a": 0.5000000000000001}),
    "another type": Value({"a": Decimal("0.5")}),
    "another type, higher": Value({"a": Decimal(1)}),
    "an error": Fault("KeyError"),
    "none": Crash("it ended"),
}
_PASSES_TOO = {
    "higher": {"lower", "one ULP"},
    "lower": {"one ULP"},
    "another type, higher": {"another type"},
    "none": set(_ANSWERS),
}
"""Other answers that pass beside the declared one. If the runner is declared to crash, it is not asked."""


def _entry(runner: Answer) -> Declaration:
    case = AggregateCase("mean", ({"a": 0.5},))
    grade = grade_of(AGGREGATE, case, _RIGHT, runner)
    assert grade is not None
    expected, actual = (answer_json(AGGREGATE, answer) for answer in (_RIGHT, runner))
    return Declaration(
        "aggregate", frozenset(), grade.kind, grade.harm, "to-fix", "why", case, expected, actual, Path()
    )


@pytest.mark.parametrize("declared", _ANSWERS)
def test_one_kind_and_no_more_harm(declared: str, tmp_path: Path) -> None:
    """Beside the declared answer, exactly the answers of the same kind that do no more harm pass."""
    path = _declared(tmp_path, entry_text(_entry(_ANSWERS[declared])))

    passing = {name for name, answer in _ANSWERS.items() if _passes_beside(path, _ANSWERS[declared], answer)}

    assert passing == {declared} | _PASSES_TOO.get(declared, set())


def _passes_beside(path: Path, declared: Answer, answer: Answer) -> bool:
    runner, reference = _Answers(declared, answer), _Answers(_RIGHT, _RIGHT)
    return _passes(runner, reference, path, AGGREGATE, AggregateCase("sum", ({"a": 0.5},)))
