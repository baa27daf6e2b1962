"""The comparison of jobs from several drivers."""

import json
from pathlib import Path

import pytest

from tests.end_to_end.agreement import disagreements, table
from tests.end_to_end.outcomes import JobOutcome, read_job


def _write_job(
    folder: Path, trial: str = "task__a", reward: float = 1, exception: str | None = None, files: tuple[str, ...] = ()
) -> JobOutcome:
    """Write a job of one trial, and return its outcome."""
    result = {
        "trial_name": trial,
        "task_name": "task",
        "verifier_result": {"rewards": {"reward": reward}},
        "exception_info": {"exception_type": exception} if exception else None,
    }
    entry = {"n_trials": 1, "reward_stats": {"reward": {str(reward): [trial]}}, "exception_stats": {}}
    for path in (folder / trial / name for name in files):
        path.parent.mkdir(parents=True)
        path.touch()
    (folder / trial).mkdir(parents=True, exist_ok=True)
    (folder / trial / "result.json").write_text(json.dumps(result))
    (folder / "result.json").write_text(json.dumps({"n_total_trials": 1, "stats": {"evals": {"oracle__x": entry}}}))
    return read_job(folder)


def test_names_of_trials_do_not_matter(tmp_path: Path) -> None:
    """Trials' names do not count, because every run draws new ones."""
    jobs = {name: _write_job(tmp_path / name, trial=f"task__{name}") for name in ("one", "two")}

    lines = disagreements(jobs)

    assert lines == []


@pytest.mark.parametrize(
    ("job", "expected"),
    [
        ({"reward": 1.0}, 'two: task: {"reward": 1.0} instead of {"reward": 1}'),
        ({"exception": "ValueError"}, 'two: task: {"reward": 1} ValueError instead of {"reward": 1}'),
        ({"files": ("agent/extra.txt",)}, "two: task: there is agent/extra.txt, which should not be"),
    ],
    ids=["type", "exception", "file"],
)
def test_all_else_does(tmp_path: Path, job: dict[str, object], expected: str) -> None:
    """A reward's type, an exception and a file that differ are reported."""
    jobs = {"one": _write_job(tmp_path / "one"), "two": _write_job(tmp_path / "two", **job)}  # type: ignore[arg-type]

    lines = disagreements(jobs)

    assert lines == [expected]


def test_statistics_are_compared(tmp_path: Path) -> None:
    """Each line of the statistics that differs is reported for both jobs."""
    one = _write_job(tmp_path / "one")
    two = JobOutcome(one.trials, {**one.stats, "n_total_trials": 2})

    lines = disagreements({"one": one, "two": two})

    assert lines == ['two: stats: -  "n_total_trials": 1', 'two: stats: +  "n_total_trials": 2']


def test_table_has_a_line_for_each_driver_where_they_disagree(tmp_path: Path) -> None:
    """The table has a line for each driver if they disagree on a task, else one line for all."""
    same = _write_job(tmp_path / "one"), _write_job(tmp_path / "two")
    other = _write_job(tmp_path / "three", reward=0)

    agreeing = table({"one": same[0], "two": same[1]}).splitlines()
    disagreeing = table({"one": same[0], "three": other}).splitlines()

    assert len(agreeing) == 2
    assert [line.split() for line in disagreeing[1:]] == [
        ["task:", "they", "disagree"],
        ["one", '{"reward":', "1}"],
        ["three", '{"reward":', "0}"],
    ]
