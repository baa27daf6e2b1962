"""A job that cannot be resumed is refused with one line, and unknown files are not harmed. Vectors say the rest."""

import json
import math
import os
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from parity.driver.documents.lock import lock_of, lock_tree
from parity.driver.documents.resume import ResumeError
from parity.driver.documents.writing import write_document
from parity.formats.configuration import (
    AgentConfiguration,
    JobConfiguration,
    RetryConfiguration,
    VerifierConfiguration,
)
from parity.formats.lock import LockedJob
from tests.driver.earlier_runs import EarlierJob, earlier_job, planned_trial


@pytest.fixture
def job(tmp_path: Path) -> EarlierJob:
    """Return a job of two tasks with two attempts each; its first trial has ended."""
    job = earlier_job(tmp_path)
    job.write(retries=3)
    job.end(job.planned[0], rewards={"reward": 1})
    return job


def _edit(path: Path, change: Callable[[dict[str, Any]], object]) -> None:
    document = json.loads(path.read_text())
    change(document)
    path.write_text(json.dumps(document))


def _listed(folder: Path) -> list[str]:
    return [entry.name for entry in os.scandir(folder) if entry.is_dir()]


def test_a_new_job_has_no_earlier_runs(tmp_path: Path) -> None:
    """A job without a folder, or with an empty one, has no earlier runs."""
    job = earlier_job(tmp_path)
    absent = job.resume()
    job.folder.mkdir()

    empty = job.resume()

    assert absent is None
    assert empty is None


def test_earlier_trials_come_as_the_directory_lists_them(tmp_path: Path) -> None:
    """Earlier trials are in the order of the directory, which decides last bits of the job's stats."""
    job = earlier_job(tmp_path, attempts=6)
    job.write()
    for trial in job.planned:
        job.end(trial)

    earlier = job.resume()

    assert earlier is not None
    assert [each.trial_name for each in earlier.results] == _listed(job.folder)
    assert earlier.remaining == ()


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"n_attempts": 3}, "n_attempts: should be 3, is 2"),
        ({"n_concurrent_trials": 5}, "n_concurrent_trials: should be 5, is 4"),
        ({"retry": RetryConfiguration(max_retries=1)}, "retry.max_retries: should be 1, is 0"),
        ({"agents": [AgentConfiguration(name="nop")]}, r"agents\[0\].name: should be \"nop\", is \"oracle\""),
        ({"verifier": VerifierConfiguration(env={"A": "b"})}, "verifier.env.A: should be \"b\", is nothing"),
    ],
)  # fmt: skip
def test_other_settings_are_another_job(job: EarlierJob, change: dict[str, Any], field: str) -> None:
    """Other settings are refused with the first field that differs, and nothing is removed."""
    job.begin(job.planned[1])
    other = replace(job, job=job.job.model_copy(update=change))

    with pytest.raises(ResumeError, match=rf"config.json: the job was run with other settings: {field}; run with"):
        other.resume()

    assert len(_listed(job.folder)) == 2


@pytest.fixture
def tasks(tmp_path: Path) -> Path:
    """Return a folder with two different tasks."""
    for name in ("a", "b"):
        (tmp_path / "tasks" / name).mkdir(parents=True)
        (tmp_path / "tasks" / name / "task.toml").write_text(f"# {name}")
    return tmp_path / "tasks"


def _lock(tasks: Path, hour: int = 0) -> LockedJob:
    """Return the lock of a job of two tasks that starts at an hour."""
    job = JobConfiguration(job_name="job")
    planned = [planned_trial(job, tasks / name, f"{name}__{hour:07}") for name in ("a", "b")]
    return lock_of(job, planned, datetime(2026, 1, 1, hour, tzinfo=UTC), [str(hour)], {})


def test_a_lock_of_the_same_tasks_may_have_another_start(job: EarlierJob, tasks: Path) -> None:
    """The time and the command line of a lock do not matter."""
    write_document(job.folder / "lock.json", lock_tree(_lock(tasks)))

    assert job.resume(_lock(tasks, 1)) is not None


def _edit_task(tasks: Path) -> None:
    (tasks / "b" / "task.toml").write_text("")


def _add_test(tasks: Path) -> None:
    (tasks / "b" / "tests").mkdir()
    (tasks / "b" / "tests" / "test.sh").touch()


@pytest.mark.parametrize("change", [_edit_task, _add_test])
def test_an_edited_task_is_another_job(job: EarlierJob, tasks: Path, change: Callable[[Path], None]) -> None:
    """A changed task is refused by its name, and nothing is removed."""
    job.begin(job.planned[1])
    write_document(job.folder / "lock.json", lock_tree(_lock(tasks)))
    change(tasks)

    with pytest.raises(ResumeError, match=r"lock.json: the task b is not what it was when the job began; restore it"):
        job.resume(_lock(tasks))

    assert len(_listed(job.folder)) == 2


@pytest.mark.parametrize("first_has_more", [False, True])
def test_another_number_of_trials_is_another_job(job: EarlierJob, tasks: Path, first_has_more: bool) -> None:
    """A lock with more trials or fewer is refused by the name of the first task that only one lock has."""
    more, fewer = _lock(tasks), _lock(tasks)
    fewer.trials = more.trials[:1]
    before, now = (more, fewer) if first_has_more else (fewer, more)
    write_document(job.folder / "lock.json", lock_tree(before))

    with pytest.raises(ResumeError, match="the task b is not"):
        job.resume(now)


def test_a_trial_that_is_not_planned_is_an_error(job: EarlierJob) -> None:
    """A finished trial that the job does not plan is an error, and nothing is removed."""
    job.end(planned_trial(job.job, Path("tasks", "c"), "b__00000xY"))
    job.begin(job.planned[2])

    with pytest.raises(ResumeError, match=r"b__00000xY: a trial that this job does not plan.*; move it elsewhere"):
        job.resume()

    assert len(_listed(job.folder)) == 3


def test_a_trial_too_many_is_an_error(job: EarlierJob) -> None:
    """More finished trials than planned attempts are an error."""
    job.end(job.planned[2])
    job.end(replace(job.planned[0], name="a__00009xY"))

    with pytest.raises(ResumeError, match="or plans less often"):
        job.resume()


def test_a_link_to_a_folder_is_ignored(job: EarlierJob, tmp_path: Path) -> None:
    """A link in the place of a trial's folder is not followed, and its target stays."""
    (tmp_path / "precious").mkdir()
    (job.folder / "b__00000xY").symlink_to(tmp_path / "precious")

    earlier = job.resume()

    assert earlier is not None
    assert len(earlier.results) == 1
    assert (tmp_path / "precious").is_dir()


def test_links_inside_a_trial_are_not_followed(job: EarlierJob, tmp_path: Path) -> None:
    """Links inside a removed trial are not followed."""
    (tmp_path / "precious").mkdir()
    job.begin(job.planned[1])
    (job.folder / "b__00000xY" / "agent" / "link").symlink_to(tmp_path / "precious")

    job.resume()

    assert (tmp_path / "precious").is_dir()


@pytest.mark.parametrize("name", ["notes", ".git", "a__00000", "a__0000-00"])
def test_a_folder_that_is_no_trial_is_left_alone(job: EarlierJob, name: str) -> None:
    """A folder without a trial's name is ignored, and stays."""
    (job.folder / name).mkdir()

    earlier = job.resume()

    assert earlier is not None
    assert (job.folder / name).is_dir()


@pytest.mark.parametrize(
    ("file", "content", "problem"),
    [
        ("config.json", "[]", "config.json: must be an object, not an array; restore it"),
        ("config.json", None, "config.json: no such file; restore it"),
        ("lock.json", "{", "lock.json: not JSON: .*; restore it"),
        ("result.json", "{}", "result.json: id is missing; restore it"),
        ("a__00000xY/result.json", "{", r"result.json: not JSON: .*, or remove .*a__00000xY, and its trial runs again"),
    ],
)
def test_a_file_that_cannot_be_read_is_named(job: EarlierJob, file: str, content: str | None, problem: str) -> None:
    """A damaged or missing file is named in one line with the remedy."""
    (job.folder / file).unlink(missing_ok=True)
    if content is not None:
        (job.folder / file).write_text(content)

    with pytest.raises(ResumeError, match=problem) as caught:
        job.resume()

    assert str(caught.value).startswith(str(job.folder / file))


def test_a_reward_that_result_json_cannot_hold_ends_it(job: EarlierJob) -> None:
    """An infinite reward, which result.json holds as null, makes the job impossible to resume."""
    job.end(job.planned[1], rewards={"reward": math.inf})

    with pytest.raises(ResumeError, match=r"b__00000xY/result.json: its rewards cannot be read again: .*; remove"):
        job.resume()
