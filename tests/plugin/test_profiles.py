"""Only the seed decides which cases are drawn."""

import sys
from pathlib import Path

import pytest
from hypothesis import given, seed, settings
from hypothesis import strategies as st

from parity.suite.plugin.drawing import seed_draws
from parity.suite.plugin.profiles import PROFILES, scaled_settings


def _drawn(drawing: settings) -> list[tuple[float, int, str, bytes]]:
    drawn: list[tuple[float, int, str, bytes]] = []

    @seed(1)
    @drawing
    @given(st.tuples(st.floats(), st.integers(), st.text(max_size=3), st.binary(max_size=3)))
    def draw(values: tuple[float, int, str, bytes]) -> None:
        drawn.append(values)

    seed_draws(1)
    draw()
    return drawn


def test_constants_of_a_runner_change_no_case(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Constants in a loaded module do not change the drawn cases, as they would with Hypothesis's own source."""
    drawing = scaled_settings(100, PROFILES["default"])
    alone = _drawn(drawing)
    constants = ["17.25", "92233720", "'odd'", *(f"{number}.125" for number in range(1000))]
    (tmp_path / "runner_with_constants.py").write_text(f"CONSTANTS = ({', '.join(constants)})\n")
    monkeypatch.syspath_prepend(tmp_path)
    __import__("runner_with_constants")

    again = _drawn(drawing)

    assert repr(again) == repr(alone)


@pytest.mark.parametrize(("low", "high"), [(0.0, 1.0), (5e-324, 5e-324), (-sys.float_info.max, -1e300), (1e15, 1e308)])
def test_floats_stay_in_their_range(low: float, high: float) -> None:
    """Drawn floats stay in their range, even if it contains few floats."""
    drawn: list[float] = []

    @seed(1)
    @scaled_settings(200, PROFILES["default"])
    @given(st.floats(low, high))
    def draw(number: float) -> None:
        drawn.append(number)

    draw()

    assert drawn
    assert [number for number in drawn if not low <= number <= high] == []


@pytest.mark.parametrize(("low", "high"), [(None, None), (10**60, None), (None, -(10**60)), (3, 3)])
def test_integers_stay_in_their_range(low: int | None, high: int | None) -> None:
    """Drawn integers stay in their range, even if one bound is missing."""
    drawn: list[int] = []

    @seed(1)
    @scaled_settings(200, PROFILES["default"])
    @given(st.integers(low, high))
    def draw(number: int) -> None:
        drawn.append(number)

    draw()

    assert drawn
    assert [n for n in drawn if (low is not None and n < low) or (high is not None and n > high)] == []
