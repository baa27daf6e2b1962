"""Faults in how environments read a reward under the documentation's scoring; golden vectors catch each."""

import json
import re
from collections.abc import Callable
from unittest import mock

from parity.harbor_env import verifying
from parity.harbor_env.scoring import documented_score
from tests.faulty.fault import Patch, breaks
from tests.faulty.patches import patching

_UNREADABLE = "?"


@patching
def read_as(taken: Callable[[str], str]) -> Patch:
    """Rewards under the documentation's scoring, of another text than the one that is there."""
    return mock.patch.object(verifying, "documented_score", lambda text: documented_score(taken(text)))


def _unless(found: re.Match[str] | None, text: str) -> str:
    """The text, or one that is no reward where something was found in it."""
    return text if found is None else _UNREADABLE


@breaks("documented-env/number", seen_by="test_golden")
@read_as
def NumbersBeginWithADigit(text: str) -> str:
    """Reads no number in `.5`."""
    return _unless(re.match(r"\s*[+-]?\.", text), text)


@breaks("documented-env/number", seen_by="test_golden")
@read_as
def NumbersEndWithADigit(text: str) -> str:
    """Reads no number in `5.`."""
    return _unless(re.search(r"\.\s*$", text), text)


@breaks("documented-env/number", seen_by="test_golden")
@read_as
def PlusIsNoSign(text: str) -> str:
    """Reads no number in `+1`."""
    return _unless(re.match(r"\s*\+", text), text)


@breaks("documented-env/number", seen_by="test_golden")
@read_as
def ExponentsAreNoNumbers(text: str) -> str:
    """Reads no number in `1e-3`, and none in `5E-1`."""
    return _unless(re.fullmatch(r"[\s\d.+-]+e[\s\d+-]+", text, re.IGNORECASE), text)


@breaks("documented-env/number", seen_by="test_golden")
@read_as
def NumbersAreAscii(text: str) -> str:
    """Reads no digits but 0 to 9."""
    return _unless(re.fullmatch(r"[\d.]+", text.strip()) if not text.isascii() else None, text)


@breaks("documented-env/number", seen_by="test_golden")
@read_as
def PaddingIsAscii(text: str) -> str:
    """Takes only blanks, tabs and line ends from around a number."""
    kept = text.strip(" \t\r\n")
    return kept if kept == kept.strip() else _UNREADABLE


@breaks("documented-env/number", seen_by="test_golden")
@read_as
def TextIsLatin1(text: str) -> str:
    """Decodes the file byte by byte."""
    return text.encode(errors="replace").decode("latin-1")


@breaks("documented-env/number", seen_by="test_golden")
@read_as
def NumbersAreThoseOfJson(text: str) -> str:
    """Reads the file with a JSON parser only."""
    try:
        json.loads(text)
    except (ValueError, RecursionError):
        return _UNREADABLE
    return text


@breaks("documented-env/zero", seen_by="test_golden")
@read_as
def NumbersMayGoOn(text: str) -> str:
    """Reads the number that a text begins with, as C and JavaScript do."""
    number = re.match(r"\s*[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?", text, re.IGNORECASE)
    return number[0] if number else text


@breaks("documented-env/zero", seen_by="test_golden")
@read_as
def LastLineCounts(text: str) -> str:
    """Reads the last of several lines."""
    lines = text.split()
    return lines[-1] if lines and not text.lstrip().startswith("{") else text


@breaks("documented-env/zero", seen_by="test_golden")
@read_as
def CommasArePoints(text: str) -> str:
    """Reads `0,5` as a half."""
    return text.replace(",", ".") if re.fullmatch(r"[\d,\s]+", text) else text


@breaks("documented-env/zero", seen_by="test_golden")
@read_as
def NumbersMayBeHexadecimal(text: str) -> str:
    """Reads `0x10` as 16."""
    return str(int(text, 16)) if re.fullmatch(r"0x[0-9a-f]+", text) else text


@breaks("documented-env/zero", seen_by="test_golden")
@read_as
def PercentIsAHundredth(text: str) -> str:
    """Reads `50%` as a half."""
    return str(float(text[:-1]) / 100) if re.fullmatch(r"\d+%", text) else text


@breaks("documented-env/zero", seen_by="test_golden")
@read_as
def JsonMayBeLoose(text: str) -> str:
    """Reads JSON with a comma too many, and with numbers that JSON does not have."""
    return re.sub(r": \+?\.?(\d)\.?,?}", r": \1}", text)


@breaks("documented-env/zero", seen_by="test_golden")
@read_as
def PythonIsJson(text: str) -> str:
    """Reads a dict of Python's as JSON."""
    return text.replace("'", '"').replace("True", "true")


@breaks("documented-env/zero", seen_by="test_golden")
@read_as
def FirstDocumentCounts(text: str) -> str:
    """Reads the first of two documents."""
    return text.partition("}")[0] + "}" if (text.startswith("{") and "{" not in text[1:]) or "\n{" in text else text
