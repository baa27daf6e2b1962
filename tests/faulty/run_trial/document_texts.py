"""Faults in how the documents of a trial are written: in another layout or spelling, or without its configuration."""

import re
from collections.abc import Callable
from typing import Any

from parity.driver import trial
from parity.driver.documents.result_trees import TrialRecord
from tests.faulty.fault import Patch, breaks
from tests.faulty.patches import (
    as_ascii,
    as_python_spells,
    in_milliseconds,
    indented_by_two,
    instead_of,
    patching,
    twice,
    with_texts,
)


@patching
def each_document(change: Callable[[str], str]) -> Patch:
    """The documents of a trial, written in another way."""
    return with_texts(change, trial)


@breaks("run-trial/document-layout", seen_by="test_any_trial")
@each_document
def DocumentsAreIndentedByTwo(text: str) -> str:
    """Indents the documents of a trial by two blanks."""
    return indented_by_two(text)


@breaks("run-trial/document-spelling", seen_by="test_what_is_seldom_drawn")
@each_document
def RewardsAreSpelledAsInPython(text: str) -> str:
    """Writes documents with json.dumps, which gives every exponent two digits."""
    return as_python_spells(text)


@breaks("run-trial/document-spelling", seen_by="test_any_trial")
@each_document
def DocumentsAreAscii(text: str) -> str:
    """Escapes everything in a document that is not ASCII, as json.dumps does by default."""
    return as_ascii(text)


@breaks("run-trial/duplicate-key", seen_by="test_any_trial")
@each_document
def SourcesAreWrittenTwice(text: str) -> str:
    """Writes the source of a trial twice."""
    return twice("source", text)


@breaks("run-trial/time-format", seen_by="test_any_trial")
@each_document
def TimesHaveAnOffset(text: str) -> str:
    """Writes +00:00 for UTC, as Python's isoformat does."""
    return re.sub(r'(:\d\d\.\d{6})Z"', r'\1+00:00"', text)


@breaks("run-trial/time-format", seen_by="test_any_trial")
@each_document
def TimesAreInMilliseconds(text: str) -> str:
    """Writes three digits of a second's fraction."""
    return in_milliseconds(text)


@breaks("run-trial/result-config", seen_by="test_any_trial")
@instead_of(TrialRecord, "tree")
def ResultsHaveNoConfiguration(original: Any, record: TrialRecord) -> Any:
    """Writes an empty object for the configuration into result.json."""
    return {**original(record), "config": {}}
