"""Faults in how the documents of a job are written: in another layout or spelling."""

import re
from collections.abc import Callable

from parity.driver import job, job_progress
from tests.faulty.fault import Patch, breaks
from tests.faulty.patches import (
    as_python_spells,
    indented_by_two,
    patching,
    twice,
    with_texts,
)


@patching
def each_document(change: Callable[[str], str]) -> Patch:
    """The documents of a job, written in another way; those of its trials are as they should be."""
    return with_texts(change, job, job_progress)


@breaks("run-job/document-layout", seen_by="test_jobs")
@each_document
def JobsAreIndentedByTwo(text: str) -> str:
    """Indents the documents of a job by two blanks."""
    return indented_by_two(text)


@breaks("run-job/document-spelling", seen_by="test_jobs")
@each_document
def JobsAreSpelledAsInPython(text: str) -> str:
    """Writes the documents of a job with json.dumps, which gives every exponent two digits."""
    return as_python_spells(text)


@breaks("run-job/duplicate-key", seen_by="test_jobs")
@each_document
def RetriesAreWrittenTwice(text: str) -> str:
    """Writes how often a job retries twice."""
    return twice("max_retries", text)


@breaks("run-job/time-format", seen_by="test_jobs")
@each_document
def JobsAreInUtc(text: str) -> str:
    """Writes the times of a job as if in UTC, like those of its trials."""
    return re.sub(r'(:\d\d\.\d{6})"', r'\1Z"', text)
