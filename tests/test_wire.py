"""Values survive the wire exactly."""

import json
import math
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from parity.operations import OPERATIONS
from parity.operations.aggregate import AGGREGATE, AggregateCase
from parity.operations.aggregate.strategies import RewardList, reward_lists
from parity.operations.compare import compare
from parity.operations.goldens import read_vectors
from parity.operations.job_stats import JOB_STATS
from parity.operations.job_stats.strategies import finished_jobs, resumed_jobs
from parity.operations.operation import Operation
from parity.operations.outcome import OUTCOME
from parity.operations.pass_at_k import PASS_AT_K, PassAtKCase
from parity.operations.pass_at_k.strategies import trial_lists
from parity.operations.read_reward import READ_REWARD, RewardFolder
from parity.operations.read_reward.strategies import reward_folders
from parity.operations.reason_code import REASON_CODE
from parity.operations.run_trial import RUN_TRIAL
from parity.operations.run_trial.strategies import trial_scenarios
from parity.operations.scenarios.recording import Script
from parity.operations.scenarios.scenario import TaskFiles, TrialScenario
from parity.operations.trial_reward import TRIAL_REWARD
from parity.operations.trial_reward.strategies import multi_step_trials
from parity.operations.wire import (
    WireError,
    canonical,
    decode,
    decode_bytes,
    encode,
    encode_bytes,
    int_from_text,
    int_to_text,
)
from parity.scorer import Job, JobTrial, MultiStepTrial, Step, Trial

_scalars = st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), st.text())
_values = st.recursive(_scalars, lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner), max_leaves=6)


@given(_values.filter(lambda value: not _looks_like_a_number(value)))
def test_values_come_back(value: object) -> None:
    """Values survive JSON by type and bits."""
    carried = json.loads(canonical(encode(value)))

    assert compare(value, decode(carried)) is None


def _looks_like_a_number(value: object) -> bool:
    if isinstance(value, dict):
        marked = len(value) == 1 and {*value} <= {"f64", "int"} and isinstance(next(iter(value.values())), str)
        return marked or any(map(_looks_like_a_number, value.values()))
    return isinstance(value, list) and any(map(_looks_like_a_number, value))


@given(st.floats())
def test_reward_keys_cannot_be_taken_for_numbers(number: float) -> None:
    """A reward key named like a marker is not read as one, because rewards are numbers."""
    rewards = {"f64": number}

    assert compare(rewards, decode(encode(rewards))) is None


@given(st.binary() | st.builds(lambda byte, n: byte * n, st.binary(min_size=1, max_size=1), st.integers(60, 70)))
def test_bytes_come_back(content: bytes) -> None:
    """Bytes survive as text, as hex, and as a repeated piece."""
    assert content == decode_bytes(encode_bytes(content))


@pytest.mark.parametrize("digits", [1, 4299, 4300, 4301, 9000])
@pytest.mark.parametrize("sign", [1, -1])
def test_integers_of_any_size_come_back(digits: int, sign: int) -> None:
    """Integers of any size survive, beyond Python's limit of 4300 digits."""
    number = sign * (10**digits - 7)

    assert number == int_from_text(int_to_text(number))


@pytest.mark.parametrize(
    "value",
    [{"f64": "0"}, {"f64": "zz"}, {"int": "1.5"}, {"int": ""}, {"int": "+1"}, {"int": "١"}],
    ids=repr,
)
def test_malformed_numbers_are_refused(value: object) -> None:
    """A malformed number gives a clear error."""
    with pytest.raises(WireError, match="takes"):
        decode(value)  # type: ignore[arg-type]


@pytest.mark.parametrize("value", [None, {}, {"utf8": 1}, {"hex": "f"}, {"utf8": "a", "times": 0}], ids=repr)
def test_malformed_bytes_are_refused(value: object) -> None:
    """Malformed bytes give a clear error."""
    with pytest.raises(WireError, match="take"):
        decode_bytes(value)  # type: ignore[arg-type]


def test_other_types_have_no_form() -> None:
    """A value of any other type is refused."""
    with pytest.raises(WireError, match="set has no form"):
        encode({1, 2})
    with pytest.raises(WireError, match="key of type float"):
        encode({0.5: 1})


@given(reward_folders)
def test_read_reward_cases_come_back(case: RewardFolder) -> None:
    """Every drawn case of `read_reward` survives encoding and decoding."""
    assert case == READ_REWARD.decode(json.loads(canonical(READ_REWARD.encode(case))))


@given(reward_lists)
def test_aggregate_cases_come_back(rewards: RewardList) -> None:
    """Every drawn case of `aggregate` survives encoding and decoding."""
    again = AGGREGATE.decode(json.loads(canonical(AGGREGATE.encode(AggregateCase("mean", rewards)))))

    assert compare(list(rewards), list(again.rewards)) is None


@given(trial_lists)
def test_pass_at_k_cases_come_back(trials: tuple[Trial, ...]) -> None:
    """Every drawn case of `pass_at_k` survives encoding and decoding."""
    encoded = canonical(PASS_AT_K.encode(PassAtKCase(trials)))

    assert encoded == canonical(PASS_AT_K.encode(PASS_AT_K.decode(json.loads(encoded))))


@pytest.mark.parametrize("operation", [OUTCOME, REASON_CODE])
def test_cases_of_vectors_come_back(operation: Operation[Any]) -> None:
    """Every golden case of an operation that draws none survives encoding and decoding."""
    for vector in read_vectors(operation.name):
        assert vector.case == operation.decode(json.loads(canonical(operation.encode(vector.case))))


@given(multi_step_trials)
def test_trial_reward_cases_come_back(trial: MultiStepTrial) -> None:
    """Every drawn case of `trial_reward` survives encoding and decoding."""
    encoded = canonical(TRIAL_REWARD.encode(trial))

    assert encoded == canonical(TRIAL_REWARD.encode(TRIAL_REWARD.decode(json.loads(encoded))))


@given(st.one_of(finished_jobs, resumed_jobs))
def test_job_stats_cases_come_back(job: Job) -> None:
    """Every drawn case of `job_stats` survives encoding and decoding."""
    encoded = canonical(JOB_STATS.encode(job))

    assert encoded == canonical(JOB_STATS.encode(JOB_STATS.decode(json.loads(encoded))))


@pytest.mark.parametrize(
    ("trial", "message"),
    [
        (MultiStepTrial(()), "one or more steps"),
        (MultiStepTrial((Step(agent="CancelledError"),)), "never cancelled"),
        (MultiStepTrial((Step(preparation=("setup", "CancelledError")),)), "never cancelled"),
        (MultiStepTrial((Step(),), start="CancelledError"), "start and stop"),
        (MultiStepTrial((Step(min_reward=2**63),)), "64-bit"),
        (MultiStepTrial((Step(min_reward={"\ud800": 1.0}),)), "surrogate"),
        (MultiStepTrial((Step(min_reward={"a": -(2**70)}),)), "64-bit"),
    ],
)
def test_trials_that_cannot_be_are_refused(trial: MultiStepTrial, message: str) -> None:
    """A multi-step trial that no task.toml can describe is refused."""
    with pytest.raises(WireError, match=message):
        TRIAL_REWARD.decode(TRIAL_REWARD.encode(trial))


@pytest.mark.parametrize("name", ["", ".", "..", "../x", "/x", "a/b", "a\0b", "x" * 300, "\ud800"])
def test_trials_live_in_folders_of_their_own(name: str) -> None:
    """A trial's name that is a path is refused, so no case can write elsewhere."""
    trial = JobTrial("agent", None, None, "task", None, name)

    with pytest.raises(WireError, match=r"folder|surrogate"):
        JOB_STATS.decode(JOB_STATS.encode(Job(1, earlier=(trial,))))


def test_literal_nans_are_said_where_there_are_any() -> None:
    """Literal nans are encoded only if a trial has any, and older cases without them can be read."""
    plain = JobTrial("agent", None, None, "task", {"a": math.nan}, "trial")
    job = Job(2, earlier=(plain, replace(plain, literal_nans=("a",))))

    encoded: Any = JOB_STATS.encode(job)

    assert [trial.get("literal_nans") for trial in encoded["earlier"]] == [None, ["a"]]
    assert [trial.literal_nans for trial in JOB_STATS.decode(encoded).earlier] == [(), ("a",)]


@pytest.mark.parametrize("keys", [("b",), ("c",), ("a", "a")])
def test_literal_nans_are_nans(keys: tuple[str, ...]) -> None:
    """Literal nans must name keys whose rewards are nan."""
    trial = JobTrial("agent", None, None, "task", {"a": math.nan, "b": 1.0}, "trial", literal_nans=keys)

    with pytest.raises(WireError, match="literal_nans"):
        JOB_STATS.decode(JOB_STATS.encode(Job(1, earlier=(trial,))))


_FILES = {"environment/": "", "instruction.md": "", "tests/test.sh": ""}


@pytest.mark.needs("utf-8")
@given(trial_scenarios)
def test_scenarios_come_back(scenario: TrialScenario) -> None:
    """Every drawn scenario of `run_trial` survives encoding and decoding."""
    assert scenario == RUN_TRIAL.decode(json.loads(canonical(RUN_TRIAL.encode(scenario))))


@pytest.mark.parametrize("name", ["/x", "../x", "a/../b", "a//b", "./a", "", "task.toml", "a\0b", "instruction.md/x"])
def test_task_files_stay_in_the_task(name: str) -> None:
    """A task's file outside its folder is refused."""
    scenario = TrialScenario(TaskFiles("", {**_FILES, name: ""}))

    with pytest.raises(WireError, match=r"path|folder"):
        RUN_TRIAL.decode(RUN_TRIAL.encode(scenario))


@pytest.mark.parametrize("name", ["x", "/", "/logs/../x", "//x", "/logs/agent/", "/logs/./x"])
def test_what_a_script_leaves_stays_in_the_sandbox(name: str) -> None:
    """A script's file outside the sandbox is refused."""
    scenario = TrialScenario(TaskFiles("", _FILES), script=Script({}, ({name: ""},)))

    with pytest.raises(WireError, match="path"):
        RUN_TRIAL.decode(RUN_TRIAL.encode(scenario))


@pytest.mark.parametrize(
    "toml", ["[agent]\nuser = 1.5", "= 1", '[environment]\nos = "windows"', "[[steps]]", 'artifacts = ["/x/.."]']
)
def test_tasks_that_cannot_be_run_are_refused(toml: str) -> None:
    """A scenario with a task that cannot be run is refused."""
    with pytest.raises(WireError, match="cannot be run"):
        RUN_TRIAL.decode(RUN_TRIAL.encode(TrialScenario(TaskFiles(toml, _FILES))))


_DAMAGED: list[object] = [
    None,
    [],
    {},
    {"trials": [1]},
    {"metric": "mean", "rewards": [[]]},
    {"text": 1},
    {"folder": "folder", "result.json": {"kind": "fifo"}},
    {"folder": "folder", "result.json": {"kind": "file"}},
]


@pytest.mark.parametrize("operation", OPERATIONS.values(), ids=OPERATIONS)
@pytest.mark.parametrize("value", _DAMAGED, ids=repr)
def test_malformed_cases_are_refused(operation: object, value: object) -> None:
    """The error about a malformed case names the operation, the place, and the expected value."""
    with pytest.raises(WireError, match=r"take|is missing"):
        operation.decode(value)  # type: ignore[attr-defined]
