"""Tests that Hypothesis collects and shrinks one divergence for each rule, kind and harm."""

from collections.abc import Callable
from pathlib import Path
from time import sleep

import pytest
from hypothesis import given, seed
from hypothesis import strategies as st

from parity.operations.read_reward import READ_REWARD, only_text
from parity.runners import CleanRoom
from parity.runners.asking import Clock
from parity.scorer import Rewards
from parity.suite.checker import Checker
from parity.suite.divergence import DivergenceFound
from parity.suite.plugin.drawing import seed_draws
from parity.suite.plugin.profiles import PROFILES, scaled_settings


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


def _test(checker: Checker, count: int = 100) -> Callable[[], None]:
    @seed(1)
    @scaled_settings(count, PROFILES["default"])
    @given(st.text("012", min_size=1, max_size=40))
    def test(text: str) -> None:
        checker.check(READ_REWARD, [only_text(text.encode())])

    return test


def _found(runner: CleanRoom, seconds: float = Clock.DEFAULT) -> dict[str, str]:
    """Return the smallest case of each divergence that a test finds, by the kind of difference."""
    checker = Checker(CleanRoom(), runner, Clock(seconds))
    seed_draws(1)
    with checker.clock.installed(), pytest.raises((DivergenceFound, ExceptionGroup)) as caught:
        _test(checker)()
    raised = caught.value.exceptions if isinstance(caught.value, ExceptionGroup) else [caught.value]
    divergences = [each.divergence for each in raised if isinstance(each, DivergenceFound)]
    return {each.kind: READ_REWARD.describe(each.case) for each in divergences}


def test_divergence_of_each_kind_is_shrunk_completely() -> None:
    """Both kinds of divergence are shrunk completely, and two runs with the same seed find the same."""
    found = _found(_Runner())

    assert found == {
        "other-value": "reward.txt: file b'000000'",
        "error-for-value": "reward.txt: file b'000002'",
    }
    assert found == _found(_Runner())


def test_runner_is_not_called_again_after_a_hang() -> None:
    """After a hang, the test does not call the runner again, and the case is reported as it was found."""
    runner = _Hangs()

    found = _found(runner, 2.0)

    assert list(found) == ["no-answer"]
    assert runner.asked < 20
