"""Tests the harness before it judges any runner: the reference must give answers that are known in advance.

The runner cannot cause a failure here.
"""

from pathlib import Path

import pytest

from parity.operations.aggregate import AGGREGATE, AggregateCase
from parity.operations.answers import Answer, Fault, Value
from parity.operations.compare import compare_answers
from parity.operations.operation import Operation
from parity.operations.pass_at_k import PASS_AT_K, PassAtKCase
from parity.operations.read_reward import READ_REWARD, only_json, only_text
from parity.operations.trial_score import TRIAL_SCORE
from parity.operations.trial_score.case import rewarded
from parity.scorer.pass_at_k import Trial
from parity.suite.checker import Checker

pytestmark = pytest.mark.smoke

_TRIALS = tuple(Trial("agent", "model", "set", "task", {"reward": passed}) for passed in (1, 0, 0, 0, 0))

_KNOWN = [
    pytest.param(READ_REWARD, only_text(b"1\n"), Value({"reward": 1.0}), id="text"),
    pytest.param(READ_REWARD, only_json(b'{"a": true}'), Value({"a": 1.0}), id="json"),
    pytest.param(READ_REWARD, only_text(b""), Fault("RewardFileEmptyError"), id="empty"),
    pytest.param(AGGREGATE, AggregateCase("mean", ({"reward": 0.1},) * 10), Value({"mean": 0.1}), id="mean"),
    pytest.param(
        PASS_AT_K,
        PassAtKCase(_TRIALS),
        Value({"agent__model__set": {2: 0.3999999999999999, 4: 0.8, 5: 1.0}}),
        id="pass-at-k",
    ),
    pytest.param(TRIAL_SCORE, rewarded(1, "AgentTimeoutError"), Value({"mean": 1.0}), id="trial-score"),
]


@pytest.mark.parametrize(("operation", "case", "expected"), _KNOWN)
def test_reference_gives_known_answer[Case](
    checker: Checker, operation: Operation[Case], case: Case, expected: Answer
) -> None:
    """The reference gives the answer that is known in advance."""
    answer = checker.ask_reference(operation, case)

    assert compare_answers(expected, answer) is None


def test_files_of_a_case_are_removed_after_the_call() -> None:
    """The files that a case creates for a call are removed after the call."""
    with READ_REWARD.arguments(only_text(b"1")) as (directory,):
        assert isinstance(directory, Path)
        assert (directory / "reward.txt").read_bytes() == b"1"

    assert not directory.exists()
