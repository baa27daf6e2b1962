"""All drivers give the same results for every bundled task, on all kinds of sandbox."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import cache

import pytest

from tests.end_to_end.agreement import disagreements, report
from tests.end_to_end.engine import TASKS, copy_tasks
from tests.end_to_end.outcomes import JobOutcome, read_job
from tests.end_to_end.ways import WAYS, Way
from tests.needs import need

type Ran = Callable[[Way], JobOutcome]


@pytest.fixture(scope="module")
def ran(tmp_path_factory: pytest.TempPathFactory) -> Ran:
    """Return a function that runs all tasks in one way, once."""
    folder = tmp_path_factory.mktemp("ways")
    tasks = copy_tasks(folder / "tasks")
    return cache(lambda way: read_job(way.run(tasks, folder / "jobs")))


def _stated_outcomes() -> dict[str, list[str]]:
    """Return the outcomes in the README of the tasks."""
    rows = [line.strip("|").split("|") for line in (TASKS / "README.md").read_text().splitlines() if line[:3] == "| `"]
    return {name.strip(" `"): [cell.strip() for cell in cells] for name, _, *cells in rows}


def _as_stated(job: JobOutcome) -> dict[str, list[str]]:
    """Return a job's outcomes in the form of the README."""
    stated = {}
    for trial in job.trials:
        rewards = trial.rewards.strip("{}").replace('"', "").replace(":", "").replace("null", "none")
        failed = [f"{step.exception} in a step" for step in trial.steps if step.exception]
        stated[trial.name.removeprefix("parity/")] = [rewards, trial.exception or "".join(failed)]
    return stated


@pytest.mark.parametrize("place", ["local", "docker"])
def test_all_ways_lead_to_the_same(ran: Ran, place: str) -> None:
    """Rewards of trials and steps, exceptions, kept files and the job's statistics are the same in all ways.

    The first way is compared with all others; those on Docker are another item, so that parallel workers share them.
    """
    need("local")
    need(place)
    ways = [way for way in WAYS if way is WAYS[0] or way.docker is (place == "docker")]

    # Harbor mostly waits for its containers to stop.
    with ThreadPoolExecutor(2) as pool:
        jobs = dict(zip((way.name for way in ways), pool.map(ran, ways), strict=True))

    assert not disagreements(jobs), report(jobs)


@pytest.mark.needs("local")
def test_tasks_give_what_their_readme_states(ran: Ran) -> None:
    """Each bundled task has the outcome in the table of their README."""
    outcome = ran(WAYS[0])

    assert _stated_outcomes() == _as_stated(outcome)
