"""Tests that the cases shown for faults are small, because the strategies shrink well."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from parity.operations.aggregate import AGGREGATE
from parity.operations.files.file_states import ABSENT, FileState
from parity.operations.operation import Operation
from parity.operations.read_reward import READ_REWARD, RewardDirectory
from parity.scorer import Rewards
from parity.suite.divergence import Divergence, DivergenceFound
from tests.faulty.fault import Fault, other_series, read_bytes
from tests.faulty.read_reward.files import EmptyIsParseError

_EMPTY_JSON = RewardDirectory(FileState("file"), ABSENT)
_EMPTY_TEXT = RewardDirectory(ABSENT, FileState("file"))


class AddsAsAnotherInterpreter(Fault):
    """A runner that adds numbers as another interpreter series does."""

    def aggregate(self, metric: str, rewards: Sequence[Rewards | None]) -> Rewards:
        self.series = other_series()
        return super().aggregate(metric, rewards)


class ArraysAreZero(Fault):
    """A runner that returns 0.0 if reward.json has an array, except if it is nested beyond the stack's limit."""

    def read_reward(self, directory: Path) -> Rewards | None:
        content = read_bytes(directory, "reward.json") or b""
        return {"reward": 0.0} if b"[" in content and len(content) < 50_000 else super().read_reward(directory)


class _Spy:
    """A plugin that stores the smallest divergence that the tests raise for each rule."""

    def __init__(self) -> None:
        self.divergences: dict[str, Divergence] = {}

    def pytest_runtest_makereport(self, item: pytest.Item, call: pytest.CallInfo[None]) -> None:
        """Store the divergences that a failed test raised."""
        if call.excinfo is not None:
            self._keep(call.excinfo.value)

    def _keep(self, error: BaseException) -> None:
        if isinstance(error, BaseExceptionGroup):
            for nested in error.exceptions:
                self._keep(nested)
        elif isinstance(error, DivergenceFound):
            self.divergences[error.divergence.rule.slug] = error.divergence


def _smallest(pytester: pytest.Pytester, runner: type[Fault], operation: Operation[Any], test: str) -> dict[str, Any]:
    """Return the case that is shown for each rule, in a run of one test in the suite."""
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
    return {rule: divergence.case for rule, divergence in spy.divergences.items()}


@pytest.mark.parametrize("test", ["test_trials", "test_numbers"])
def test_wrong_sum_is_shown_with_few_numbers(test: str, pytester: pytest.Pytester) -> None:
    """A wrong sum is shown with few trials and keys."""
    cases = _smallest(pytester, AddsAsAnotherInterpreter, AGGREGATE, test)

    keys = {rule: {key for reward in case.rewards for key in reward or {}} for rule, case in cases.items()}
    assert cases
    assert {rule: case for rule, case in cases.items() if len(case.rewards) > 6 or len(keys[rule]) > 3} == {}


@pytest.mark.parametrize("test", ["test_almost_json", "test_which_file_counts", "test_reward_json"])
def test_wrong_array_is_shown_alone(test: str, pytester: pytest.Pytester) -> None:
    """A wrong array is shown with little beside it, and is nested only if the rule is about nesting."""
    cases = _smallest(pytester, ArraysAreZero, READ_REWARD, test)

    contents = {rule: case.json.content for rule, case in cases.items()}
    contents.pop("reward-json/nesting-held", None)
    assert contents
    assert {rule: content for rule, content in contents.items() if len(content) > 36} == {}


def test_empty_file_is_shown_as_a_plain_file(pytester: pytest.Pytester) -> None:
    """A fault with empty files is shown with a regular file, and not with a FIFO or a device."""
    cases = _smallest(pytester, EmptyIsParseError, READ_REWARD, "test_which_file_counts")

    assert cases["reward-file/empty-is-zero-bytes"] in (_EMPTY_JSON, _EMPTY_TEXT)
