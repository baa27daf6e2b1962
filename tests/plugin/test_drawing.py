"""Tests that drawn numbers stay in their range."""

import sys
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, seed
from hypothesis import strategies as st

from parity.plugin.profiles import PROFILES, scaled_settings


@pytest.mark.parametrize(
    ("numbers", "low", "high"),
    [
        (st.floats, 0.0, 1.0),
        (st.floats, 5e-324, 5e-324),
        (st.floats, -sys.float_info.max, -1e300),
        (st.floats, 1e15, 1e308),
        (st.integers, None, None),
        (st.integers, 10**60, None),
        (st.integers, None, -(10**60)),
        (st.integers, 3, 3),
    ],
)
def test_numbers_stay_in_their_range(
    numbers: Callable[[Any, Any], st.SearchStrategy[Any]], low: Any, high: Any
) -> None:
    """Drawn numbers stay in their range, even if it contains few floats, or one bound is missing."""
    drawn: list[Any] = []

    @seed(1)
    @scaled_settings(200, PROFILES["default"])
    @given(numbers(low, high))
    def draw(number: Any) -> None:
        drawn.append(number)

    draw()

    assert drawn
    assert [n for n in drawn if (low is not None and n < low) or (high is not None and n > high)] == []
