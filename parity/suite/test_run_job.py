"""`run_job`: whole jobs, from their plan to their result."""

import pytest
from hypothesis import given

from parity import strategies as draw
from parity.checking import Checker
from parity.driver.recorded.plays import JobPlay
from parity.operations import RUN_JOB
from parity.profiles import cases

pytestmark = pytest.mark.operation(RUN_JOB.name)


@cases(36)
@given(play=draw.job_plays())
def test_jobs(checker: Checker, play: JobPlay) -> None:
    """Which trials are run, when, and how often; their stats, and the job's files."""
    checker.check(RUN_JOB, [play])


@cases(32)
@given(play=draw.retried_plays())
def test_retries(checker: Checker, play: JobPlay) -> None:
    """Errors, and whether and when a trial is run again after them."""
    checker.check(RUN_JOB, [play])


@cases(10)
@given(play=draw.ended_plays())
def test_ends(checker: Checker, play: JobPlay) -> None:
    """A trial that is cancelled alone, or whose reward is beyond the range of a double."""
    checker.check(RUN_JOB, [play])


@cases(16)
@given(play=draw.settings_jobs())
def test_settings(checker: Checker, play: JobPlay) -> None:
    """Several agents, models and metrics, mounted sandboxes, some of the tasks, no attempts, many trials at a time."""
    checker.check(RUN_JOB, [play])


def test_many_trials(checker: Checker) -> None:
    """A hundred of them, nine at a time."""
    checker.check(RUN_JOB, [draw.many_trials()])


@cases(12)
@given(play=draw.resumed_plays())
def test_going_on(checker: Checker, play: JobPlay) -> None:
    """A job whose earlier runs ended, were killed, or left nothing: what is kept, and what runs again."""
    checker.check(RUN_JOB, [play])


@cases(36)
@given(play=draw.damaged_plays())
def test_refusals(checker: Checker, play: JobPlay) -> None:
    """A job that was run with other settings, or whose files are not what they should be."""
    checker.check(RUN_JOB, [play])


def test_decisions(checker: Checker) -> None:
    """Whether an error is retried, under each way to include or exclude it."""
    for play in draw.decided_plays():
        checker.check(RUN_JOB, [play])


def test_what_is_seldom_drawn(checker: Checker) -> None:
    """A trial without rewards is run again, and taken out of the stats before that; rewards are nan."""
    for play in draw.seldom_jobs():
        checker.check(RUN_JOB, [play])
