"""result.json of a trial has the text that the wheel writes."""

from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from parity.driver.documents.configurations import PlannedTrial, trial_config_tree
from parity.driver.documents.result_trees import (
    Failure,
    RecordedStep,
    Timing,
    TrialRecord,
    VerifierResult,
    failure_of,
)
from parity.driver.documents.writing import write_text
from parity.driver.settings import JobSettings
from parity.scorer.from_disk.trial_file import read_trial
from parity.scorer.result_text import text_of
from tests.driver.job_settings import texts
from tests.wheel_documents import exception_text, reloaded, timing_text

_ID = UUID("12345678-1234-4234-8234-123456789abc")
_utc = st.datetimes(min_value=datetime(1970, 1, 2), timezones=st.just(UTC))
_timings = st.none() | st.builds(Timing, st.none() | _utc, st.none() | _utc)
_numbers = st.integers(-(10**12), 10**12) | st.floats(allow_nan=False, allow_infinity=False)
_rewards = st.none() | st.builds(VerifierResult, st.none() | st.dictionaries(texts, _numbers, max_size=3))
_failures = st.none() | st.builds(Failure, texts, texts, texts, st.datetimes(min_value=datetime(1970, 1, 2)))
_steps = st.builds(RecordedStep, texts, st.booleans(), _rewards, _failures, _timings, _timings)


@st.composite
def _records(draw: st.DrawFn) -> TrialRecord:
    """Draw records of trials that ended at any point."""
    task, source = Path("tasks", "a"), draw(st.none() | texts)
    config = trial_config_tree(JobSettings("job"), PlannedTrial(task, source, "a__1234567"), job_id=str(_ID))
    record = TrialRecord(
        draw(st.uuids()), draw(texts), "a__1234567", Path("jobs/job/ä b"), task, source, "0" * 64, config,
        "oracle", "1.0.0", draw(_utc),
    )  # fmt: skip
    record.agent_ran = draw(st.booleans())
    record.verifier_result, record.failure = draw(_rewards), draw(_failures)
    record.finished_at = draw(st.none() | _utc)
    record.environment_setup, record.agent_setup = draw(_timings), draw(_timings)
    record.agent_execution, record.verifier = draw(_timings), draw(_timings)
    record.steps = draw(st.none() | st.lists(_steps, max_size=2))
    return record


@pytest.mark.needs("utf-8")
@given(_records())
def test_a_result_is_written_as_in_harbor(record: TrialRecord) -> None:
    """The wheel reads a trial's result.json, and writes it with the same text."""
    text = text_of(record.tree())

    assert text == reloaded("trial result", text)


@pytest.mark.needs("utf-8")
@given(_records())
def test_stats_see_a_trial_as_its_file_has_it(record: TrialRecord) -> None:
    """The job's stats get the same trial from a record and from its result.json."""
    written = record.job_trial()

    with TemporaryDirectory() as folder:
        write_text(Path(folder, "result.json"), text_of(record.tree()))
        read = read_trial(Path(folder)).trial

    assert written == read


@given(st.none() | _utc, st.none() | _utc)
def test_times_are_spelled_as_in_harbor(started: datetime | None, finished: datetime | None) -> None:
    """Times have microseconds only if they are not zero, as in Harbor."""
    assert text_of(Timing(started, finished).tree()) == timing_text(started, finished)


@pytest.mark.parametrize(
    "error", [ValueError("a\n'ä'"), KeyError("a"), RuntimeError(), KeyboardInterrupt(), OSError(2, "x")]
)
def test_an_error_is_recorded_as_in_harbor(error: BaseException) -> None:
    """An error is recorded with its class name, message and traceback, as in Harbor."""
    now = datetime(2026, 1, 2, 3, 4, 5, 6)
    try:
        raise error
    except BaseException as caught:
        expected = exception_text(caught, now)
        record = replace(failure_of(caught), occurred_at=now)

    assert expected == text_of(record.tree())


def test_an_error_may_name_what_is_not_utf_8() -> None:
    """An error may contain text that is not UTF-8, although the wheel cannot write such a result."""
    record = Failure("OSError", "a\udcff", "\ud800", datetime(2026, 1, 2))

    text = text_of(record.tree())

    assert '"a\\\\udcff"' in text
    assert '"\\\\ud800"' in text


def test_a_phase_takes_time() -> None:
    """A phase is timed from its beginning to its end, in UTC."""
    with Timing() as timing:
        pass

    assert timing.started_at is not None
    assert timing.finished_at is not None
    assert timing.started_at <= timing.finished_at
    assert str(timing.tree()["started_at"]).endswith("Z")
