"""Tests that a divergence which no golden vector shows is shrunk, and that others are only counted.

Hypothesis collects and shrinks one divergence for each rule, kind and harm.
"""

from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from time import sleep

import pytest
from hypothesis import given, seed
from hypothesis import strategies as st

from parity.operations.goldens import read_vectors
from parity.operations.read_reward import READ_REWARD, only_text
from parity.plugin.drawing import seed_draws
from parity.plugin.profiles import PROFILES, scaled_settings
from parity.runners import CleanRoom
from parity.runners.asking import Clock
from parity.scorer import Rewards
from parity.suite.checker import Checker
from parity.suite.comparer import left_out
from parity.suite.divergence import Divergence, DivergenceFound
from parity.suite.run import comparisons
from tests.outcomes import outcomes


class _Runner(CleanRoom):
    """A runner that misreads strings of more than five digits in two ways, and counts its calls."""

    def __init__(self) -> None:
        super().__init__()
        self.asked = 0

    def read_reward(self, directory: Path) -> Rewards | None:
        self.asked += 1
        text = (directory / "reward.txt").read_text()
        if len(text) < 6:
            return super().read_reward(directory)
        if "2" in text:
            raise ValueError("too long")
        return {"reward": 1e9}


class _Hangs(CleanRoom):
    """A runner that takes too long for long strings, and counts its calls."""

    asked = 0

    def read_reward(self, directory: Path) -> Rewards | None:
        self.asked += 1
        while len((directory / "reward.txt").read_text()) > 5:
            sleep(0.01)
        return super().read_reward(directory)


def _test(checker: Checker, count: int = 100, drawn: list[str] | None = None) -> Callable[[], None]:
    """Return a test that asks generated cases, and adds what it draws to a list."""

    @seed(1)
    @scaled_settings(count, PROFILES["default"])
    @given(st.text("012", min_size=1, max_size=40))
    def test(text: str) -> None:
        if drawn is not None:
            drawn.append(text)
        checker.check(READ_REWARD, [only_text(text.encode())])

    return test


def _smallest_cases(runner: CleanRoom, seconds: float = Clock.DEFAULT) -> dict[str, str]:
    """Return the smallest case of each divergence that a test finds if no vector shows any, by kind of difference."""
    checker = Checker(CleanRoom(), runner, Clock(seconds), shown={"read_reward": {}})
    seed_draws(1)
    with pytest.raises((DivergenceFound, ExceptionGroup)) as caught, checker.running(), checker.clock.installed():
        _test(checker)()
    raised = caught.value.exceptions if isinstance(caught.value, ExceptionGroup) else [caught.value]
    divergences = [each.divergence for each in raised if isinstance(each, DivergenceFound)]
    return {each.kind: READ_REWARD.describe(each.case) for each in divergences}


def test_divergence_of_each_kind_is_shrunk_completely() -> None:
    """Both kinds that no vector shows are shrunk completely, and two runs with the same seed find the same."""
    smallest = _smallest_cases(_Runner())

    assert smallest == {
        "other-value": "reward.txt: file b'000000'",
        "error-for-value": "reward.txt: file b'000002'",
    }
    assert smallest == _smallest_cases(_Runner())


def test_runner_is_not_called_again_after_a_hang() -> None:
    """After a hang, the test does not call the runner again, and the case is reported as it was found."""
    runner = _Hangs()

    smallest = _smallest_cases(runner, 2.0)

    assert list(smallest) == ["no-answer"]
    assert runner.asked < 20


class _AddsOne(CleanRoom):
    """A runner that is wrong everywhere, and counts its calls."""

    asked = 0

    def read_reward(self, directory: Path) -> Rewards | None:
        self.asked += 1
        return {key: value + 1 for key, value in (super().read_reward(directory) or {}).items()}


class _HardToShrink(CleanRoom):
    """A runner that is wrong, in three ways, where the digits have a certain sum. It counts its calls since then."""

    asked = 0

    def read_reward(self, directory: Path) -> Rewards | None:
        text = (directory / "reward.txt").read_text()
        remainder = sum(place * int(digit) for place, digit in enumerate(text)) % 31
        self.asked += bool(self.asked) or remainder in (7, 11, 13)
        match remainder:
            case 7:
                raise ValueError(text)
            case 11:
                return {"reward": 1e300}
            case 13:
                return {"reward": -1e300}
        return super().read_reward(directory)


_VECTORS = [each for each in read_vectors("read_reward") if not left_out(READ_REWARD, each.case)]


def _counted(checker: Checker, count: int = 100) -> list[Divergence]:
    """Return the divergences that a test has counted, without raising any of them before its end."""
    seed_draws(1)
    with pytest.raises(ExceptionGroup) as caught, checker.running(), checker.clock.installed():
        _test(checker, count)()
    return [each.divergence for each in caught.value.exceptions if isinstance(each, DivergenceFound)]


def test_divergence_that_a_vector_shows_is_counted() -> None:
    """Such divergences leave the number of cases as it is; the plainest is kept, and the test fails at its end."""
    checker = Checker(CleanRoom(), _Runner(), Clock(Clock.DEFAULT))

    divergences = _counted(checker)

    counts = outcomes(checker.run, "read_reward")
    assert {each.kind for each in divergences} == {"error-for-value"}
    assert counts["drawn", "begun"] == comparisons(checker.run.counts) == 100
    assert {source for source, _ in counts} == {"drawn"}  # the vectors' own test counts them
    assert counts["drawn", "shown"] > 30
    assert all(checker.shown["read_reward"][each.look] == each.like for each in divergences)
    assert min(len(each.described) for each in divergences) < len("reward.txt: file b'000000000000'")


def test_vectors_are_asked_once() -> None:
    """The vectors that were asked for a generated case are not asked again by their own test, which counts them."""
    checker, alone = (Checker(CleanRoom(), _AddsOne(), Clock(Clock.DEFAULT)) for _ in range(2))
    checker.diverges(READ_REWARD, only_text(b"1"))
    with checker.clock.installed():
        with suppress(DivergenceFound):
            checker.check(READ_REWARD, [only_text(b"1")])
        calls = checker.runner.asked  # type: ignore[attr-defined]
        answers = [*checker.take_answers(READ_REWARD, _VECTORS)]
        expected = [*alone.take_answers(READ_REWARD, _VECTORS)]

    assert checker.runner.asked == calls  # type: ignore[attr-defined]
    assert list(map(type, answers)) == list(map(type, expected))


def test_first_divergence_of_a_general_rule_is_shrunk() -> None:
    """A general rule says little about a case, so its first divergence is shrunk, although a vector shows it."""
    checker = Checker(CleanRoom(), _AddsOne(), Clock(Clock.DEFAULT))

    seed_draws(1)
    with checker.clock.installed(), pytest.raises(DivergenceFound) as caught:
        _test(checker)()

    divergence = caught.value.divergence
    assert divergence.rule.is_general
    assert checker.shown["read_reward"][divergence.look].startswith(divergence.rule.slug)
    assert divergence.described == "reward.txt: file b'0'"


class _RareFault(CleanRoom):
    """A runner that is wrong for strings with a rare part, and notes the first one."""

    first = ""

    def read_reward(self, directory: Path) -> Rewards | None:
        text = (directory / "reward.txt").read_text()
        if "2020202" not in text:
            return super().read_reward(directory)
        self.first = self.first or text
        return {"reward": 1e300}


def test_divergence_that_is_found_late_is_shrunk() -> None:
    """Hypothesis generates as many cases again after a late divergence, which does not take the shrinking away."""
    runner = _RareFault()
    checker = Checker(CleanRoom(), runner, Clock(Clock.DEFAULT), shown={"read_reward": {}})

    seed_draws(1)
    with pytest.raises((DivergenceFound, ExceptionGroup)), checker.running(), checker.clock.installed():
        _test(checker, 2000)()

    (finding,) = checker.findings
    assert isinstance(finding, DivergenceFound)
    assert outcomes(checker.run, "read_reward")["drawn", "begun"] > 300
    assert len(finding.divergence.case.text.content) < len(runner.first)


def test_generated_test_asks_a_limited_number_of_cases_after_its_first_divergence() -> None:
    """It asks as many cases again and a hundred more, or fewer, and then draws no further ones."""
    runner = _HardToShrink()
    checker = Checker(CleanRoom(), runner, Clock(Clock.DEFAULT), shown={"read_reward": {}})
    drawn: list[str] = []

    seed_draws(1)
    with pytest.raises(ExceptionGroup), checker.running(), checker.clock.installed():
        _test(checker, 2000, drawn)()

    assert 90 < runner.asked <= 120
    assert len(drawn) == outcomes(checker.run, "read_reward")["drawn", "begun"] + 1


def test_interrupted_vectors_lose_no_divergence(monkeypatch: pytest.MonkeyPatch) -> None:
    """A divergence counts, although the run was interrupted while it asked the vectors."""

    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    checker = Checker(CleanRoom(), _AddsOne(), Clock(Clock.DEFAULT))
    monkeypatch.setattr(Checker, "_ask_vectors", interrupt)

    with checker.clock.installed(), pytest.raises(KeyboardInterrupt):
        checker.check(READ_REWARD, [only_text(b"1")])

    assert [type(each).__mro__[1] for each in checker.findings] == [DivergenceFound]
    assert checker.run.disagrees
