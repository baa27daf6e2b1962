"""Faults of `run_job`: which trials are run again, when, and what counts of that."""

from collections.abc import Callable
from dataclasses import replace
from types import SimpleNamespace
from typing import Any
from unittest import mock

from parity.driver import job as running
from parity.driver.settings import RetrySettings
from parity.operations.scenarios.records import Record
from tests.faulty.fault import Patch, breaks
from tests.faulty.patches import instead_of, patching, while_patched
from tests.faulty.run_job.fault import in_record, in_retries


@patching
def deciding(decide: Callable[[str, RetrySettings], bool]) -> Patch:
    """Another function decides whether an error is retried."""
    return mock.patch.object(running, "is_retried", decide)


@breaks("run-job/retry-limit", seen_by="test_retries")
@in_retries
def OneRunMore(retry: RetrySettings) -> RetrySettings:
    """Runs a trial once more than it may."""
    return replace(retry, max_retries=retry.max_retries + 1)


@breaks("run-job/no-error-no-retry", seen_by="test_jobs")
@instead_of(running, "run_trial")
async def EveryTrialIsRunAgain(original: Any, trial: Any, context: Any, on_moment: Any) -> Any:
    """Runs a trial again that has no error."""
    record = await original(trial, context, on_moment)
    return record if record.failure else await original(trial, context, on_moment)


@breaks("run-job/excluded", seen_by="test_retries")
@in_retries
def ExcludedErrorsAreRetried(retry: RetrySettings) -> RetrySettings:
    """Runs a trial again after an error that is excluded."""
    return replace(retry, exclude=None)


@breaks("run-job/included", seen_by="test_retries")
@in_retries
def InclusionIsIgnored(retry: RetrySettings) -> RetrySettings:
    """Runs a trial again after any error that is not excluded."""
    return replace(retry, include=None)


@breaks("run-job/excluded-beats-included", seen_by="test_decisions")
@deciding
def InclusionWins(error: str, retry: RetrySettings) -> bool:
    """Runs a trial again after an error that is included, even if it is excluded."""
    if retry.include:
        return error in retry.include
    return not retry.exclude or error not in retry.exclude


@breaks("run-job/retried", seen_by="test_retries")
@deciding
def NothingIsRetried(error: str, retry: RetrySettings) -> bool:
    """Runs every trial once."""
    return False


@breaks("run-job/longest-wait", seen_by="test_retries")
@in_retries
def WaitsAreNotCut(retry: RetrySettings) -> RetrySettings:
    """Waits longer than the longest that is allowed."""
    return replace(retry, max_wait_sec=1e9)


@breaks("run-job/waits", seen_by="test_decisions")
@in_retries
def WaitsAreNotMultiplied(retry: RetrySettings) -> RetrySettings:
    """Waits as long before each further run."""
    return replace(retry, wait_multiplier=1.0)


@breaks("run-job/folder-anew", seen_by="test_retries")
@while_patched
def FolderIsKept() -> Patch:
    """Lets a further run write into the folder of the one before."""
    return mock.patch.object(running, "shutil", SimpleNamespace(rmtree=lambda *path, **options: None))


@breaks("run-job/retries-counted", seen_by="test_retries")
@in_record
def FurtherRunsAreNotCounted(record: Record) -> None:
    """Does not count further runs."""
    record["files"]["result.json"]["stats"]["n_retries"] = 0


@breaks("run-job/last-run-counts", seen_by="test_retries")
@in_record
def EveryRunCounts(record: Record) -> None:
    """Counts a trial that was run again once for each of its runs."""
    again = sum(len(trial["calls"]) - 1 for trial in record["trials"].values())
    record["files"]["result.json"]["stats"]["n_completed_trials"] += again
