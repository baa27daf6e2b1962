"""Draws the random choices from which cases are made, from the seed alone.

Hypothesis's own source of choices also takes constants from the loaded modules, including the runner's. Then the cases
of a seed, and the rules that they reach, would depend on the runner. This module is a backend for Hypothesis: see
"Alternative backends" in its documentation. Hypothesis turns the choices into cases, and shrinks them.
"""

import struct
from math import inf, isnan
from random import Random
from typing import Any, ClassVar

from hypothesis.internal.conjecture.providers import AVAILABLE_PROVIDERS, PrimitiveProvider

BACKEND = "parity"
_LARGEST = 2**128
_HARD_FLOATS = (
    *(0.0, -0.0, 0.5, 1.0, -1.0, 1.1, 1 / 3, 1e-5, 1e5, 2.0**53, 2.0**53 + 2, 1e16, 2.0**63, 1e22),
    *(1.7976931348623157e308, -1.7976931348623157e308, 2.2250738585072014e-308, 5e-324, inf, -inf, float("nan")),
)


class SeededDraws(PrimitiveProvider):
    """Draws every choice of one test."""

    lifetime = "test_function"
    seed: ClassVar[int] = 0
    """The seed of the test that runs."""

    def __init__(self, case: None, /) -> None:
        super().__init__(case)
        self._random = Random(self.seed)

    def draw_boolean(self, p: float = 0.5) -> bool:
        """Draw True with this probability."""
        return self._random.random() < p

    def draw_integer(
        self,
        min_value: int | None = None,
        max_value: int | None = None,
        *,
        weights: dict[int, float] | None = None,
        shrink_towards: int = 0,
    ) -> int:
        """Draw an integer in a range: one of the weighted numbers, or else any number in the range."""
        point = self._random.random()
        for number, weight in (weights or {}).items():
            point -= weight
            if point < 0:
                return number
        low = min_value if min_value is not None else min(-_LARGEST, (max_value or 0) - _LARGEST)
        high = max_value if max_value is not None else max(_LARGEST, low + _LARGEST)
        return self._random.randint(low, high)

    def draw_float(
        self,
        *,
        min_value: float = -inf,
        max_value: float = inf,
        allow_nan: bool = True,
        smallest_nonzero_magnitude: float,
    ) -> float:
        """Draw a number in a range: a hard one, a bound, an evenly distributed one, a small one, or random bits."""

        def is_allowed(number: float) -> bool:
            if isnan(number):
                return allow_nan
            return min_value <= number <= max_value and (number == 0 or abs(number) >= smallest_nonzero_magnitude)

        while True:
            number = self._draw_any_float(min_value, max_value)
            if is_allowed(number):
                return number

    def _draw_any_float(self, low: float, high: float) -> float:
        match self._random.randrange(8):
            case 0:
                return self._random.choice(_HARD_FLOATS)
            case 1:
                return self._random.choice([low, high])
            case 2 | 3:
                return float(self._random.randint(-100, 100))
            case 4 | 5:
                bits: tuple[float] = struct.unpack("<d", self._random.randbytes(8))
                return bits[0]
            case _:
                return self._random.uniform(max(low, -1e9), min(high, 1e9))

    def draw_string(self, intervals: Any, *, min_size: int = 0, max_size: int = 10**10) -> str:
        """Draw a string of these characters. Simple characters are more frequent."""
        if not len(intervals):
            return ""
        most = len(intervals) - 1
        return "".join(
            intervals.char_in_shrink_order(self._random.randint(0, self._random.choice([most, min(most, 255)])))
            for _ in range(self._draw_size(min_size, max_size))
        )

    def draw_bytes(self, min_size: int = 0, max_size: int = 10**10) -> bytes:
        """Draw random bytes."""
        return self._random.randbytes(self._draw_size(min_size, max_size))

    def _draw_size(self, least: int, most: int) -> int:
        size, average = least, min(max(least * 2, least + 5), (least + most) / 2)
        while size < most and self._random.random() < 1 - 1 / (1 + average - least):
            size += 1
        return size


AVAILABLE_PROVIDERS[BACKEND] = SeededDraws


def seed_draws(number: int) -> None:
    """Use this seed for the choices of the next test."""
    SeededDraws.seed = number
