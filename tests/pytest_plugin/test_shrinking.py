"""Divergences of drawn cases are collected by kind and shrunk, and counts end both."""

from collections.abc import Callable

import pytest
from hypothesis import given, seed
from hypothesis import strategies as st

from parity.judging import failures
from parity.judging.checking import Checker
from parity.judging.divergence import DivergenceFound
from parity.operations.reason_code import REASON_CODE, ErrorText
from parity.pytest_plugin.drawing import seed_draws
from parity.pytest_plugin.profiles import PROFILES, find_and_shrink, scaled_settings
from parity.runners import CleanRoom
from parity.runners.asking import Clock


class _Runner(CleanRoom):
    """A runner that answers long texts wrongly in two ways, and counts the questions."""

    def __init__(self) -> None:
        super().__init__()
        self.asked = 0

    def reason_code(self, text: str | None) -> str | None:
        self.asked += 1
        if not text or len(text) < 6:
            return super().reason_code(text)
        if "c" in text:
            raise ValueError("too long")
        return "no_such_code"


@pytest.fixture
def checker() -> Checker:
    """Return a checker of the clean room and a runner that is wrong in two ways."""
    return Checker(CleanRoom(), _Runner(), Clock(Clock.DEFAULT))


def _draws(checker: Checker, count: int = 100) -> Callable[[], None]:
    @seed(1)
    @scaled_settings(count, PROFILES["default"])
    @given(st.text("abc", max_size=40))
    def test(text: str) -> None:
        checker.check(REASON_CODE, [ErrorText(text)])

    return test


def _found(checker: Checker, count: int = 100) -> dict[str, str]:
    """Return the smallest text of each divergence that a test finds, by the runner's wrong answer."""
    seed_draws(1)
    checker.begin_test()
    with pytest.raises((DivergenceFound, ExceptionGroup)) as caught:
        find_and_shrink(checker, _draws(checker, count))
    raised = caught.value.exceptions if isinstance(caught.value, ExceptionGroup) else [caught.value]
    divergences = [each.divergence for each in raised if isinstance(each, DivergenceFound)]
    return {each.difference.aspect: REASON_CODE.decode(each.case).text or "" for each in divergences}


def test_each_kind_is_shrunk_to_the_end(checker: Checker) -> None:
    """Both kinds of divergence are shrunk completely."""
    found = _found(checker)

    assert len(found) == 2
    assert set(found.values()) == {"aaaaaa", "aaaaac"}


def test_a_run_finds_the_same_again(checker: Checker) -> None:
    """Two runs with the same seed find the same divergences."""
    found = [_found(Checker(CleanRoom(), _Runner(), Clock(Clock.DEFAULT))) for _ in range(2)]

    assert found[0] == found[1]


def test_no_divergence_raises_nothing() -> None:
    """Without a divergence, all cases are drawn once, and nothing is raised."""
    runner = CleanRoom()
    checker = Checker(runner, runner, Clock(Clock.DEFAULT))
    checker.begin_test()

    find_and_shrink(checker, _draws(checker))

    assert checker.tally.operations[REASON_CODE.name].cases == 100


def test_another_error_is_raised_beside(checker: Checker) -> None:
    """Another error in the test is raised together with the divergences."""
    checker.begin_test()

    def test() -> None:
        checker.check(REASON_CODE, [ErrorText("a" * 6)])
        raise ZeroDivisionError

    with pytest.raises(ExceptionGroup) as caught:
        find_and_shrink(checker, test)

    assert [type(each) for each in caught.value.exceptions] == [DivergenceFound, ZeroDivisionError]


def test_drawing_ends_where_nothing_new_is_found(checker: Checker) -> None:
    """Drawing ends when twice as many cases as up to the last new kind show no other kind."""
    _found(checker, 5_000)

    assert checker.tally.operations[REASON_CODE.name].cases < 1_000


def test_a_test_ends_shrinking(checker: Checker, monkeypatch: pytest.MonkeyPatch) -> None:
    """A test that reaches the limit of shrinking fails with the smallest cases so far."""
    smallest = _found(checker)
    monkeypatch.setattr(failures, "MOST_IN_A_TEST", 2)

    found = _found(Checker(CleanRoom(), _Runner(), Clock(Clock.DEFAULT)))

    assert found.keys() == smallest.keys()
    assert found != smallest


def test_a_run_shrinks_what_is_new(checker: Checker, monkeypatch: pytest.MonkeyPatch) -> None:
    """A run that reaches the limit of shrinking shrinks only new kinds, and only a little."""
    monkeypatch.setattr(failures, "MOST_IN_A_RUN", 1)
    runner = checker.runner
    assert isinstance(runner, _Runner)
    _found(checker)
    before = runner.asked

    _found(checker)

    collected = checker.tally.operations[REASON_CODE.name].comparisons // 2
    assert runner.asked - before <= collected + 2 * failures.MOST_OF_A_LATER_ONE


def test_a_crash_is_not_repeated(monkeypatch: pytest.MonkeyPatch) -> None:
    """A runner that crashes too often is not asked again in this test."""

    class Crashes(_Runner):
        def reason_code(self, text: str | None) -> str | None:
            self.asked += 1
            raise SystemExit(3)

    runner = Crashes()
    monkeypatch.setattr(failures, "_MOST_CRASHES", 4)

    _found(Checker(CleanRoom(), runner, Clock(Clock.DEFAULT)))

    assert runner.asked <= 8
