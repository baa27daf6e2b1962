"""Faults of `run_job`: what a job that goes on keeps of earlier runs."""

import re
from dataclasses import replace
from typing import Any
from unittest import mock

from parity.driver.documents import resume
from parity.driver.documents.resume import EarlierRuns, ResumeError
from tests.faulty.patches import Patch, replaced
from tests.faulty.run_job.resume import ResumeFault, with_earlier


class UnplannedTrialsAreKept(ResumeFault):
    """Keeps trials that are not planned, too."""

    breaks = "run-job/resume-not-planned"

    def wrong(self) -> Patch:
        def changed(original: Any) -> Any:
            def remaining(settings: Any, planned: Any, host: Any, folders: Any, configs: Any) -> Any:
                try:
                    return original(settings, planned, host, folders, configs)
                except ResumeError:
                    return list(planned[len(folders) :])

            return remaining

        return replaced(resume, "_remaining", changed)


class HalfPairsAreRestored(ResumeFault):
    """Reads a key whose half surrogate pair was replaced as the key that it was."""

    breaks = "run-job/resume-replaced-key"
    seen_by = "test_golden"

    def wrong(self) -> Patch:
        def restored(earlier: EarlierRuns, planned: Any) -> EarlierRuns:
            trials = [
                replace(
                    trial,
                    rewards=trial.rewards
                    and {re.sub("\ufffd+", "\ud800", key): value for key, value in trial.rewards.items()},
                )
                for trial in earlier.trials
            ]
            return replace(earlier, trials=tuple(trials))

        return with_earlier(restored)


class JobsAreRenewed(ResumeFault):
    """Gives a job that goes on another id and another start."""

    breaks = "run-job/resume-same-job"
    seen_by = "test_going_on"

    def wrong(self) -> Patch:
        return with_earlier(lambda earlier, planned: replace(earlier, job_id=None, started_at=None))


class RetriesAreForgotten(ResumeFault):
    """Counts retries from 0 when a job goes on."""

    breaks = "run-job/resume-same-job"
    seen_by = "test_going_on"

    def wrong(self) -> Patch:
        return with_earlier(lambda earlier, planned: replace(earlier, n_retries=0))


class CancelledTrialsAreKept(ResumeFault):
    """Keeps a trial that was cancelled."""

    breaks = "run-job/resume-again"
    seen_by = "test_going_on"

    def wrong(self) -> Patch:
        return mock.patch.object(resume, "CANCELLED", "")


class RemainsAreKept(ResumeFault):
    """Does not remove what is left of a trial that did not end."""

    breaks = "run-job/resume-again"
    seen_by = "test_going_on"

    def wrong(self) -> Patch:
        return mock.patch.object(resume, "_remove")


class NothingIsKept(ResumeFault):
    """Runs every trial again."""

    breaks = "run-job/resume-kept"
    seen_by = "test_going_on"

    def wrong(self) -> Patch:
        return with_earlier(lambda earlier, planned: replace(earlier, trials=(), remaining=tuple(planned)))


class ErrorsRunAgain(ResumeFault):
    """Runs a trial again that ended with any error."""

    breaks = "run-job/resume-kept"
    seen_by = "test_going_on"

    def wrong(self) -> Patch:
        def changed(original: Any) -> Any:
            def trials(job: Any) -> Any:
                ended, removed = original(job)
                kept = [(folder, trial) for folder, trial in ended if trial.exception is None]
                again = [folder.name for folder, trial in ended if trial.exception is not None]
                return kept, (*removed, *again)

            return trials

        return replaced(resume, "_trials", changed)
