"""Faults in reading the number in reward.txt, and faulty changes to rewards that were read."""

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
    """Accepts no digits except 0 to 9."""
    return re.search(r"(?![0-9])\d", text)


@breaks("reward-text/underscore", seen_by="test_reward_txt")
@refused_where
def NoUnderscores(text: str) -> object:
    """Refuses underscores between digits."""
    return "_" in text


@breaks("reward-text/padding", seen_by="test_reward_txt")
@refused_where
def NoPadding(text: str) -> object:
    """Refuses white space around the number, even a line end."""
    return re.search(r"^[ \t\r\n]+\S|\S[ \t\r\n]+$", text)


@breaks("reward-text/unicode-padding", seen_by="test_reward_txt")
@refused_where
def AsciiPaddingOnly(text: str) -> object:
    """Refuses white space around the number that is not ASCII."""
    return re.search(r"^\s*[\x85\xa0\u1680\u2000-\u3000]|[\x85\xa0\u1680\u2000-\u3000]\s*$", text)


@breaks("reward-text/malformed", seen_by="test_reward_txt")
def FirstNumberCounts(right: CleanRoom, directory: Path) -> Rewards | None:
    """Reads the number at the beginning of the text, and ignores the rest, like JavaScript's `parseFloat`."""
    try:
        return right.read_reward(directory)
    except VerifierOutputParseError:
        match = re.match(r"\s*[+-]?\d+(\.\d+)?", counting_text(directory) or "", re.ASCII)
        if not match:
            raise
        return {"reward": float(match[0])}


@breaks("reward-text/spelling", seen_by="test_reward_txt")
@refused_where
def PlainDecimalsOnly(text: str) -> object:
    """Requires digits before and after a decimal point, and refuses exponents and plus signs."""
    return re.search(r"\d[eE][+-]?\d|(?<![\d_])\.\d|\d\.(?!\d)|\+", text, re.ASCII)


@breaks("reward-text/float", seen_by="test_reward_txt")
def IntegersStay(right: CleanRoom, directory: Path) -> Rewards | None:
    """Returns an int if the text is an integer."""
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
    """Rounds rewards to fifteen significant digits."""
    return float(f"{number:.15g}")


@breaks("reward-number/sign-of-zero", seen_by="test_reward_txt")
@each_float
def NoNegativeZero(number: float) -> float:
    """Loses the sign of zero."""
    return number + 0.0


@breaks("reward-number/unit-interval", seen_by="test_reward_txt")
@each_float
def ClipsToUnitInterval(number: float) -> float:
    """Clips rewards to the range from 0 to 1, as HarborEnv's documentation promises."""
    return min(max(number, 0.0), 1.0) if math.isfinite(number) and number else number
