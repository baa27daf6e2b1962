"""Tests that the cases shown for faults are small, because the strategies shrink well."""

from collections.abc import Callable, Sequence
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import HealthCheck, find
from hypothesis import settings as Settings  # noqa: N812
from hypothesis import strategies as st

from parity.operations.aggregate import AGGREGATE, AggregateCase
from parity.operations.aggregate.strategies import number_columns, reward_lists
from parity.operations.files.file_states import ABSENT, FileState
from parity.operations.files.json_strategies import json_documents, json_neighbours
from parity.operations.operation import Operation
from parity.operations.read_reward import READ_REWARD, RewardDirectory, only_json
from parity.operations.read_reward.strategies import reward_directories
from parity.runners import CleanRoom
from parity.runners.asking import ask
from parity.scorer import Rewards
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


def _smallest[Case](
    strategy: st.SearchStrategy[Any], runner: type[Fault], operation: Operation[Case], case_of: Callable[[Any], Case]
) -> Case:
    """Return the case to which Hypothesis shrinks the first one that the runner answers otherwise."""
    runners = CleanRoom(), runner()

    def differs(drawn: Any) -> bool:
        case = case_of(drawn)
        answers = []
        for each in runners:
            with operation.arguments(case) as arguments:
                answers.append(ask(each, operation.name, arguments))
        return operation.compare(case, answers[0], answers[1]) is not None

    settings = Settings(max_examples=2000, database=None, deadline=None, suppress_health_check=[*HealthCheck])
    return case_of(find(strategy, differs, settings=settings, random=Random(0)))


@pytest.mark.parametrize("strategy", [reward_lists, number_columns], ids=["trials", "numbers"])
def test_wrong_sum_is_shown_with_few_numbers(strategy: st.SearchStrategy[Any]) -> None:
    """A wrong sum is shown with few trials and keys."""
    case = _smallest(strategy, AddsAsAnotherInterpreter, AGGREGATE, lambda rewards: AggregateCase("mean", rewards))

    keys = {key for reward in case.rewards for key in reward or {}}
    assert len(case.rewards) <= 6
    assert len(keys) <= 3


@pytest.mark.parametrize("strategy", [json_neighbours, json_documents], ids=["neighbours", "documents"])
def test_wrong_array_is_shown_alone(strategy: st.SearchStrategy[Any]) -> None:
    """A wrong array is shown with little beside it."""
    case = _smallest(strategy, ArraysAreZero, READ_REWARD, only_json)

    assert len(case.json.content) <= 36


def test_empty_file_is_shown_as_a_plain_file() -> None:
    """A fault with empty files is shown with a regular file, and not with a FIFO or a device."""
    case = _smallest(reward_directories, EmptyIsParseError, READ_REWARD, lambda directory: directory)

    assert case in (_EMPTY_JSON, _EMPTY_TEXT)
