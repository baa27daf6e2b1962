"""`run_job`: whole jobs, from their plan to their result."""

import pytest
from hypothesis import given

from parity.judging.checking import Checker
from parity.judging.golden_vectors import STALE, check_vectors
from parity.operations.run_job import RUN_JOB
from parity.operations.run_job.earlier_strategies import damaged_plays, resumed_plays
from parity.operations.run_job.rare_cases import seldom_jobs
from parity.operations.run_job.settings_strategies import many_trials, settings_jobs
from parity.operations.run_job.strategies import decided_plays, ended_plays, job_plays, retried_plays
from parity.operations.run_job.vectors import VECTORS
from parity.operations.scenarios.scenario import JobPlay
from parity.pytest_plugin.goldens import Goldens
from parity.pytest_plugin.profiles import cases
from parity.pytest_plugin.session import Session

pytestmark = pytest.mark.operation(RUN_JOB.name)


@cases(36)
@given(play=job_plays())
def test_jobs(checker: Checker, play: JobPlay) -> None:
    """Which trials are run, when, and how often; their stats, and the job's files."""
    checker.check(RUN_JOB, [play])


@cases(32)
@given(play=retried_plays())
def test_retries(checker: Checker, play: JobPlay) -> None:
    """Errors, and whether and when a trial is run again after them."""
    checker.check(RUN_JOB, [play])


@cases(10)
@given(play=ended_plays())
def test_ends(checker: Checker, play: JobPlay) -> None:
    """A trial that is cancelled alone, or whose reward is beyond the range of a double."""
    checker.check(RUN_JOB, [play])


@cases(16)
@given(play=settings_jobs())
def test_settings(checker: Checker, play: JobPlay) -> None:
    """Several agents, models and metrics, mounted sandboxes, some of the tasks, no attempts, many trials at a time."""
    checker.check(RUN_JOB, [play])


def test_many_trials(checker: Checker) -> None:
    """A hundred of them, nine at a time."""
    checker.check(RUN_JOB, [many_trials()])


@cases(12)
@given(play=resumed_plays())
def test_going_on(checker: Checker, play: JobPlay) -> None:
    """A job whose earlier runs ended, were killed, or left nothing: what is kept, and what runs again."""
    checker.check(RUN_JOB, [play])


@cases(36)
@given(play=damaged_plays())
def test_refusals(checker: Checker, play: JobPlay) -> None:
    """A job that was run with other settings, or whose files are not what they should be."""
    checker.check(RUN_JOB, [play])


def test_decisions(checker: Checker) -> None:
    """Whether an error is retried, under each way to include or exclude it."""
    for play in decided_plays():
        checker.check(RUN_JOB, [play])


def test_what_is_seldom_drawn(checker: Checker) -> None:
    """A trial without rewards is run again, and taken out of the stats before that; rewards are nan."""
    for play in seldom_jobs():
        checker.check(RUN_JOB, [play])


def test_golden(session: Session, golden: Goldens) -> None:
    """Recorded answers, the wheel and the runner agree on every vector."""
    document = check_vectors(RUN_JOB, VECTORS, session.checker, session.identity.series, recording=golden.recording)

    assert golden.holds(RUN_JOB.name, document), STALE
