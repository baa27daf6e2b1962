"""Faults in what a job takes from a lock.json that was edited, and from a result.json of an older version of Harbor."""

import json
import re
from contextlib import suppress
from typing import Any
from unittest import mock

from parity.driver.documents import kept_lock
from parity.formats import lock
from parity.formats.job_result import JobResult
from parity.scorer.from_disk import documents
from parity.scorer.from_disk.files import FolderError
from tests.faulty.fault import Patch, breaks
from tests.faulty.patches import instead_of, while_patched


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


@breaks("run-job/resume-lock-digests", seen_by="test_golden")
@while_patched
def AnyDigestIsTaken() -> Patch:
    """Takes any text in a lock.json for a digest."""
    return mock.patch.object(lock, "_DIGEST", re.compile("(?s:.*)"))


@breaks("run-job/resume-lock-digests", seen_by="test_edited_documents")
@instead_of(kept_lock, "_without")
def PathsInALockCount(original: Any, member: str, value: Any) -> Any:
    """Goes on with no lock.json whose agent has other skills, or whose environment other Compose files."""
    return value


@breaks("run-job/resume-lock-digests", seen_by="test_edited_documents")
@instead_of(kept_lock, "_digests")
def FilesInALockDoNotCount(original: Any, files: Any) -> Any:
    """Goes on whichever instructions and Compose files a lock.json lists."""
    return None
