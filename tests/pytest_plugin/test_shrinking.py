"""Shrinking ends by counts, in a test and in a run."""

import pytest
from hypothesis import given, seed, settings
from hypothesis import strategies as st

from parity.pytest_plugin import shrinking
from parity.pytest_plugin.profiles import steady_hypothesis


class _WrongError(Exception):
    """What a test finds."""


class _OtherError(_WrongError):
    """What it finds of another class."""


def _found(kind: type[_WrongError] = _WrongError) -> tuple[list[int], int]:
    """What a test that fails for long lists is failed by, and how often it was called after that was seen first."""
    failed: list[list[int]] = []
    calls = 0

    @seed(1)
    @settings(max_examples=100, database=None, deadline=None)
    @given(st.lists(st.integers(), max_size=40))
    def fails(numbers: list[int]) -> None:
        nonlocal calls
        calls += bool(failed)
        if sum(numbers) > 1_000 and len(numbers) > 5:
            failed.append(numbers)
            raise kind

    with pytest.raises(kind):
        fails()
    return failed[-1], calls


def test_a_few_faults_are_shrunk_to_the_end() -> None:
    """One of a class and one of another."""
    steady_hypothesis()

    smallest = [_found()[0], _found(_OtherError)[0]]

    assert smallest == [[0, 0, 0, 0, 0, 1_001]] * 2


def test_a_test_ends_shrinking(monkeypatch: pytest.MonkeyPatch) -> None:
    """After so many calls it fails with what it has."""
    steady_hypothesis()
    smallest, most = _found()
    monkeypatch.setattr(shrinking, "MOST_IN_A_TEST", 10)

    numbers, calls = _found()

    assert sum(numbers) > sum(smallest)
    assert calls < most


def test_a_run_shrinks_what_is_new(monkeypatch: pytest.MonkeyPatch) -> None:
    """After so many calls only what no earlier test has shrunk, and that a little, until the next run begins."""
    steady_hypothesis()
    monkeypatch.setattr(shrinking, "MOST_IN_A_RUN", 10)
    smallest, _ = _found()

    again, other = _found()[0], _found(_OtherError)[0]
    steady_hypothesis()
    anew = _found()[0]

    assert smallest == anew
    assert len(smallest) <= len(other) < len(again)
