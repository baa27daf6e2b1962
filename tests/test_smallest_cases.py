"""What is shown of a fault is small: the strategies shrink to a case that can be read at a glance."""

from collections.abc import Sequence
from itertools import accumulate
from operator import add
from pathlib import Path
from typing import Any

import pytest

from parity.judging.divergence import Divergence, DivergenceFound
from parity.operations.aggregate import AGGREGATE
from parity.operations.files.file_states import ABSENT, FileState
from parity.operations.operation import Operation
from parity.operations.read_reward import READ_REWARD, RewardFolder
from parity.scorer import Number, Rewards
from tests.faulty.fault import Fault, other_series, read_bytes
from tests.faulty.read_reward.files import EmptyIsParseError

_EMPTY_JSON = RewardFolder(FileState("file"), ABSENT)
_EMPTY_TEXT = RewardFolder(ABSENT, FileState("file"))


class AddsEveryColumnOneByOne(Fault):
    """Adds in a loop under every key."""

    def aggregate(self, metric: str, rewards: Sequence[Rewards | None]) -> Rewards:
        right = super().aggregate(metric, rewards)
        if metric not in ("mean", "sum"):
            return right
        keys = sorted({key for reward in rewards if reward for key in reward})
        columns = {key: [(reward or {}).get(key, 0) for reward in rewards] for key in keys}
        names = dict(zip(columns, right, strict=True)) if len(keys) == len(right) else {}
        return {**right, **{name: self._added(metric, columns[key]) for key, name in names.items()}}

    def _added(self, metric: str, column: list[Number]) -> Number:
        total: Number = list(accumulate(column, add))[-1]
        mean: Number = total / len(column)
        return mean if metric == "mean" else total


class AddsAsAnotherInterpreter(Fault):
    """Adds as another interpreter series does."""

    def aggregate(self, metric: str, rewards: Sequence[Rewards | None]) -> Rewards:
        self.series = other_series()
        return super().aggregate(metric, rewards)


class ArraysAreZero(Fault):
    """Scores 0.0 where reward.json has an array, unless that is nested beyond the stack."""

    def read_reward(self, directory: Path) -> Rewards | None:
        content = read_bytes(directory, "reward.json") or b""
        return {"reward": 0.0} if b"[" in content and len(content) < 50_000 else super().read_reward(directory)


class OneHundredLevels(Fault):
    """Reads what is nested a hundred levels deep, and no more."""

    def read_reward(self, directory: Path) -> Rewards | None:
        content = read_bytes(directory, "reward.json") or b""
        if max(content.count(b"["), content.count(b"{")) > 100:
            raise RecursionError("nested too deeply")
        return super().read_reward(directory)


class _Spy:
    """Keeps the divergences that tests of the suite raise: one a rule, as small as Hypothesis could make it."""

    def __init__(self) -> None:
        self.divergences: dict[str, Divergence] = {}

    def pytest_runtest_makereport(self, item: pytest.Item, call: pytest.CallInfo[None]) -> None:
        """Keep what a failed test raised; the report is left to others."""
        if call.excinfo is not None:
            self._keep(call.excinfo.value)

    def _keep(self, error: BaseException) -> None:
        if isinstance(error, BaseExceptionGroup):
            for nested in error.exceptions:
                self._keep(nested)
        elif isinstance(error, DivergenceFound):
            self.divergences[error.divergence.rule.slug] = error.divergence


def _smallest(pytester: pytest.Pytester, runner: type[Fault], operation: Operation[Any], test: str) -> dict[str, Any]:
    """Rule to the case that a run of one test of the suite shows for it."""
    spy = _Spy()
    spec = f"{runner.__module__}:{runner.__name__}"
    pytester.inline_run(
        "--pyargs",
        f"parity.operations.{operation.name}.test_{operation.name}",
        "-k",
        test,
        "--runner",
        spec,
        plugins=[spy],
    )
    return {rule: operation.decode(divergence.case) for rule, divergence in spy.divergences.items()}


_ARRAYS: dict[str, dict[str, Any]] = {}


def _smallest_arrays(pytester: pytest.Pytester, test: str) -> dict[str, Any]:
    """The same of `ArraysAreZero`, run once for a test."""
    if test not in _ARRAYS:
        _ARRAYS[test] = _smallest(pytester, ArraysAreZero, READ_REWARD, test)
    return _ARRAYS[test].copy()


@pytest.mark.parametrize("runner", [AddsEveryColumnOneByOne, AddsAsAnotherInterpreter])
@pytest.mark.parametrize("test", ["test_trials", "test_numbers"])
def test_a_wrong_sum_is_shown_with_few_numbers(runner: type[Fault], test: str, pytester: pytest.Pytester) -> None:
    """A handful of trials and keys."""
    cases = _smallest(pytester, runner, AGGREGATE, test)

    keys = {rule: {key for reward in case.rewards for key in reward or {}} for rule, case in cases.items()}
    plain = {"summation/mixed", "summation/compensated"} & set(cases)
    assert plain
    assert {rule: case for rule, case in cases.items() if len(case.rewards) > 6 or len(keys[rule]) > 3} == {}
    assert {rule: keys[rule] for rule in plain if len(keys[rule]) > 2} == {}


@pytest.mark.parametrize("test", ["test_almost_json", "test_which_file_counts", "test_reward_json"])
def test_a_wrong_array_is_shown_alone(test: str, pytester: pytest.Pytester) -> None:
    """One array, and little beside it; levels only where the rule is about them."""
    cases = _smallest_arrays(pytester, test)

    contents = {rule: case.json.content for rule, case in cases.items()}
    contents.pop("reward-json/nesting-held", None)
    assert contents
    assert {rule: content for rule, content in contents.items() if len(content) > 36} == {}


def test_a_limit_of_nesting_is_shown_for_nesting(pytester: pytest.Pytester) -> None:
    """No other rule is blamed for what is nested too deeply for the runner."""
    rules = set(_smallest(pytester, OneHundredLevels, READ_REWARD, "test_which_file_counts"))

    assert rules == {"reward-json/nesting-held"}


def test_an_empty_file_is_shown_as_a_plain_file(pytester: pytest.Pytester) -> None:
    """Neither a FIFO nor a device or a socket, though they are answered alike."""
    cases = _smallest(pytester, EmptyIsParseError, READ_REWARD, "test_which_file_counts")

    assert cases["reward-file/empty-is-zero-bytes"] in (_EMPTY_JSON, _EMPTY_TEXT)
