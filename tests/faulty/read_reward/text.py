"""Faults in reading the number in reward.txt, and in changing rewards."""

import math
import re
from pathlib import Path

from parity.runners import CleanRoom
from parity.scorer import Rewards, VerifierOutputParseError
from tests.faulty.fault import breaks
from tests.faulty.read_reward.fault import counting_text, each_float, refused_where


@breaks("reward-text/digits", seen_by="test_reward_txt")
@refused_where
def AsciiDigitsOnly(text: str) -> object:
    """Knows the digits 0 to 9."""
    return re.search(r"(?![0-9])\d", text)


@breaks("reward-text/underscore", seen_by="test_reward_txt")
@refused_where
def NoUnderscores(text: str) -> object:
    """Refuses underscores between digits."""
    return "_" in text


@breaks("reward-text/padding", seen_by="test_reward_txt")
@refused_where
def NoPadding(text: str) -> object:
    """Refuses a line end after the number."""
    return re.search(r"^[ \t\r\n]+\S|\S[ \t\r\n]+$", text)


@breaks("reward-text/unicode-padding", seen_by="test_reward_txt")
@refused_where
def AsciiPaddingOnly(text: str) -> object:
    """Strips ASCII white space only."""
    return re.search(r"^\s*[\x85\xa0\u1680\u2000-\u3000]|[\x85\xa0\u1680\u2000-\u3000]\s*$", text)


@breaks("reward-text/separators", seen_by="test_reward_txt")
def StripsSeparators(right: CleanRoom, directory: Path) -> Rewards | None:
    """Strips the text with `str.strip` first, which removes more than `float` does."""
    try:
        return right.read_reward(directory)
    except VerifierOutputParseError:
        text = counting_text(directory)
        if not text or not text.strip():
            raise
        try:
            return {"reward": float(text.strip())}
        except ValueError:
            raise VerifierOutputParseError from None


@breaks("reward-text/malformed", seen_by="test_reward_txt")
def FirstNumberCounts(right: CleanRoom, directory: Path) -> Rewards | None:
    """Searches the text for a number, like `parseFloat`."""
    try:
        return right.read_reward(directory)
    except VerifierOutputParseError:
        found = re.match(r"\s*[+-]?\d+(\.\d+)?", counting_text(directory) or "", re.ASCII)
        if not found:
            raise
        return {"reward": float(found[0])}


@breaks("reward-text/spelling", seen_by="test_reward_txt")
@refused_where
def PlainDecimalsOnly(text: str) -> object:
    """Wants digits before and after the point, and no exponent or plus sign."""
    return re.search(r"\d[eE][+-]?\d|(?<![\d_])\.\d|\d\.(?!\d)|\+", text, re.ASCII)


@breaks("reward-text/float", seen_by="test_reward_txt")
def IntegersStay(right: CleanRoom, directory: Path) -> Rewards | None:
    """Gives an int where the text is one."""
    text = counting_text(directory)
    if text and re.fullmatch("[0-9]{1,9}", text):
        return {"reward": int(text)}
    return right.read_reward(directory)


@breaks("reward-number/non-finite", seen_by="test_reward_txt")
@each_float
def FiniteOnly(number: float) -> float:
    """Refuses nan and infinities."""
    if not math.isfinite(number):
        raise VerifierOutputParseError
    return number


@breaks("reward-number/rounding", seen_by="test_reward_txt")
@each_float
def FifteenDigits(number: float) -> float:
    """Keeps fifteen significant digits."""
    return float(f"{number:.15g}")


@breaks("reward-number/sign-of-zero", seen_by="test_reward_txt")
@each_float
def NoNegativeZero(number: float) -> float:
    """Loses the sign of zero."""
    return number + 0.0


@breaks("reward-number/unit-interval", seen_by="test_reward_txt")
@each_float
def ClipsToUnitInterval(number: float) -> float:
    """Clips rewards to 0..1, as HarborEnv's documentation promises."""
    return min(max(number, 0.0), 1.0) if math.isfinite(number) and number else number
