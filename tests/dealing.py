"""The order of tests: each worker of pytest-xdist begins with its share of those that take long.

Scheduling by work stealing gives each worker as many tests as another one, in their order, and one that is done takes
over half of what another one still has, from the end. So what takes long has to stand at the beginning of each share:
then only what is short is left in the end, when workers wait for one another.
"""

import os
from collections.abc import Iterator
from itertools import chain

import pytest


def deal(items: list[pytest.Item]) -> list[pytest.Item]:
    """The tests in the order in which one process, or the workers of a run, are to have them.

    Those marked as long are dealt by group, first to last, since what a group shares is made in one worker alone:
    a module, or all tests that look at the main job, which begin. Short ones that look at it come last: nobody waits.
    """
    groups: dict[str, list[pytest.Item]] = {}
    short: list[pytest.Item] = []
    for item in items:
        if item.get_closest_marker("long"):
            groups.setdefault(_group(item), []).append(item)
        else:
            short.append(item)
    in_turn = sorted(groups.items(), key=lambda each: each[0] != _MAIN_JOB)
    shares: list[list[pytest.Item]] = [[] for _ in range(int(os.environ.get("PYTEST_XDIST_WORKER_COUNT", "1")))]
    for number, (_, group) in enumerate(in_turn):
        shares[number % len(shares)] += group
    rest = iter(sorted(short, key=lambda item: _group(item) == _MAIN_JOB))
    for share, size in zip(shares, _sizes(len(items), len(shares)), strict=True):
        share += [item for _, item in zip(range(size - len(share)), rest, strict=False)]
    return [*chain(*shares), *rest]


_MAIN_JOB = "main_job"


def _group(item: pytest.Item) -> str:
    return _MAIN_JOB if _MAIN_JOB in getattr(item, "fixturenames", ()) else str(item.path)


def _sizes(tests: int, workers: int) -> Iterator[int]:
    """How many tests each worker is given at first, as `WorkStealingScheduling` divides them."""
    for number in range(workers):
        size = tests // (workers - number)
        tests -= size
        yield size
