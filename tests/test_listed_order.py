"""Attempts that started in another order than they were planned, put right by the lists in result.json."""

import random

import pytest

from parity.scorer import JobTrial
from parity.scorer.from_disk.listed_order import attempts_as_listed, in_chains
from parity.scorer.from_disk.trial_file import TrialFile

_TASKS, _ATTEMPTS = 7, 5


def _file(place: int) -> TrialFile:
    task = place % _TASKS
    trial = JobTrial("agent", None, None, f"task-{task}", {}, f"trial-{place}")
    return TrialFile(trial.name, trial, (str(task),), 0.0)


@pytest.mark.parametrize("seed", range(50))
def test_the_lists_put_mixed_up_attempts_right(seed: int) -> None:
    """The attempts at one task started in any order; a list of all trials shows the right one."""
    draw = random.Random(seed)
    planned = [_file(place) for place in range(_TASKS * _ATTEMPTS)]
    started = list(planned)
    task = draw.randrange(_TASKS)
    started[task::_TASKS] = draw.sample(planned[task::_TASKS], _ATTEMPTS)

    assert attempts_as_listed(started, [[file.trial.name for file in planned]]) == planned


@pytest.mark.parametrize("seed", range(50))
def test_several_lists_are_kept(seed: int) -> None:
    """With lists of a part each, the order that comes out contradicts none of them."""
    draw = random.Random(seed)
    planned = [_file(place) for place in range(_TASKS * _ATTEMPTS)]
    chains: list[list[str]] = [[], [], []]
    for file in planned:
        draw.choice(chains).append(file.trial.name)
    started = list(planned)
    started[3::_TASKS] = draw.sample(planned[3::_TASKS], _ATTEMPTS)

    ordered = [file.trial.name for file in in_chains(attempts_as_listed(started, chains), chains)]

    for chain in chains:
        assert [name for name in ordered if name in chain] == chain


def test_without_contradiction_nothing_moves() -> None:
    """Names that no list has stay where they are."""
    planned = [_file(place) for place in range(6)]

    assert attempts_as_listed(planned, [["trial-1", "trial-4", "stranger"]]) == planned
