"""The seed alone decides which cases are drawn."""

import pytest
from hypothesis import given, seed, settings
from hypothesis import strategies as st
from hypothesis.internal.conjecture import providers
from hypothesis.internal.constants_ast import Constants

from parity.pytest_plugin.profiles import steady_hypothesis


def _drawn() -> list[float]:
    numbers: list[float] = []

    @seed(1)
    @settings(max_examples=300, database=None)
    @given(st.floats(0, 1000))
    def draw(number: float) -> None:
        numbers.append(number)

    draw()
    return numbers


def test_what_was_drawn_before_leaves_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Hypothesis keeps constants of the modules that it has seen."""
    steady_hypothesis()
    quiet = _drawn()
    monkeypatch.setattr(providers, "_get_local_constants", lambda: Constants(floats={17.25}))
    providers.CONSTANTS_CACHE.cache.clear()
    assert 17.25 in _drawn()

    steady_hypothesis()

    assert _drawn() == quiet
