"""Faults in how jobs go on from what earlier runs left, edited or written by an older version of Harbor too."""

import json
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from parity.driver import job as running
from parity.driver.documents import lock, resume
from parity.driver.documents.resume import EarlierRuns, ResumeError
from parity.formats.job_result import JobResult
from parity.scorer.from_disk import documents
from parity.scorer.from_disk.files import FolderError
from parity.scorer.from_disk.trial_score import TRIAL_RESULT
from tests.faulty.fault import Patch, breaks
from tests.faulty.patches import instead_of, patching, replaced


@patching
def in_earlier_runs(change: Callable[[EarlierRuns, Any], EarlierRuns]) -> Patch:
    """Jobs that go on from something else than what they should; given that, and the planned trials."""

    def changed(original: Any) -> Any:
        def found(settings: Any, planned: Any, **options: Any) -> EarlierRuns | None:
            earlier = original(settings, planned, **options)
            return None if earlier is None else change(earlier, planned)

        return found

    return replaced(running, "resume", changed)


@patching
def in_documents(change: Callable[[Any, Any], Any]) -> Patch:
    """Change what is read from documents: a function of the model and the JSON value, which may both be wrong."""

    def changed(original: Any) -> Any:
        def read(path: Any, model: Any, content: bytes) -> Any:
            try:
                document = json.loads(content)
            except ValueError:
                return original(path, model, content)
            try:
                return original(path, model, json.dumps(change(model, document)).encode())
            except KeyError as error:
                raise FolderError(path, f"{error.args[0]} is wrong") from None

        return read

    return replaced(documents, "document_of", changed)


@breaks("run-job/resume-not-finite", seen_by="test_refusals")
@in_documents
def LostRewardsGoOn(model: Any, document: Any) -> Any:
    """Takes a reward that was written as null for nan, and goes on."""
    return _without_nulls(document) if model is TRIAL_RESULT else document


def _without_nulls(value: Any) -> Any:
    if isinstance(value, list):
        return [_without_nulls(item) for item in value]
    if not isinstance(value, dict):
        return value
    plain = {name: _without_nulls(item) for name, item in value.items()}
    if isinstance(plain.get("rewards"), dict):
        plain["rewards"] = {key: float("nan") if item is None else item for key, item in plain["rewards"].items()}
    return plain


@breaks("run-job/resume-damaged", seen_by="test_refusals")
@instead_of(resume, "_trial")
def DamagedTrialsRunAgain(original: Any, folder: Any) -> Any:
    """Runs a trial again whose result cannot be read."""
    try:
        return original(folder)
    except ResumeError:
        return None


@breaks("run-job/resume-without-config", seen_by="test_golden")
@instead_of(resume, "_check_fresh")
def NoConfigurationIsFresh(original: Any, job: Any) -> None:
    """Starts anew in a folder with a result.json and no config.json."""


@breaks("run-job/resume-lock", seen_by="test_refusals")
@instead_of(running, "kept_lock")
def AnyLockIsKept(original: Any, path: Any, fresh: Any) -> Any:
    """Writes its own lock.json over whatever an earlier run left."""
    return fresh


@breaks("run-job/resume-otherwise", seen_by="test_refusals")
@in_documents
def UnknownFieldsAreRefused(model: Any, document: Any) -> Any:
    """Refuses a document that holds what no model knows."""
    _refuse_unknown(document)
    return document


def _refuse_unknown(value: Any) -> None:
    members = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    if isinstance(value, dict) and {"unknown", "more"} & value.keys():
        raise KeyError("unknown")
    for member in members:
        _refuse_unknown(member)


@breaks("run-job/resume-settings", seen_by="test_refusals")
@instead_of(resume, "_check_settings")
def OtherSettingsGoOn(original: Any, *arguments: Any) -> None:
    """Goes on with whatever settings it has now."""


@breaks("run-job/resume-legacy-retries", seen_by="test_edited_documents")
@instead_of(documents, "document_of")
def RetriesOfStatusAreForgotten(original: Any, path: Any, model: Any, content: bytes) -> Any:
    """Takes no retries where the stats have none, whatever `status` says."""
    read = original(path, model, content)
    if model is JobResult:
        stats = json.loads(content).get("stats")
        if not isinstance(stats, dict) or "n_retries" not in stats:
            read.stats.n_retries = 0
    return read


@breaks("run-job/resume-legacy-damaged", seen_by="test_edited_documents")
@instead_of(documents, "document_of")
def OlderCountsAreNotChecked(original: Any, path: Any, model: Any, content: bytes) -> Any:
    """Takes anything for a count that an older version of Harbor wrote."""
    try:
        return original(path, model, content)
    except FolderError:
        with suppress(ValueError, KeyError, TypeError, AttributeError):
            document = json.loads(content)
            stats = {name: count for name, count in document["stats"].items() if name not in ("n_trials", "n_errors")}
            return original(path, model, json.dumps({**document, "status": None, "stats": stats}).encode())
        raise


@breaks("run-job/resume-lock-digests", seen_by="test_edited_documents")
@instead_of(lock, "_digests")
def FilesInALockDoNotCount(original: Any, files: Any) -> Any:
    """Goes on whichever instructions and Compose files a lock.json lists."""
    return None
