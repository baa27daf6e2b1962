"""Which rule a divergence is put down to, where several are in question."""

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from parity.asking import Clock
from parity.checking import Checker
from parity.goldens import read_entries, recorded_answer
from parity.operations import PASS_AT_K, READ_REWARD, Operation
from parity.replay import decode_answer
from parity.rules import RULES
from parity.runners import CleanRoom
from parity.scorer import Rewards
from tests.faulty.attempts import EmptyNamesCount
from tests.faulty.files import EmptyIsParseError
from tests.faulty.json_values import WholeFloatsBecomeIntegers


class _FaultsAreZero(CleanRoom):
    """Scores 0.0 where the rewards cannot be read."""

    def read_reward(self, directory: Path) -> Rewards | None:
        try:
            return super().read_reward(directory)
        except Exception:
            return {"reward": 0.0}


class _TextFirst(CleanRoom):
    """Reads reward.txt where there is one, and reward.json else."""

    def read_reward(self, directory: Path) -> Rewards | None:
        found, aside = directory / "reward.json", directory / "aside.json"
        if not os.path.exists(directory / "reward.txt") or not os.path.lexists(found):
            return super().read_reward(directory)
        found.rename(aside)
        try:
            return super().read_reward(directory)
        finally:
            aside.rename(found)


def _broken(runner: CleanRoom, start: str = "", operation: Operation[Any] = READ_REWARD) -> Iterator[tuple[str, str]]:
    """The vectors that the runner answers wrongly, with the rule that it breaks."""
    checker = Checker(CleanRoom(), runner, Clock(Clock.DEFAULT))
    for name, entry in read_entries(operation.name).items():
        recorded = recorded_answer(entry, runner.series)
        if recorded is None or not name.startswith(start):
            continue
        case, expected = operation.decode(entry["input"]), decode_answer(operation, recorded)
        actual = checker.ask_runner(operation, case)
        divergence = checker.compare(operation, case, expected, actual, RULES[entry["rule"]])
        if divergence:
            yield name, divergence.rule.slug


@pytest.mark.parametrize("runner", [_FaultsAreZero, EmptyIsParseError])
def test_a_rule_that_is_kept_leads_to_the_case_that_is_alike(runner: type[CleanRoom]) -> None:
    """A FIFO is answered as an empty file is, so that the fault lies with empty files."""
    broken = dict(_broken(runner(), "reward-file/fifo-is-empty/"))

    assert set(broken.values()) == {"reward-file/empty-is-zero-bytes"}


@pytest.mark.parametrize("runner", [_FaultsAreZero, WholeFloatsBecomeIntegers])
def test_a_rule_about_everything_is_the_last_resort(runner: type[CleanRoom]) -> None:
    """Nothing is wrong with the floats of reward.txt, so no vector says that they are."""
    assert "reward-text/float" not in dict(_broken(runner())).values()


def test_a_rule_that_can_be_tried_out_comes_before_what_a_vector_shows() -> None:
    """A runner that reads reward.txt first breaks one rule, whatever reward.json is."""
    broken = dict(_broken(_TextFirst()))

    assert "reward-file/directory-is-an-error/json-directory-beside-txt" in broken
    assert "reward-file/unreadable-is-an-error/json-beside-txt" in broken
    assert set(broken.values()) == {"reward-file/json-wins"}


def test_what_can_be_tried_out_may_be_kept() -> None:
    """A directory is the fault where the runner answers alike without reward.txt."""
    broken = dict(_broken(_FaultsAreZero(), "reward-file/directory-is-an-error/"))

    assert broken["reward-file/directory-is-an-error/json-directory-beside-txt"] == "reward-file/directory-is-an-error"


def test_what_a_vector_shows_comes_first_where_it_can_be_tried_out() -> None:
    """Empty names also make groups collide, but they are what the vector is about."""
    broken = dict(_broken(EmptyNamesCount(), "pass-at-k/empty-names/", PASS_AT_K))

    assert set(broken.values()) == {"pass-at-k/empty-names"}
