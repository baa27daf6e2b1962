"""Tests that values round-trip through the wire form exactly."""

import json
import math
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from parity.operations import OPERATIONS
from parity.operations.compare import compare
from parity.operations.job_stats import JOB_STATS
from parity.operations.run_job import RUN_JOB
from parity.operations.run_trial import RUN_TRIAL
from parity.operations.scenarios.scenario import JobScenario, TaskFiles, TrialScenario
from parity.operations.scenarios.scripted_sandbox import Script
from parity.operations.trial_reward import TRIAL_REWARD
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
from parity.scorer import Job, JobTrial, MultiStepTrial, Step

_scalars = st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), st.text())
_values = st.recursive(_scalars, lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner), max_leaves=6)


@given(_values.filter(lambda value: not _looks_like_a_number(value)))
def test_value_round_trips(value: object) -> None:
    """A value round-trips through JSON with its type and its bits."""
    carried = json.loads(canonical(encode(value)))

    assert compare(value, decode(carried)) is None


def _looks_like_a_number(value: object) -> bool:
    if isinstance(value, dict):
        marked = len(value) == 1 and {*value} <= {"f64", "int"} and isinstance(next(iter(value.values())), str)
        return marked or any(map(_looks_like_a_number, value.values()))
    return isinstance(value, list) and any(map(_looks_like_a_number, value))


@given(st.floats())
def test_reward_key_is_not_read_as_a_number(number: float) -> None:
    """A reward key that is spelled like a number marker is read as a key, because its value is a number."""
    rewards = {"f64": number}

    assert compare(rewards, decode(encode(rewards))) is None


@given(st.binary() | st.builds(lambda byte, n: byte * n, st.binary(min_size=1, max_size=1), st.integers(60, 70)))
def test_bytes_round_trip(content: bytes) -> None:
    """Bytes round-trip as text, as hex, and as a repeated piece."""
    assert content == decode_bytes(encode_bytes(content))


def test_repeated_piece_is_written_once() -> None:
    """Bytes that repeat a piece of up to four bytes are written as the piece and a count."""
    assert encode_bytes(b"11_" * 100) == {"utf8": "11_", "times": 100}
    assert encode_bytes(b"12345" * 100) == {"utf8": "12345" * 100}


@pytest.mark.parametrize("digits", [1, 4299, 4300, 4301, 9000])
@pytest.mark.parametrize("sign", [1, -1])
def test_integer_of_any_size_round_trips(digits: int, sign: int) -> None:
    """An integer of any size round-trips, even beyond Python's limit of 4300 digits."""
    number = sign * (10**digits - 7)

    assert number == int_from_text(int_to_text(number))


@pytest.mark.parametrize(
    "value",
    [{"f64": "0"}, {"f64": "zz"}, {"int": "1.5"}, {"int": ""}, {"int": "+1"}, {"int": "١"}],
    ids=repr,
)
def test_malformed_number_is_refused(value: object) -> None:
    """A malformed number is refused with the required form."""
    with pytest.raises(WireError, match="must"):
        decode(value)  # type: ignore[arg-type]


@pytest.mark.parametrize("value", [None, {}, {"utf8": 1}, {"hex": "f"}, {"utf8": "a", "times": 0}], ids=repr)
def test_malformed_content_is_refused(value: object) -> None:
    """Malformed bytes are refused with the required form."""
    with pytest.raises(WireError, match="must"):
        decode_bytes(value)  # type: ignore[arg-type]


def test_value_without_a_wire_form_is_refused() -> None:
    """A value of a type that has no wire form is refused."""
    with pytest.raises(WireError, match="set has no form"):
        encode({1, 2})
    with pytest.raises(WireError, match="key of type float"):
        encode({0.5: 1})


@pytest.mark.parametrize(
    ("trial", "message"),
    [
        (MultiStepTrial(()), "one or more steps"),
        (MultiStepTrial((Step(agent="CancelledError"),)), "must not have the error CancelledError"),
        (MultiStepTrial((Step(preparation=("setup", "CancelledError")),)), "must not have the error CancelledError"),
        (MultiStepTrial((Step(),), start="CancelledError"), "as start or stop"),
        (MultiStepTrial((Step(min_reward=2**63),)), "64-bit"),
        (MultiStepTrial((Step(min_reward={"\ud800": 1.0}),)), "surrogate"),
        (MultiStepTrial((Step(min_reward={"a": -(2**70)}),)), "64-bit"),
    ],
)
def test_impossible_trial_is_refused(trial: MultiStepTrial, message: str) -> None:
    """A multi-step trial that task.toml cannot describe is refused."""
    with pytest.raises(WireError, match=message):
        TRIAL_REWARD.decode(TRIAL_REWARD.encode(trial))


@pytest.mark.parametrize("name", ["", ".", "..", "../x", "/x", "a/b", "a\0b", "x" * 300, "\ud800"])
def test_trial_name_that_is_a_path_is_refused(name: str) -> None:
    """A trial name that is a path is refused, so that no case can write to another directory."""
    trial = JobTrial("agent", None, None, "task", None, name)

    with pytest.raises(WireError, match=r"directory|surrogate"):
        JOB_STATS.decode(JOB_STATS.encode(Job(1, earlier=(trial,))))


def test_literal_nans_are_encoded_only_if_there_are_any() -> None:
    """Literal nans are encoded only if a trial has any, and cases without the key can be read."""
    plain = JobTrial("agent", None, None, "task", {"a": math.nan}, "trial")
    job = Job(2, earlier=(plain, replace(plain, literal_nans=("a",))))

    encoded: Any = JOB_STATS.encode(job)

    assert [trial.get("literal_nans") for trial in encoded["earlier"]] == [None, ["a"]]
    assert [trial.literal_nans for trial in JOB_STATS.decode(encoded).earlier] == [(), ("a",)]


@pytest.mark.parametrize("keys", [("b",), ("c",), ("a", "a")])
def test_literal_nan_for_another_number_is_refused(keys: tuple[str, ...]) -> None:
    """Each key that is listed as a literal nan must have nan as its reward."""
    trial = JobTrial("agent", None, None, "task", {"a": math.nan, "b": 1.0}, "trial", literal_nans=keys)

    with pytest.raises(WireError, match="literal_nans"):
        JOB_STATS.decode(JOB_STATS.encode(Job(1, earlier=(trial,))))


_FILES = {"environment/": "", "instruction.md": "", "tests/test.sh": ""}


@pytest.mark.parametrize("name", ["/x", "../x", "a/../b", "a//b", "./a", "", "task.toml", "a\0b", "instruction.md/x"])
def test_file_outside_the_task_is_refused(name: str) -> None:
    """A task's file is refused if its path leads out of the task's directory."""
    scenario = TrialScenario(TaskFiles("", {**_FILES, name: ""}))

    with pytest.raises(WireError, match=r"path|directory"):
        RUN_TRIAL.decode(RUN_TRIAL.encode(scenario))


@pytest.mark.parametrize("name", ["x", "/", "/logs/../x", "//x", "/logs/agent/", "/logs/./x"])
def test_file_outside_the_sandbox_is_refused(name: str) -> None:
    """A script's file is refused if its path leads out of the sandbox."""
    scenario = TrialScenario(TaskFiles("", _FILES), script=Script({}, ({name: ""},)))

    with pytest.raises(WireError, match="path"):
        RUN_TRIAL.decode(RUN_TRIAL.encode(scenario))


@pytest.mark.parametrize(
    "toml", ["[agent]\nuser = 1.5", "= 1", '[environment]\nos = "windows"', "[[steps]]", 'artifacts = ["/x/.."]']
)
def test_scenario_with_an_invalid_task_is_decoded(toml: str) -> None:
    """A task that cannot be run is a case like any other: each side answers with its error."""
    trial = TrialScenario(TaskFiles(toml, _FILES))
    job = JobScenario((trial.task,))

    decoded = RUN_TRIAL.decode(RUN_TRIAL.encode(trial)), RUN_JOB.decode(RUN_JOB.encode(job))

    assert decoded == (trial, job)


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
def test_malformed_case_is_refused(operation: object, value: object) -> None:
    """The error about a malformed case states the operation, the place, and the expected value."""
    with pytest.raises(WireError, match=r"must|is missing"):
        operation.decode(value)  # type: ignore[attr-defined]
