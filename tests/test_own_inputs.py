"""Tests that each call gets its own input, so that a runner may change its input."""

from parity.operations import OPERATIONS
from parity.operations.aggregate import AGGREGATE, AggregateCase
from parity.operations.answers import Value
from parity.operations.files.file_states import FileState
from parity.operations.goldens import read_vectors
from parity.operations.read_reward import READ_REWARD, RewardDirectory
from parity.reference import open_reference
from parity.runners.asking import Clock
from parity.suite.checker import Checker
from tests.faulty.unruly import Litters

_REWARDS = AggregateCase("mean", ({"b": 1, "a": 0.5}, {"b": 0}, None))
_BOTH = RewardDirectory(FileState("file", b'{"a": 1}'), FileState("link", b"0.5"))


def test_each_call_has_its_own_scenario() -> None:
    """Each call gets its own copy of the scenario."""
    for name in ("run_trial", "run_job", "harbor_env"):
        operation, case = OPERATIONS[name], read_vectors(name)[0].case

        with operation.arguments(case) as (scenario,):
            assert scenario == case
            assert scenario is not case


def test_runner_that_changes_its_input_agrees() -> None:
    """A runner that changes its files and arguments but answers as the reference does is judged to agree."""
    checker = Checker(open_reference().wheel, Litters(), Clock(10))

    assert checker.ask_both(READ_REWARD, _BOTH) == (Value({"a": 1.0}), Value({"a": 1.0}))
    for _ in range(2):
        assert checker.diverges(READ_REWARD, _BOTH) is None
        assert checker.diverges(AGGREGATE, _REWARDS) is None
