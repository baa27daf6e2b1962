"""The scorer computes the same result.json as real jobs of the wheel, byte for byte."""

import random
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from parity.operations.files.folders import scratch_folder
from parity.operations.job_stats.job_plans import PlannedRun, PlannedTask, RealJobPlan, Spot
from parity.reference.real_jobs import run_real_job, stats_of
from parity.scorer import Series, Usage
from parity.scorer.from_disk.check import check
from parity.scorer.from_disk.job_directory import read_job

_TASKS = (
    PlannedTask("alone"),
    *(PlannedTask(f"task-{number}", "first") for number in range(4)),
    *(PlannedTask(f"other-{number}", "second") for number in range(3)),
    PlannedTask("mean", "second", steps=3),
    PlannedTask("final", "second", steps=2, strategy="final"),
)
_AGENTS = (("a", None), ("b", "provider/model"), ("c", "model"))


@pytest.fixture
def tmp_path() -> Iterator[Path]:
    """Yield a directory in memory, because a job has a thousand directories and files."""
    with scratch_folder() as directory:
        yield directory


def _mixed(seed: int, *, failing: float = 0.2) -> Callable[[Spot], PlannedRun]:
    """Return a behaviour of trials that is random, but the same for the same run of a trial."""

    def behave(spot: Spot) -> PlannedRun:
        draw = random.Random(repr((seed, spot)))
        number = draw.choice([0, 1, 1.0, 0.5, 0.1, 0.7, 1e16, -1 / 3, 2**60, draw.random()])
        rewards = {"reward": number, "cost": draw.random()} if spot.task == "other-1" else {"reward": number}
        return PlannedRun(
            rewards=None if draw.random() < 0.1 else rewards,
            text="passed" if draw.random() < failing / 2 else None if draw.random() < 0.5 else repr(draw.random()),
            start="OSError" if draw.random() < failing else None,
            agent="TimeoutError" if draw.random() < failing else "ValueError" if draw.random() < failing else None,
            usage=Usage(draw.randrange(10**6), None, draw.randrange(99), draw.random()),
            pause=draw.random() * 0.002,
            steps=tuple(
                PlannedRun({"reward": draw.random(), "speed": draw.random()}, usage=Usage(3, 1, 2, draw.random()))
                for _ in range(3)
            ),
        )

    return behave


def _plan(seed: int, *, retries: int = 0, concurrent: int = 1, failing: float = 0.2) -> RealJobPlan:
    metrics = ("mean", "max", "min", "sum")[: seed % 5]
    return RealJobPlan(_TASKS, _mixed(seed, failing=failing), _AGENTS, 3, concurrent, retries, metrics)


def _assert_reproduced(job: Path, order: str = "as lock.json plans them") -> None:
    checked = check(read_job(job), series=Series.running())

    assert checked.differences == []
    assert checked.text == (job / "result.json").read_text()
    assert checked.order.phrase.startswith(order)


@pytest.mark.parametrize("concurrent", [1, 7])
@pytest.mark.parametrize("seed", range(3))
def test_a_job_that_ran_in_one_go(tmp_path: Path, seed: int, concurrent: int) -> None:
    """A job that ran without a break is reproduced, with agents, datasets, attempts, errors and multi-step tasks."""
    job = run_real_job(tmp_path, _plan(seed, concurrent=concurrent))

    assert stats_of(job)["n_errored_trials"]
    _assert_reproduced(job)


@pytest.mark.parametrize("seed", range(3))
def test_a_job_with_retries(tmp_path: Path, seed: int) -> None:
    """A job with retries is reproduced; its trials have their planned places."""
    job = run_real_job(tmp_path, _plan(seed, retries=3, concurrent=6, failing=0.3))

    assert stats_of(job)["n_retries"]
    _assert_reproduced(job)


@pytest.mark.parametrize("seed", range(2))
def test_a_resumed_job(tmp_path: Path, seed: int) -> None:
    """A resumed job is reproduced: trials of the killed run in the directory's order, then the others as planned."""
    run_real_job(tmp_path, _plan(seed, concurrent=4), kill_after=40)

    job = run_real_job(tmp_path, _plan(seed, concurrent=4))

    _assert_reproduced(job, "as a resumed job does")


def test_a_finished_job_that_is_resumed(tmp_path: Path) -> None:
    """A finished job that is resumed is reproduced in the order of the directory."""
    run_real_job(tmp_path, _plan(1))

    job = run_real_job(tmp_path, _plan(1))

    _assert_reproduced(job, "as a resumed job does")


def test_a_dataset_with_the_separator_in_its_name(tmp_path: Path) -> None:
    """A dataset with the separator in its name has no metrics when the job ends."""
    plan = RealJobPlan((PlannedTask("task", "my__data"),), lambda spot: PlannedRun({"reward": 1}), metrics=("mean",))

    job = run_real_job(tmp_path, plan)

    assert stats_of(job)["evals"]["scripted__my__data"]["metrics"] == []
    _assert_reproduced(job)


def test_without_verification(tmp_path: Path) -> None:
    """Without verification, trials have no rewards, and count as 0."""
    plan = RealJobPlan((PlannedTask("task"),), lambda spot: PlannedRun(), attempts=2, verification=False)

    _assert_reproduced(run_real_job(tmp_path, plan))
