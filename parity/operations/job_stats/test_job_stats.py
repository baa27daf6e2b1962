"""Tests that `job_stats` computes the stats in a job's result.json like the reference."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis.stateful import RuleBasedStateMachine, initialize, rule

from parity.operations.job_stats import JOB_STATS
from parity.operations.job_stats.strategies import (
    begun_jobs,
    finished_jobs,
    large_jobs,
    live_trials,
    resumed_jobs,
    trial_names,
)
from parity.plugin.profiles import cases, run_machine
from parity.plugin.vector_test import golden_test
from parity.scorer.job import Event, Job, JobTrial
from parity.suite.checker import Checker

pytestmark = pytest.mark.operation(JOB_STATS.name)


@cases(440)
@given(job=finished_jobs)
def test_finished_jobs(checker: Checker, job: Job) -> None:
    """Runner and reference write the same stats for finished jobs, character by character."""
    checker.check(JOB_STATS, [job])


@cases(55)
@given(job=resumed_jobs)
def test_resumed_jobs(checker: Checker, job: Job) -> None:
    """Runner and reference write the same stats for resumed jobs that have ended or are still running."""
    checker.check(JOB_STATS, [job])


@cases(3)
@given(jobs=large_jobs)
def test_large_jobs(checker: Checker, jobs: list[Job]) -> None:
    """Runner and reference write the same stats for jobs with many trials, many groups, and long reward keys."""
    checker.check(JOB_STATS, jobs)


class LiveJob(RuleBasedStateMachine):
    """A state machine for a running job. Trials start, end, and are retried, replaced and cancelled in any order."""

    checker: Checker

    @initialize(job=begun_jobs)
    def begin(self, job: Job) -> None:
        """Begin the job, or resume it after an earlier run."""
        self.job = job
        self._compare()

    @rule(name=trial_names)
    def start(self, name: str) -> None:
        """Start a trial, for the first time or again."""
        self._receive(Event("start", name))

    @rule(trial=live_trials)
    def end(self, trial: JobTrial) -> None:
        """End a trial, or replace the result of one that has ended."""
        self._receive(Event("end", trial.name, trial))

    @rule(name=trial_names)
    def cancel(self, name: str) -> None:
        """Begin to cancel a trial."""
        self._receive(Event("cancel", name))

    def _receive(self, event: Event) -> None:
        self.job = replace(self.job, events=(*self.job.events, event))
        self._compare()

    def _compare(self) -> None:
        self.checker.check(JOB_STATS, [self.job])

    def teardown(self) -> None:
        """End the job."""
        if hasattr(self, "job"):
            self.checker.check(JOB_STATS, [replace(self.job, finished=True)])


@cases(24)
def test_interim_stats(checker: Checker) -> None:
    """Runner and reference write the same interim stats after every event, and the same final stats."""
    machine = type("LiveJob", (LiveJob,), {"checker": checker})

    run_machine(machine, test_interim_stats)


test_golden = golden_test(JOB_STATS)
