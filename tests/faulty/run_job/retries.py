"""Faults of `run_job`: which trials are run again, when, and what counts of that."""

from dataclasses import replace
from types import SimpleNamespace
from typing import Any
from unittest import mock

from parity.driver import job as running
from parity.driver.settings import RetrySettings
from parity.operations.scenarios.records import Record
from tests.faulty.patches import Patch, replaced
from tests.faulty.run_job.fault import JobFault, JobRecordFault
from tests.faulty.run_job.runs import with_decision, with_retry


class OneRunMore(JobFault):
    """Runs a trial once more than it may."""

    breaks = "run-job/retry-limit"

    def wrong(self) -> Patch:
        return with_retry(lambda retry: replace(retry, max_retries=retry.max_retries + 1))


class EveryTrialIsRunAgain(JobFault):
    """Runs a trial again that has no error."""

    breaks = "run-job/no-error-no-retry"
    seen_by = "test_jobs"

    def wrong(self) -> Patch:
        def changed(original: Any) -> Any:
            async def run(trial: Any, context: Any, on_moment: Any) -> Any:
                record = await original(trial, context, on_moment)
                return record if record.failure else await original(trial, context, on_moment)

            return run

        return replaced(running, "run_trial", changed)


class ExcludedErrorsAreRetried(JobFault):
    """Runs a trial again after an error that is excluded."""

    breaks = "run-job/excluded"

    def wrong(self) -> Patch:
        return with_retry(lambda retry: replace(retry, exclude=None))


class InclusionIsIgnored(JobFault):
    """Runs a trial again after any error that is not excluded."""

    breaks = "run-job/included"

    def wrong(self) -> Patch:
        return with_retry(lambda retry: replace(retry, include=None))


class InclusionWins(JobFault):
    """Runs a trial again after an error that is included, even if it is excluded."""

    breaks = "run-job/excluded-beats-included"
    seen_by = "test_decisions"

    def wrong(self) -> Patch:
        def decide(error: str, retry: RetrySettings) -> bool:
            if retry.include:
                return error in retry.include
            return not retry.exclude or error not in retry.exclude

        return with_decision(decide)


class NothingIsRetried(JobFault):
    """Runs every trial once."""

    breaks = "run-job/retried"

    def wrong(self) -> Patch:
        return with_decision(lambda error, retry: False)


class EmptyInclusionIncludesNothing(JobFault):
    """Runs nothing again where the set of included errors is empty."""

    breaks = "run-job/retried"

    def wrong(self) -> Patch:
        def decide(error: str, retry: RetrySettings) -> bool:
            is_included = retry.include is None or error in retry.include
            return is_included and error not in (retry.exclude or ())

        return with_decision(decide)


class WaitsAreNotCut(JobFault):
    """Waits longer than the longest that is allowed."""

    breaks = "run-job/longest-wait"

    def wrong(self) -> Patch:
        return with_retry(lambda retry: replace(retry, max_wait_sec=1e9))


class WaitsAreNotMultiplied(JobFault):
    """Waits as long before each further run."""

    breaks = "run-job/waits"
    seen_by = "test_decisions"

    def wrong(self) -> Patch:
        return with_retry(lambda retry: replace(retry, wait_multiplier=1.0))


class WaitsGrowAtOnce(JobFault):
    """Multiplies the first wait already."""

    breaks = "run-job/waits"

    def wrong(self) -> Patch:
        return with_retry(lambda retry: replace(retry, min_wait_sec=retry.min_wait_sec * retry.wait_multiplier))


class FolderIsKept(JobFault):
    """Lets a further run write into the folder of the one before."""

    breaks = "run-job/folder-anew"

    def wrong(self) -> Patch:
        return mock.patch.object(running, "shutil", SimpleNamespace(rmtree=lambda *path, **options: None))


class FurtherRunsAreNotCounted(JobRecordFault):
    """Does not count further runs."""

    breaks = "run-job/retries-counted"
    seen_by = "test_retries"

    def rewritten(self, record: Record) -> Record:
        record["files"]["result.json"]["stats"]["n_retries"] = 0
        return record


class EveryRunCounts(JobRecordFault):
    """Counts a trial that was run again once for each of its runs."""

    breaks = "run-job/last-run-counts"
    seen_by = "test_retries"

    def rewritten(self, record: Record) -> Record:
        again = sum(len(trial["calls"]) - 1 for trial in record["trials"].values())
        record["files"]["result.json"]["stats"]["n_completed_trials"] += again
        return record
