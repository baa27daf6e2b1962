"""Faults in how environments read a reward under the documentation's scoring; golden vectors catch each."""

import json
import re
from abc import abstractmethod
from unittest import mock

from parity.harbor_env import verifying
from parity.harbor_env.scoring import Score, documented_score
from parity.operations.harbor_env.recorded.scenario import EnvScenario, TaskScenario
from parity.operations.scenarios.records import Record
from tests.faulty.harbor_env.fault import DocumentedFault

_UNREADABLE = "?"


class ReadingFault(DocumentedFault):
    """One that takes the file that counts for another text."""

    seen_by = "test_golden"

    @abstractmethod
    def taken(self, text: str) -> str:
        """The text that is read in place of the one that is there."""

    def harbor_env(self, scenario: EnvScenario) -> Record:
        def misread(text: str) -> Score:
            return documented_score(self.taken(text))

        with mock.patch.object(verifying, "documented_score", misread):
            return super().harbor_env(scenario)

    def rolled_out(self, rollout: Record, task: TaskScenario, scenario: EnvScenario) -> None:
        """What is read is wrong already."""


def _unless(found: re.Match[str] | None, text: str) -> str:
    """The text, or one that is no reward where something was found in it."""
    return text if found is None else _UNREADABLE


class NumbersBeginWithADigit(ReadingFault):
    """Reads no number in `.5`."""

    breaks = "documented-env/number"

    def taken(self, text: str) -> str:
        return _unless(re.match(r"\s*[+-]?\.", text), text)


class NumbersEndWithADigit(ReadingFault):
    """Reads no number in `5.`."""

    breaks = "documented-env/number"

    def taken(self, text: str) -> str:
        return _unless(re.search(r"\.\s*$", text), text)


class PlusIsNoSign(ReadingFault):
    """Reads no number in `+1`."""

    breaks = "documented-env/number"

    def taken(self, text: str) -> str:
        return _unless(re.match(r"\s*\+", text), text)


class ExponentsAreNoNumbers(ReadingFault):
    """Reads no number in `1e-3`, and none in `5E-1`."""

    breaks = "documented-env/number"

    def taken(self, text: str) -> str:
        return _unless(re.fullmatch(r"[\s\d.+-]+e[\s\d+-]+", text, re.IGNORECASE), text)


class NumbersAreAscii(ReadingFault):
    """Reads no digits but 0 to 9."""

    breaks = "documented-env/number"

    def taken(self, text: str) -> str:
        return _unless(re.fullmatch(r"[\d.]+", text.strip()) if not text.isascii() else None, text)


class PaddingIsAscii(ReadingFault):
    """Takes only blanks, tabs and line ends from around a number."""

    breaks = "documented-env/number"

    def taken(self, text: str) -> str:
        kept = text.strip(" \t\r\n")
        return kept if kept == kept.strip() else _UNREADABLE


class TextIsLatin1(ReadingFault):
    """Decodes the file byte by byte."""

    breaks = "documented-env/number"

    def taken(self, text: str) -> str:
        return text.encode(errors="replace").decode("latin-1")


class NumbersAreThoseOfJson(ReadingFault):
    """Reads the file with a JSON parser only."""

    breaks = "documented-env/number"

    def taken(self, text: str) -> str:
        try:
            json.loads(text)
        except (ValueError, RecursionError):
            return _UNREADABLE
        return text


class NumbersMayGoOn(ReadingFault):
    """Reads the number that a text begins with, as C and JavaScript do."""

    breaks = "documented-env/zero"

    def taken(self, text: str) -> str:
        number = re.match(r"\s*[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?", text, re.IGNORECASE)
        return number[0] if number else text


class LastLineCounts(ReadingFault):
    """Reads the last of several lines."""

    breaks = "documented-env/zero"

    def taken(self, text: str) -> str:
        lines = text.split()
        return lines[-1] if lines and not text.lstrip().startswith("{") else text


class CommasArePoints(ReadingFault):
    """Reads `0,5` as a half."""

    breaks = "documented-env/zero"

    def taken(self, text: str) -> str:
        return text.replace(",", ".") if re.fullmatch(r"[\d,\s]+", text) else text


class NumbersMayBeHexadecimal(ReadingFault):
    """Reads `0x10` as 16."""

    breaks = "documented-env/zero"

    def taken(self, text: str) -> str:
        return str(int(text, 16)) if re.fullmatch(r"0x[0-9a-f]+", text) else text


class PercentIsAHundredth(ReadingFault):
    """Reads `50%` as a half."""

    breaks = "documented-env/zero"

    def taken(self, text: str) -> str:
        return str(float(text[:-1]) / 100) if re.fullmatch(r"\d+%", text) else text


class JsonMayBeLoose(ReadingFault):
    """Reads JSON with a comma too many, and with numbers that JSON does not have."""

    breaks = "documented-env/zero"

    def taken(self, text: str) -> str:
        return re.sub(r": \+?\.?(\d)\.?,?}", r": \1}", text)


class PythonIsJson(ReadingFault):
    """Reads a dict of Python's as JSON."""

    breaks = "documented-env/zero"

    def taken(self, text: str) -> str:
        return text.replace("'", '"').replace("True", "true")


class FirstDocumentCounts(ReadingFault):
    """Reads the first of two documents."""

    breaks = "documented-env/zero"

    def taken(self, text: str) -> str:
        return text.partition("}")[0] + "}" if (text.startswith("{") and "{" not in text[1:]) or "\n{" in text else text
