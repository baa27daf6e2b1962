"""Tests that as root, cases that need file modes are left out and counted."""

from collections import Counter

import pytest

from parity.operations.answers import NotClaimed
from parity.operations.files.file_modes import modes_count
from parity.operations.files.file_states import ABSENT, FileState
from parity.operations.goldens import read_vectors
from parity.operations.read_reward import READ_REWARD, RewardDirectory
from parity.operations.series import running_series
from parity.reference import open_reference
from parity.runners import CleanRoom
from parity.runners.asking import Clock
from parity.suite import comparer
from parity.suite.checker import Checker
from parity.suite.golden_vectors import check_vectors
from tests.outcomes import outcomes
from tests.running import Run

_UNREADABLE = RewardDirectory(ABSENT, FileState("unreadable", b"1"))


@pytest.fixture
def checker(monkeypatch: pytest.MonkeyPatch) -> Checker:
    """Return a checker that treats file modes as ignored, with the wheel as the reference."""
    monkeypatch.setattr(comparer, "modes_count", lambda: False)
    return Checker(open_reference().wheel, CleanRoom(), Clock(10))


@pytest.mark.parametrize(
    ("case", "needed"),
    [
        (_UNREADABLE, True),
        (RewardDirectory(ABSENT, ABSENT, "unsearchable"), True),
        (RewardDirectory(ABSENT, FileState("file", b"1")), False),
    ],
)
def test_unreadable_file_needs_modes(case: RewardDirectory, needed: bool) -> None:
    """A case needs file modes if a file or the directory lacks a permission."""
    assert READ_REWARD.needs_modes(case) is needed


def test_drawn_case_is_left_out_and_counted(checker: Checker) -> None:
    """A drawn case that needs file modes is sent to neither side, and is counted."""
    checker.check(READ_REWARD, [_UNREADABLE])

    assert outcomes(checker.run, "read_reward") == Counter({("drawn", "begun"): 1, ("drawn", "unanswered"): 1})
    assert isinstance(checker.ask_reference(READ_REWARD, _UNREADABLE), NotClaimed)


def test_vectors_are_left_out_and_keep_their_answers(checker: Checker) -> None:
    """Vectors that need file modes are counted, and recording keeps their recorded answers."""
    vectors = read_vectors("read_reward")

    document = check_vectors(READ_REWARD, checker, running_series())

    needing = [each for each in vectors if READ_REWARD.needs_modes(each.case)]
    assert outcomes(checker.run, "read_reward")["vector", "needs-modes"] == len(needing) > 0
    assert document["vectors"] == [vector.to_entry() for vector in vectors]


def test_summary_states_the_number_of_vectors_left_out(run: Run) -> None:
    """As root, a line in the summary states the number of vectors that are left out; other users are asked all."""
    ran = run("--pyargs", "parity.operations.read_reward", "-k", "golden")

    left_out = "read_reward: 8 vectors need file modes, which root ignores; run as an ordinary user"
    assert ran.returncode == 0, ran.stdout
    assert (left_out in ran.stdout) is not modes_count()
