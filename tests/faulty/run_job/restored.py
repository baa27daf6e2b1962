"""Faults of `run_job`: what a job that goes on keeps of earlier runs."""

import re
from dataclasses import replace
from typing import Any
from unittest import mock

from parity.driver.documents import resume
from parity.driver.documents.resume import EarlierRuns, ResumeError
from parity.scorer import Rewards
from tests.faulty.fault import Patch, breaks
from tests.faulty.patches import instead_of, while_patched
from tests.faulty.run_job.resume import in_earlier_runs


@breaks("run-job/resume-not-planned", seen_by="test_refusals")
@instead_of(resume, "_remaining")
def UnplannedTrialsAreKept(original: Any, settings: Any, planned: Any, host: Any, folders: Any) -> Any:
    """Keeps trials that are not planned, too."""
    try:
        return original(settings, planned, host, folders)
    except ResumeError as error:
        if error.harbor is not ValueError:  # a damaged configuration
            raise
        return list(planned[len(folders) :])


@breaks("run-job/resume-replaced-key", seen_by="test_golden")
@in_earlier_runs
def HalfPairsAreRestored(earlier: EarlierRuns, planned: Any) -> EarlierRuns:
    """Reads a key whose half surrogate pair was replaced as the key that it was."""

    def restored(rewards: Rewards | None) -> Rewards | None:
        return rewards and {re.sub("\ufffd+", "\ud800", key): value for key, value in rewards.items()}

    trials = (replace(trial, rewards=restored(trial.rewards)) for trial in earlier.trials)
    return replace(earlier, trials=tuple(trials))


@breaks("run-job/resume-same-job", seen_by="test_going_on")
@in_earlier_runs
def JobsAreRenewed(earlier: EarlierRuns, planned: Any) -> EarlierRuns:
    """Gives a job that goes on another id and another start."""
    return replace(earlier, job_id=None, started_at=None)


@breaks("run-job/resume-again", seen_by="test_going_on")
@while_patched
def CancelledTrialsAreKept() -> Patch:
    """Keeps a trial that was cancelled."""
    return mock.patch.object(resume, "CANCELLED", "")


@breaks("run-job/resume-kept", seen_by="test_going_on")
@instead_of(resume, "_trials")
def ErrorsRunAgain(original: Any, job: Any) -> Any:
    """Runs a trial again that ended with any error."""
    ended, removed = original(job)
    kept = [(folder, trial) for folder, trial in ended if trial.exception is None]
    again = [folder.name for folder, trial in ended if trial.exception is not None]
    return kept, (*removed, *again)
