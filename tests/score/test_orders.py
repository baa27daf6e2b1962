"""A result.json is judged in the order that the folder shows; its own lists of names never make it right."""

import json
import os
import re
import shutil
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from parity.operations.job_stats.job_plans import PlannedRun, PlannedTask, RealJobPlan
from parity.reference.real_jobs import run_real_job
from parity.scorer import Series, Usage
from tests.score.actions import edit, put, score

_COSTS = 0.1, 0.2, 0.3
_SERIES = "--series", Series.running()


def _run(folder: Path, attempts: int = 1, kill_after: int | None = None, tasks: int = 3) -> Path:
    """Run a job of three trials whose costs add up to 0.6000000000000001 as planned, and to 0.6 in reverse."""
    planned = tuple(PlannedTask(f"task-{number}") for number in range(tasks if attempts == 1 else 1))
    plan = RealJobPlan(
        planned,
        lambda spot: PlannedRun({"reward": 1}, usage=Usage(cost=_COSTS[(int(spot.task[-1]) + spot.attempt) % 3])),
        attempts=attempts,
    )
    return run_real_job(folder, plan, kill_after=kill_after)


def _forge(job: Path) -> None:
    """Reverse the lists of names, and set the cost that results from this order."""

    def reverse(document: dict[str, Any]) -> None:
        stats = document["stats"]
        assert stats["cost_usd"] == 0.6000000000000001
        stats["cost_usd"] = 0.6
        stats["evals"]["scripted__adhoc"]["reward_stats"]["reward"]["1"].reverse()

    edit(job / "result.json", reverse)


def _touch_later(job: Path) -> None:
    """Make config.json younger than all other files, as in a copy."""
    time = (job / "result.json").stat().st_mtime + 60
    os.utime(job / "config.json", (time, time))


def test_a_forged_order(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """A result.json in another order than planned is wrong, if the job ran without a break."""
    job = _run(tmp_path)
    right = (job / "result.json").read_text()
    _forge(job)

    code, out, err = score(capfd, job, *_SERIES)

    assert (code, out) == (1, right)
    assert err[0].startswith("result.json differs in 2 places (3 trials, as lock.json plans them")
    assert [re.sub(r" \(.*?\)", "", line) for line in err if "cost_usd" in line] == [
        "  stats.cost_usd: should be 0.6000000000000001, is 0.6"
    ]


def test_a_forged_order_of_attempts(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """Without retries, equal attempts have the order of their starts, and another order is wrong."""
    job = _run(tmp_path, attempts=3)
    _forge(job)

    assert score(capfd, job, "-q", "--check", *_SERIES)[0] == 1


def test_an_order_that_only_its_lists_show(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """With retries, a result.json in an order that only its lists show is neither right nor wrong."""
    job = _run(tmp_path, attempts=3)
    edit(job / "result.json", put("stats.n_retries", 1))
    right = (job / "result.json").read_text()
    _forge(job)

    code, out, err = score(capfd, job, *_SERIES)

    assert (code, out) == (3, right)
    assert err[0] == "cannot be judged: result.json agrees with itself in an order that only its own lists show, " \
                     "equal attempts as they have them"  # fmt: skip
    assert err[1].startswith("in the order that the folder shows, it differs in 2 places (3 trials, as lock.json plans")
    assert any("cost_usd: should be 0.6000000000000001" in line for line in err)


def test_retries_make_no_other_tasks_equal(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """Even with retries, trials of different tasks have the planned order."""
    job = _run(tmp_path)
    edit(job / "result.json", put("stats.n_retries", 1))
    _forge(job)

    assert score(capfd, job, "-q", "--check", *_SERIES)[0] == 1


def test_the_order_of_the_directory(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """The directory's order counts only if all trials started before config.json was written."""
    job = _run(tmp_path)
    names = [entry.name for entry in os.scandir(job) if entry.is_dir()]

    def as_listed(document: dict[str, Any]) -> None:
        documents = {name: json.loads((job / name / "result.json").read_text()) for name in names}
        cost = 0.0
        for name in names:
            cost += documents[name]["agent_result"]["cost_usd"]
        document["stats"]["cost_usd"] = cost
        document["stats"]["evals"]["scripted__adhoc"]["reward_stats"]["reward"]["1"] = names

    edit(job / "result.json", as_listed)
    planned = sorted(names)
    in_one_go = score(capfd, job, "-q", "--check", *_SERIES)[0]
    _touch_later(job)
    resumed = score(capfd, job, "-q", "--check", *_SERIES)[0]

    assert (in_one_go, resumed) == (0 if names == planned else 1, 0)


def test_an_order_that_is_less_likely(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """A result.json that is right in a less likely order is right, and a line names the likelier one."""
    job = _run(tmp_path, tasks=9)
    updated = datetime.fromisoformat(json.loads((job / "result.json").read_text())["updated_at"]).timestamp()
    os.utime(job / "config.json", (updated, updated))  # so all its trials seem to be of an earlier run
    first = min(each for each in job.iterdir() if each.is_dir())
    first.rename(tmp_path / "moved").rename(first)  # so it is not the first where a directory lists its newest last
    names = [entry.name for entry in os.scandir(job) if entry.is_dir()]
    assert names != sorted(names)

    code, _, err = score(capfd, job, "--check", *_SERIES)

    assert code == 0
    assert len(err) == 2
    assert err[0] == (
        "result.json is right with its trials as lock.json plans them, attempts by the time when they started, "
        "which the folder cannot rule out"
    )
    assert err[1].startswith("in the likelier order, it would be different (9 trials, as the directory lists them")


def test_a_copy(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """In a copy, a result.json in the planned order is right, and another order is never called wrong."""
    job = _run(tmp_path)
    _touch_later(job)

    code, _, err = score(capfd, job, "--check", *_SERIES)
    assert code == 0
    assert err[0] == "note: config.json is the newest file, as in a copy, so its time shows no earlier runs"
    assert err[1].startswith("result.json is right (3 trials, as lock.json plans them")

    _forge(job)
    assert score(capfd, job, "-q", "--check", *_SERIES)[0] in (0, 3)


def test_a_forged_order_of_earlier_trials(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """In a resumed job, another order of earlier trials is undecided, because a copy loses their order."""
    _run(tmp_path, kill_after=2)
    job = _run(tmp_path)
    assert score(capfd, job, "-q", "--check", *_SERIES)[0] == 0

    def exchange(document: dict[str, Any]) -> None:
        names = document["stats"]["evals"]["scripted__adhoc"]["reward_stats"]["reward"]["1"]
        names[:2] = names[1::-1]

    edit(job / "result.json", exchange)
    code, _, err = score(capfd, job, "--check", *_SERIES)

    assert code == 3
    assert err[1].startswith("in the order that the folder shows, it differs in 1 place (3 trials, as a resumed job")


def test_a_forged_order_of_later_trials(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """In a resumed job, the other trials keep the planned order."""
    _run(tmp_path, kill_after=1)
    job = _run(tmp_path)
    _forge(job)

    assert score(capfd, job, "-q", "--check", *_SERIES)[0] == 1


# Jobs that have not ended


def test_an_interim_copy(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """In a copy of an unfinished job, all trials may be of the last run."""
    job = _run(tmp_path, kill_after=2)
    _touch_later(job)
    assert score(capfd, job, "-q", "--check", *_SERIES)[0] == 0

    edit(job / "result.json", put("stats.n_errored_trials", 3))
    assert score(capfd, job, "-q", "--check", *_SERIES)[0] == 1


def test_an_ended_trial_that_is_still_running_for_its_job(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """A trial that ended after the last update of the stats may still count as running."""
    job = _run(tmp_path, kill_after=3)

    def forget(document: dict[str, Any]) -> None:
        stats = document["stats"]
        stats |= {"n_completed_trials": 2, "n_running_trials": 1, "cost_usd": 0.1 + 0.3}
        group = stats["evals"]["scripted__adhoc"]
        group["n_trials"] = 2
        del group["reward_stats"]["reward"]["1"][1]

    edit(job / "result.json", forget)
    code, _, err = score(capfd, job, "--check", *_SERIES)
    assert code == 0
    assert "note: left out: 1 trial that ended after the last update of the job's stats" in err

    edit(job / "result.json", put("stats.n_running_trials", 0))
    assert score(capfd, job, "-q", "--check", *_SERIES)[0] == 1


def test_interim_stats_with_retries(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """Interim stats of a job with retries can be right, but are never called wrong."""
    job = _run(tmp_path, kill_after=2)
    edit(job / "result.json", put("stats.n_retries", 1))
    assert score(capfd, job, "-q", "--check", *_SERIES)[0] == 0

    edit(job / "result.json", put("stats.evals.scripted__adhoc.n_errors", 3))
    code, out, err = score(capfd, job, *_SERIES)
    assert (code, out, len(err)) == (3, "", 1)
    assert err[0].startswith(f"parity score: {job}/result.json: cannot be judged: the job has not ended, and retried")


def test_a_real_retry_is_never_called_wrong(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """A real job with retries is never called wrong, although its interim stats have traces."""
    plan = RealJobPlan(
        tuple(PlannedTask(f"task-{number}") for number in range(4)),
        lambda spot: PlannedRun({"reward": 1}, agent="OSError" if spot.task == "task-1" and not spot.run else None),
        retries=1,
    )
    killed = run_real_job(tmp_path, plan, kill_after=4)

    assert json.loads((killed / "result.json").read_text())["stats"]["n_retries"] == 1
    assert score(capfd, killed, "-q", "--check", *_SERIES)[0] == 3

    shutil.rmtree(killed)
    assert score(capfd, run_real_job(tmp_path, plan), "-q", "--check", *_SERIES)[0] == 0
