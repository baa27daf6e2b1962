"""Tests that all drivers give the same results for every bundled task on all kinds of sandbox."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import cache

import pytest

from tests.end_to_end.engine import TASKS, copy_tasks
from tests.end_to_end.results import Tree, outcomes
from tests.end_to_end.ways import WAYS, Way
from tests.needs import need

type Ran = Callable[[Way], dict[str, Tree]]


@pytest.fixture(scope="module")
def ran(tmp_path_factory: pytest.TempPathFactory) -> Ran:
    """Return a function that runs all tasks in one way, only once, and returns their outcomes."""
    directory = tmp_path_factory.mktemp("ways")
    tasks = copy_tasks(directory / "tasks")
    return cache(lambda way: outcomes(way.run(tasks, directory / "jobs")))


@pytest.mark.parametrize("place", ["local", "docker"])
def test_all_ways_give_the_same_results(ran: Ran, place: str) -> None:
    """Rewards, exceptions, kept files and the job's statistics are the same in all ways.

    The first way is compared with all others. The ways on Docker are a test item of their own, so that parallel workers
    can share the work.
    """
    need("local")
    need(place)
    first, *others = [way for way in WAYS if way is WAYS[0] or way.docker is (place == "docker")]

    # Two ways run at once, because Harbor mostly waits for its containers to stop.
    with ThreadPoolExecutor(2) as pool:
        expected, *actual = pool.map(ran, (first, *others))

    assert dict(zip((way.name for way in others), actual, strict=True)) == {way.name: expected for way in others}


@pytest.mark.needs("local")
def test_bundled_tasks_give_the_results_in_their_readme(ran: Ran) -> None:
    """Each bundled task has the rewards and the error that the table in the tasks' README states."""
    rows = [line.strip("|").split("|") for line in (TASKS / "README.md").read_text().splitlines() if line[:3] == "| `"]
    expected = {name.strip(" `"): [cell.strip() for cell in cells] for name, _, *cells in rows}

    job = ran(WAYS[0])

    actual = {}
    for name in job.keys() - {"stats"}:
        rewards = job[name]["rewards"].strip("{}").replace('"', "").replace(":", "").replace("null", "none")
        in_steps = [f"{step['exception']} in a step" for step in job[name]["steps"].values() if step["exception"]]
        actual[name.removeprefix("parity/")] = [rewards, job[name]["exception"] or "".join(in_steps)]
    assert actual == expected
