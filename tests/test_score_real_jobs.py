"""The scorer computes the same result.json as real jobs of the wheel, byte for byte."""

import os
import random
import shutil
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from parity.operations.files.folders import scratch_folder
from parity.operations.job_stats.job_plans import PlannedRun, PlannedTask, RealJobPlan, Spot
from parity.reference.job_histories import run_history
from parity.reference.real_jobs import run_real_job, stats_of
from parity.scorer import Series, Usage
from parity.scorer.from_disk.job_document import Judgement, Verdict, judge
from parity.scorer.from_disk.job_folder import read_job

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
    """Yield a folder in memory, because a job has a thousand folders and files."""
    with scratch_folder() as folder:
        yield folder


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


def _assert_reproduced(job: Path, order: str = "lock.json plans them") -> None:
    judgement = _judged(job)

    assert judgement.differences == ()
    assert judgement.text == (job / "result.json").read_text()
    assert judgement.verdict is Verdict.RIGHT
    assert order in judgement.order
    assert judgement.confirmed_by is None


def _judged(job: Path) -> Judgement:
    return judge(read_job(job, series=Series.running()), series=Series.running())


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


def test_a_retried_attempt_that_started_late(tmp_path: Path) -> None:
    """A retried attempt that started late is found only by the lists of result.json."""

    def behave(spot: Spot) -> PlannedRun:
        failing = (spot.task, spot.attempt, spot.run) == ("task-2", 0, 0)
        return PlannedRun({"reward": 1}, agent="OSError" if failing else None, pause=1.0)

    plan = RealJobPlan(_TASKS[:6], behave, attempts=2, concurrent=12, retries=1)

    judgement = _judged(run_real_job(tmp_path, plan))

    assert judgement.verdict is Verdict.SELF_CONSISTENT
    assert judgement.confirmed_by == "equal attempts as they have them"


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

    _assert_reproduced(job, "as the directory lists them")


def test_a_copied_job(tmp_path: Path) -> None:
    """A copied job without times and order is undecided, because too many orders are possible."""
    plan = RealJobPlan(_TASKS[:5], lambda spot: PlannedRun({"reward": int(spot.task[-1] in "12")}), attempts=4)
    run_real_job(tmp_path, plan, kill_after=9)
    job = run_real_job(tmp_path, plan)
    copy = tmp_path / "copy"
    copy.mkdir()
    for path in sorted(job.rglob("*"), reverse=True):
        if path.is_file():
            target = copy / path.relative_to(job)
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(path, target)

    judgement = _judged(copy)

    assert judgement.verdict is Verdict.UNDECIDED


@pytest.mark.parametrize("ended", [1, 25, 60])
def test_a_killed_job(tmp_path: Path, ended: int) -> None:
    """A killed job is reproduced with its interim stats, in the order of the trials' ends."""
    job = run_real_job(tmp_path, _plan(4, concurrent=4), kill_after=ended)

    assert stats_of(job)["n_completed_trials"] >= ended
    _assert_reproduced(job, "as they ended")


def test_a_resumed_and_killed_job(tmp_path: Path) -> None:
    """A job that was resumed and killed is reproduced; groups without a trial of the last run have no metrics."""
    run_real_job(tmp_path, _plan(2), kill_after=20)

    job = run_real_job(tmp_path, _plan(2), kill_after=5)

    _assert_reproduced(job, "as they ended, after those of earlier runs")


def test_a_cancelled_job(tmp_path: Path) -> None:
    """A cancelled job is reproduced; its cancelled trials count."""
    mixed, quick = _mixed(3), set[Spot]()

    def behave(spot: Spot) -> PlannedRun:
        if len(quick) < 6:
            quick.add(spot)
        return mixed(spot) if spot in quick else PlannedRun(pause=3600.0)

    job = run_real_job(tmp_path, RealJobPlan(_TASKS, behave, _AGENTS, 3, concurrent=4), cancel_after=6)

    stats = stats_of(job)
    assert (stats["n_completed_trials"], stats["n_cancelled_trials"]) == (10, 4)
    _assert_reproduced(job, "as they ended")


def test_rewards_that_json_cannot_hold(tmp_path: Path) -> None:
    """Infinities and nan, which result.json holds as null, are taken from the verifier's files."""
    numbers = [float("nan"), float("inf"), -float("inf"), 1.0]
    steps = tuple(PlannedRun({"reward": number}) for number in (1.0, float("inf")))
    plan = RealJobPlan(
        (PlannedTask("plain"), PlannedTask("mean", steps=2), PlannedTask("final", steps=2, strategy="final")),
        lambda spot: PlannedRun({"reward": numbers[spot.attempt]}, steps=steps),
        attempts=4,
    )

    job = run_real_job(tmp_path, plan)

    assert "nan" in stats_of(job)["evals"]["scripted__adhoc"]["reward_stats"]["reward"]
    _assert_reproduced(job)


@pytest.mark.parametrize("strategy", ["mean", "final"])
def test_literal_nans(tmp_path: Path, strategy: str) -> None:
    """Literal nans of files share one key; nans of means have separate keys."""
    tasks = PlannedTask("plain"), PlannedTask("steps", steps=2, strategy=strategy)
    nan = PlannedRun({"reward": float("nan")})
    plan = RealJobPlan(tasks, lambda spot: replace(nan, steps=(nan, nan)), attempts=2)

    job = run_real_job(tmp_path, plan)

    shared = 4 if strategy == "final" else 2
    assert (job / "result.json").read_text().count('"nan": [') == 5 - shared
    _assert_reproduced(job)


@pytest.mark.parametrize(
    ("metrics", "source", "error"),
    [(("max",), None, OverflowError), (("max", "mean"), None, OverflowError), ((), "elsewhere", IndexError)],
)
def test_a_job_that_died(tmp_path: Path, metrics: tuple[str, ...], source: str | None, error: type[Exception]) -> None:
    """A job that a metric ended is reproduced with the stats that were written last."""
    tasks = tuple(PlannedTask(f"task-{number}", source=source) for number in range(3))
    plan = RealJobPlan(
        tasks, lambda spot: PlannedRun({"reward": 10**400 if spot.task == "task-1" else 1}), metrics=metrics
    )

    history = run_history(tmp_path, plan)

    assert type(history.error) is error
    _assert_reproduced(tmp_path / "job", "as they ended")


@pytest.mark.needs("utf-8")
def test_keys_that_utf8_cannot_hold(tmp_path: Path) -> None:
    """Halves of surrogate pairs, which result.json replaces, are taken from the verifier's files."""
    halves = chr(0xD800), chr(0xD801)
    plan = RealJobPlan((PlannedTask("task"),), lambda spot: PlannedRun(dict.fromkeys(halves, spot.attempt)), attempts=3)

    job = run_real_job(tmp_path, plan)

    _assert_reproduced(job)


def test_a_dataset_below_another_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A dataset behind a link has the name of the link's target, which lock.json still has when the link is gone."""
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "datasets").mkdir()
    os.symlink(tmp_path / "elsewhere", tmp_path / "datasets" / "link")
    plan = RealJobPlan(
        (PlannedTask("task", "link"),), lambda spot: PlannedRun({"reward": 0.25}), metrics=("sum", "max")
    )
    job = run_real_job(tmp_path, plan)
    (tmp_path / "datasets" / "link").unlink()

    assert list(stats_of(job)["evals"]) == ["scripted__elsewhere"]
    _assert_reproduced(job)


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
