"""Faults in how documents are written: the same in another layout or spelling, or without its configuration."""

import json
import re
from abc import abstractmethod
from collections.abc import Callable
from contextlib import ExitStack
from types import ModuleType
from typing import Any

from parity.driver import job, job_progress, trial
from parity.driver.documents.result_trees import TrialRecord
from tests.faulty.job_runs import RecordedJobFault
from tests.faulty.trial_fault import Patch, TrialFault, replaced

type Change = Callable[[str], str]


def _with_texts(change: Change, *modules: ModuleType) -> Patch:
    """Documents of these modules are written in another way."""
    stack = ExitStack()
    for module in modules:
        stack.enter_context(replaced(module, "text_of", lambda original: lambda tree: change(original(tree))))
    return stack


class _TrialTextFault(TrialFault):
    """A runner that writes the documents of a trial in another way."""

    @abstractmethod
    def written(self, text: str) -> str:
        """The text of a document as this runner writes it."""

    def wrong(self) -> Patch:
        return _with_texts(self.written, trial)


class _JobTextFault(RecordedJobFault):
    """A runner that writes the documents of a job in another way; those of its trials are as they should be."""

    seen_by = "test_jobs"

    @abstractmethod
    def written(self, text: str) -> str:
        """The text of a document as this runner writes it."""

    def wrong(self) -> Patch:
        return _with_texts(self.written, job, job_progress)


def _indented_by_two(text: str) -> str:
    return re.sub(r"(?m)^ +", lambda blanks: blanks[0][::2], text)


def _as_python_spells(text: str) -> str:
    return re.sub(r"(\de[+-])(\d)\b", r"\g<1>0\2", text)


def _as_ascii(text: str) -> str:
    return re.sub(r"[^\x00-\x7f]", lambda found: json.dumps(found[0])[1:-1], text)


def _twice(key: str) -> Change:
    return lambda text: re.sub(rf'(\n +"{key}": [^\n]*,)', r"\1\1", text)


def _in_milliseconds(text: str) -> str:
    return re.sub(r"(T\d\d:\d\d:\d\d\.\d{3})\d{3}", r"\1", text)


class DocumentsAreIndentedByTwo(_TrialTextFault):
    """Indents the documents of a trial by two blanks."""

    breaks = "run-trial/document-layout"

    def written(self, text: str) -> str:
        return _indented_by_two(text)


class DocumentsEndInALineBreak(_TrialTextFault):
    """Ends a trial's result.json in a line break, as text files do."""

    breaks = "run-trial/document-layout"

    def written(self, text: str) -> str:
        return f"{text}\n" if '"trial_uri"' in text else text


class RewardsAreSpelledAsInPython(_TrialTextFault):
    """Writes documents with json.dumps, which gives every exponent two digits."""

    breaks = "run-trial/document-spelling"

    def written(self, text: str) -> str:
        return _as_python_spells(text)


class DocumentsAreAscii(_TrialTextFault):
    """Escapes everything in a document that is not ASCII, as json.dumps does by default."""

    breaks = "run-trial/document-spelling"

    def written(self, text: str) -> str:
        return _as_ascii(text)


class SourcesAreWrittenTwice(_TrialTextFault):
    """Writes the source of a trial twice."""

    breaks = "run-trial/duplicate-key"

    def written(self, text: str) -> str:
        return _twice("source")(text)


class TimesHaveAnOffset(_TrialTextFault):
    """Writes +00:00 for UTC, as Python's isoformat does."""

    breaks = "run-trial/time-format"

    def written(self, text: str) -> str:
        return re.sub(r'(:\d\d\.\d{6})Z"', r'\1+00:00"', text)


class TimesAreInMilliseconds(_TrialTextFault):
    """Writes three digits of a second's fraction."""

    breaks = "run-trial/time-format"

    def written(self, text: str) -> str:
        return _in_milliseconds(text)


class TimesAreInSeconds(_TrialTextFault):
    """Writes no fraction of a second."""

    breaks = "run-trial/time-format"

    def written(self, text: str) -> str:
        return re.sub(r"(T\d\d:\d\d:\d\d)\.\d{6}", r"\1", text)


class ErrorsAreInUtc(_TrialTextFault):
    """Writes when an error occurred as if in UTC, like all other times of a trial."""

    breaks = "run-trial/time-format"

    def written(self, text: str) -> str:
        return re.sub(r'("occurred_at": "[^"]*)"', r'\1Z"', text)


class ResultsHaveNoConfiguration(TrialFault):
    """Writes an empty object for the configuration into result.json."""

    breaks = "run-trial/result-config"

    def wrong(self) -> Patch:
        return replaced(TrialRecord, "tree", lambda original: lambda record: {**original(record), "config": {}})


class ResultsNameTheAgentAlone(TrialFault):
    """Writes the variables of an agent into result.json as none."""

    breaks = "run-trial/result-config"

    def wrong(self) -> Patch:
        def changed(original: Any) -> Any:
            def tree(record: TrialRecord) -> Any:
                texts = original(record)
                config = json.loads(texts["config"].text)
                config["agent"]["env"] = {}
                return {**texts, "config": config}

            return tree

        return replaced(TrialRecord, "tree", changed)


class JobsAreIndentedByTwo(_JobTextFault):
    """Indents the documents of a job by two blanks."""

    breaks = "run-job/document-layout"

    def written(self, text: str) -> str:
        return _indented_by_two(text)


class JobsAreSpelledAsInPython(_JobTextFault):
    """Writes the documents of a job with json.dumps, which gives every exponent two digits."""

    breaks = "run-job/document-spelling"

    def written(self, text: str) -> str:
        return _as_python_spells(text)


class JobsAreAscii(_JobTextFault):
    """Escapes everything in the documents of a job that is not ASCII."""

    breaks = "run-job/document-spelling"

    def written(self, text: str) -> str:
        return _as_ascii(text)


class RetriesAreWrittenTwice(_JobTextFault):
    """Writes how often a job retries twice."""

    breaks = "run-job/duplicate-key"

    def written(self, text: str) -> str:
        return _twice("max_retries")(text)


class JobsAreInUtc(_JobTextFault):
    """Writes the times of a job as if in UTC, like those of its trials."""

    breaks = "run-job/time-format"

    def written(self, text: str) -> str:
        return re.sub(r'(:\d\d\.\d{6})"', r'\1Z"', text)


class JobsAreInMilliseconds(_JobTextFault):
    """Writes three digits of a second's fraction, in the lock too."""

    breaks = "run-job/time-format"

    def written(self, text: str) -> str:
        return _in_milliseconds(text)
