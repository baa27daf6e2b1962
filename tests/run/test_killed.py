"""`parity run` is killed at random moments, often while it resumes a job that was killed before.

At any moment, nothing of it is left, and the same command ends the job as if nothing had happened. `python -m
tests.run.kills` kills it more often.
"""

import time
from collections.abc import Callable
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import pytest

from tests.needs import need
from tests.run.kills import Kills, killing_of

_KILLS = 5


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], tuple[dict[str, Any], float]]:
    """Return a function: the job's result on a kind of sandbox without kills, and the seconds that it takes."""

    @cache
    def run(kind: str) -> tuple[dict[str, Any], float]:
        killing = killing_of(kind, tmp_path_factory.mktemp("undisturbed"))
        began = time.monotonic()
        outcome = killing.complete("job")
        return outcome, time.monotonic() - began

    return run


@pytest.mark.parametrize(
    ("kind", "seed", "kills"), [*(("local", seed, _KILLS) for seed in range(4)), ("docker", 4, 5)], ids=str
)
def test_killed_at_random_moments(
    tmp_path: Path, undisturbed: Callable[[str], tuple[dict[str, Any], float]], kind: str, seed: int, kills: int
) -> None:
    """Nothing is left behind, and the job ends with the same result."""
    need(kind)
    expected, takes = undisturbed(kind)
    run = Kills(killing_of(kind, tmp_path), expected, takes, Random(seed))

    while run.done.total() < kills:
        run.once()
    run.end()

    assert run.done.total() == kills
