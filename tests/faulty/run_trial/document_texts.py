"""Faults in how the documents of a trial are written: in another layout or spelling, or without its configuration."""

import json
import re
from abc import abstractmethod
from typing import Any

from parity.driver import trial
from parity.driver.documents.result_trees import TrialRecord
from tests.faulty.patches import (
    Patch,
    as_ascii,
    as_python_spells,
    in_milliseconds,
    indented_by_two,
    replaced,
    twice,
    with_texts,
)
from tests.faulty.run_trial.fault import TrialFault


class _TrialTextFault(TrialFault):
    """A runner that writes the documents of a trial in another way."""

    @abstractmethod
    def written(self, text: str) -> str:
        """The text of a document as this runner writes it."""

    def wrong(self) -> Patch:
        return with_texts(self.written, trial)


class DocumentsAreIndentedByTwo(_TrialTextFault):
    """Indents the documents of a trial by two blanks."""

    breaks = "run-trial/document-layout"

    def written(self, text: str) -> str:
        return indented_by_two(text)


class DocumentsEndInALineBreak(_TrialTextFault):
    """Ends a trial's result.json in a line break, as text files do."""

    breaks = "run-trial/document-layout"

    def written(self, text: str) -> str:
        return f"{text}\n" if '"trial_uri"' in text else text


class RewardsAreSpelledAsInPython(_TrialTextFault):
    """Writes documents with json.dumps, which gives every exponent two digits."""

    breaks = "run-trial/document-spelling"

    def written(self, text: str) -> str:
        return as_python_spells(text)


class DocumentsAreAscii(_TrialTextFault):
    """Escapes everything in a document that is not ASCII, as json.dumps does by default."""

    breaks = "run-trial/document-spelling"

    def written(self, text: str) -> str:
        return as_ascii(text)


class SourcesAreWrittenTwice(_TrialTextFault):
    """Writes the source of a trial twice."""

    breaks = "run-trial/duplicate-key"

    def written(self, text: str) -> str:
        return twice("source")(text)


class TimesHaveAnOffset(_TrialTextFault):
    """Writes +00:00 for UTC, as Python's isoformat does."""

    breaks = "run-trial/time-format"

    def written(self, text: str) -> str:
        return re.sub(r'(:\d\d\.\d{6})Z"', r'\1+00:00"', text)


class TimesAreInMilliseconds(_TrialTextFault):
    """Writes three digits of a second's fraction."""

    breaks = "run-trial/time-format"

    def written(self, text: str) -> str:
        return in_milliseconds(text)


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
