"""Faults in how jobs go on from the files of earlier runs."""

from dataclasses import replace
from pathlib import Path
from typing import Any
from unittest import mock

from parity.driver import job as running
from parity.driver.documents import resume
from parity.driver.documents.resume import EarlierRuns
from tests.faulty.fault import Patch, breaks
from tests.faulty.patches import instead_of, while_patched


@breaks("run-job/resume-settings", seen_by="test_golden")
@instead_of(resume, "_check_settings")
def OtherSettingsGoOn(original: Any, *arguments: Any) -> None:
    """Goes on with whatever settings it has now."""


@breaks("run-job/resume-same-job", seen_by="test_golden")
@instead_of(running, "resume")
def JobsAreRenewed(original: Any, *arguments: Any, **options: Any) -> EarlierRuns | None:
    """Gives a job that goes on another id and another start."""
    earlier: EarlierRuns | None = original(*arguments, **options)
    return earlier and replace(earlier, job_id=None, started_at=None)


@breaks("run-job/resume-again", seen_by="test_golden")
@while_patched
def CancelledTrialsAreKept() -> Patch:
    """Keeps a trial that was cancelled."""
    return mock.patch.object(resume, "CANCELLED", "")


@breaks("run-job/resume-kept", seen_by="test_golden")
@instead_of(resume, "_trials")
def ErrorsRunAgain(original: Any, job: Path) -> Any:
    """Runs a trial again that ended with any error."""
    ended, again = original(job)
    kept = {folder: file for folder, file in ended.items() if file.trial.exception is None}
    return kept, [*again, *(ended.keys() - kept.keys())]
