"""Tests that without running trials, the reference computes the same stats as real jobs of the wheel.

The jobs are random. The scorer is compared with the same jobs.
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path

import pytest
from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st
from pydantic import ValidationError

from parity.operations.files.directories import scratch_directory
from parity.reference.jobs import stats_text
from parity.scorer import Job, job_stats
from tests.jobs.histories import History, run_history
from tests.jobs.plans import RealJobPlan
from tests.jobs.strategies import job_plans

_RUNS = 200

_drawn = settings(
    max_examples=_RUNS,  # each example is one run or more
    deadline=None,
    database=None,
    derandomize=True,
    phases=(Phase.generate,),
    suppress_health_check=list(HealthCheck),
)


@dataclass
class _Seen:
    """Counts the features of the random jobs, so that the test can check that none is missing."""

    runs: int = 0
    kinds: Counter[str] = field(default_factory=Counter)

    def count(self, history: History) -> None:
        """Count a run of a job."""
        self.runs += 1
        self.kinds["resumed"] += bool(history.job.earlier)
        self.kinds[type(history.error).__name__] += 1
        for trial in (event.trial for event in history.job.events if event.trial):
            self.kinds["literal nan"] += bool(trial.literal_nans)
            nans = sum(value != value for value in (trial.rewards or {}).values())
            self.kinds["other nan"] += nans > len(trial.literal_nans)


@pytest.mark.needs("utf-8")
def test_stats_equal_those_of_real_jobs() -> None:
    """In 200 runs of jobs, some resumed and some with nan, huge ints or unknown datasets, the stats are equal."""
    seen = _Seen()

    @_drawn
    @seed(2)  # with this seed, no feature is missing below
    @given(plan=job_plans, kill_after=st.sampled_from([None, 1, 2, 3]))
    def hold(plan: RealJobPlan, kill_after: int | None) -> None:
        if seen.runs < _RUNS:
            with scratch_directory() as directory:
                for history in _runs(directory, plan, kill_after, seen.kinds):
                    seen.count(history)
                    _assert_answered(history)

    hold()

    assert seen.runs >= _RUNS
    for kind in ("NoneType", "OverflowError", "IndexError", "resumed", "not resumable", "literal nan", "other nan"):
        assert seen.kinds[kind] > 2, seen.kinds


def _runs(directory: Path, plan: RealJobPlan, kill_after: int | None, kinds: Counter[str]) -> Iterator[History]:
    """Yield the history of a job, and of a second run if the job was killed or failed and can be resumed."""
    history = run_history(directory, plan, kill_after=kill_after)
    yield history
    if kill_after is None and history.error is None:
        return
    left = history.job.events if kill_after is None else ()
    written = {path.parent.name for path in directory.glob("job/*/result.json")}
    try:
        yield run_history(directory, plan)
    except ValidationError:
        kinds["not resumable"] += 1
        last = {event.name: event.trial for event in left}
        ended = tuple(trial for trial in last.values() if trial)
        # Otherwise the job may not have received the run with the nan.
        if ended and len(ended) == len(last) and last.keys() == written:
            job = Job(len(ended), (), plan.metrics, (), ended)
            assert _answers(job) == {"ValidationError"}


def _assert_answered(history: History) -> None:
    """Check that the answers to the whole run, and to its first events, equal what the job wrote or raised."""
    job = history.job
    ended_with = history.stats if history.error is None else type(history.error).__name__
    lived = len(job.events) if history.failed_at is None else history.failed_at

    assert _answers(job) == {ended_with}
    for number in range(lived):
        so_far = replace(job, events=job.events[: number + 1], finished=False)
        assert job_stats(so_far) == history.written[number]
        if number in (lived // 2, lived - 1):
            assert stats_text(so_far) == history.written[number]
    if history.failed_at is not None:
        assert _answers(replace(job, events=job.events[: lived + 1], finished=False)) == {ended_with}


def _answers(job: Job) -> set[str]:
    """Return the different answers of reference and scorer; an error is represented by its name."""
    answers = set()
    for ask in (stats_text, job_stats):
        try:
            answers.add(ask(job))
        except (OverflowError, IndexError, ValueError) as error:
            answers.add(type(error).__name__)
    return answers
