"""Faults in reading the number in reward.txt, and in what becomes of any reward."""

import math
import re
from pathlib import Path
from typing import Any

from parity.scorer import Rewards, VerifierOutputParseError
from tests.faulty.fault import Fault
from tests.faulty.read_reward.fault import changed, counting_text


class _TextFault(Fault):
    seen_by = "test_reward_txt"

    refuses: re.Pattern[str] = re.compile("(?!)")

    def read_reward(self, directory: Path) -> Rewards | None:
        """The right rewards, unless reward.txt has something that this runner refuses."""
        text = counting_text(directory)
        if text and self.refuses.search(text):
            raise VerifierOutputParseError(text)
        return super().read_reward(directory)


class AsciiDigitsOnly(_TextFault):
    """Knows the digits 0 to 9."""

    breaks = "reward-text/digits"
    refuses = re.compile(r"(?![0-9])\d")


class NoUnderscores(_TextFault):
    """Refuses underscores between digits."""

    breaks = "reward-text/underscore"
    refuses = re.compile("_")


class NoPadding(_TextFault):
    """Refuses a line end after the number."""

    breaks = "reward-text/padding"
    refuses = re.compile(r"^[ \t\r\n]+\S|\S[ \t\r\n]+$")


class AsciiPaddingOnly(_TextFault):
    """Strips ASCII white space only."""

    breaks = "reward-text/unicode-padding"
    refuses = re.compile(r"^\s*[\x85\xa0\u1680\u2000-\u3000]|[\x85\xa0\u1680\u2000-\u3000]\s*$")


class StripsSeparators(_TextFault):
    """Strips the text with `str.strip` first, which removes more than `float` does."""

    breaks = "reward-text/separators"

    def read_reward(self, directory: Path) -> Rewards | None:
        try:
            return super().read_reward(directory)
        except VerifierOutputParseError:
            text = counting_text(directory)
            if not text or not text.strip():
                raise
            try:
                return {"reward": float(text.strip())}
            except ValueError:
                raise VerifierOutputParseError from None


class FirstNumberCounts(_TextFault):
    """Searches the text for a number, like `parseFloat`."""

    breaks = "reward-text/malformed"

    def read_reward(self, directory: Path) -> Rewards | None:
        try:
            return super().read_reward(directory)
        except VerifierOutputParseError:
            found = re.match(r"\s*[+-]?\d+(\.\d+)?", counting_text(directory) or "", re.ASCII)
            if not found:
                raise
            return {"reward": float(found[0])}


class PlainDecimalsOnly(_TextFault):
    """Wants digits before and after the point, and no exponent or plus sign."""

    breaks = "reward-text/spelling"
    refuses = re.compile(r"\d[eE][+-]?\d|(?<![\d_])\.\d|\d\.(?!\d)|\+", re.ASCII)


class IntegersStay(_TextFault):
    """Gives an int where the text is one."""

    breaks = "reward-text/float"

    def read_reward(self, directory: Path) -> Rewards | None:
        text = counting_text(directory)
        if text and re.fullmatch("[0-9]{1,9}", text):
            return {"reward": int(text)}
        return super().read_reward(directory)


class _NumberFault(_TextFault):
    def change(self, number: Any) -> Any:
        raise NotImplementedError

    def read_reward(self, directory: Path) -> Rewards | None:
        """The right rewards, each float changed."""
        return changed(
            super().read_reward(directory),
            lambda number: self.change(number) if isinstance(number, float) else number,
        )


class FiniteOnly(_NumberFault):
    """Refuses nan and infinities."""

    breaks = "reward-number/non-finite"

    def change(self, number: float) -> float:
        if not math.isfinite(number):
            raise VerifierOutputParseError
        return number


class FifteenDigits(_NumberFault):
    """Keeps fifteen significant digits."""

    breaks = "reward-number/rounding"

    def change(self, number: float) -> float:
        return float(f"{number:.15g}")


class NoSubnormals(_NumberFault):
    """Flushes subnormal numbers to zero."""

    breaks = "reward-number/rounding"

    def change(self, number: float) -> float:
        return 0.0 if 0 < abs(number) < 2.3e-308 else number


class NoNegativeZero(_NumberFault):
    """Loses the sign of zero."""

    breaks = "reward-number/sign-of-zero"

    def change(self, number: float) -> float:
        return number + 0.0


class ClipsToUnitInterval(_NumberFault):
    """Clips rewards to 0..1, as HarborEnv's documentation promises."""

    breaks = "reward-number/unit-interval"

    def change(self, number: float) -> float:
        return min(max(number, 0.0), 1.0) if math.isfinite(number) and number else number
