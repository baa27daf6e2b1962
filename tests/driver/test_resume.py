"""A job is resumed from its folder as in Harbor, and unknown files are not harmed."""

import json
import math
import os
import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from parity.driver.documents.resume import ResumeError, resume
from parity.driver.settings import AgentSettings, JobSettings, RetrySettings
from parity.operations.files.folders import scratch_folder
from tests.driver.earlier_runs import JOB_ID, STARTED, EarlierJob, earlier_job
from tests.wheel_documents import resumed


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
    absent = resume(job.settings, job.planned)
    job.folder.mkdir()

    empty = resume(job.settings, job.planned)

    assert absent is None
    assert empty is None


def test_a_job_goes_on_as_itself(job: EarlierJob) -> None:
    """A resumed job keeps its id, its start, and its number of retries."""
    earlier = resume(job.settings, job.planned_again())

    assert earlier is not None
    assert (earlier.job_id, earlier.started_at, earlier.n_retries) == (JOB_ID, STARTED, 3)


def test_trials_that_ended_are_not_run_again(job: EarlierJob) -> None:
    """A trial that has ended replaces the first planned trial with the same configuration."""
    planned = job.planned_again()

    earlier = resume(job.settings, planned)

    assert earlier is not None
    assert [(trial.name, trial.rewards) for trial in earlier.trials] == [("a__00000xY", {"reward": 1})]
    assert earlier.remaining == tuple(planned[1:])


def test_trials_that_did_not_end_are_removed(job: EarlierJob) -> None:
    """The folders of unfinished trials are removed."""
    job.begin(job.planned[1])

    earlier = resume(job.settings, job.planned_again())

    assert earlier is not None
    assert earlier.removed == ("b__00000xY",)
    assert _listed(job.folder) == ["a__00000xY"]


def test_cancelled_trials_are_removed(job: EarlierJob) -> None:
    """The folders of cancelled trials are removed, as `harbor jobs resume` does; other errors are results."""
    job.end(job.planned[1], error="CancelledError")
    job.end(job.planned[2], error="RuntimeError")

    earlier = resume(job.settings, job.planned_again())

    assert earlier is not None
    assert earlier.removed == ("b__00000xY",)
    assert {trial.exception for trial in earlier.trials} == {None, "RuntimeError"}


def test_earlier_trials_come_as_the_directory_lists_them(tmp_path: Path) -> None:
    """Earlier trials are in the order of the directory, which decides last bits of the job's stats."""
    job = earlier_job(tmp_path, attempts=6)
    job.write()
    for trial in job.planned:
        job.end(trial)

    earlier = resume(job.settings, job.planned_again())

    assert earlier is not None
    assert [trial.name for trial in earlier.trials] == _listed(job.folder)
    assert earlier.remaining == ()


@given(st.lists(st.sampled_from(["ended", "begun", "absent"]), min_size=6, max_size=6))
def test_harbor_goes_on_in_the_same_way(states: list[str]) -> None:
    """Harbor keeps the same trials in the same order, removes the same folders, and runs the same tasks."""
    with scratch_folder() as folder:
        job = earlier_job(folder, ("a", "b", "c"))
        job.write()
        for trial, state in zip(job.planned, states, strict=True):
            if state != "absent":
                job.end(trial) if state == "ended" else job.begin(trial)
        shutil.copytree(job.folder, folder / "copy")
        earlier = resume(job.settings, job.planned_again())
        ours = sorted(_listed(job.folder))
        shutil.rmtree(job.folder)
        (folder / "copy").rename(job.folder)

        kept, tasks = resumed(job.settings, [(path, None) for path in job.settings.tasks])

        theirs = sorted(_listed(job.folder))
    assert earlier is not None
    assert sorted(kept) == sorted(trial.name for trial in earlier.trials)
    assert tasks == [trial.task for trial in earlier.remaining]
    assert theirs == ours


def test_a_reward_that_result_json_cannot_hold_ends_it(job: EarlierJob) -> None:
    """An infinite reward, which result.json holds as null, makes the job impossible to resume, as in Harbor."""
    job.end(job.planned[1], rewards={"reward": math.inf})
    (job.folder / "b__00000xY" / "verifier").mkdir()
    (job.folder / "b__00000xY" / "verifier" / "reward.txt").write_text("inf")

    with pytest.raises(
        ResumeError,
        match=r"b__00000xY/result.json: verifier_result.rewards.reward must be a number, not null; .* so that",
    ):
        resume(job.settings, job.planned_again())

    with pytest.raises(ValueError, match=r"validation errors? for TrialResult"):
        resumed(job.settings, [(path, None) for path in job.settings.tasks])


def test_a_job_that_was_killed_before_its_first_result_starts_anew(job: EarlierJob) -> None:
    """A job that was killed before its first result.json gets a new id and start."""
    (job.folder / "result.json").unlink()

    earlier = resume(job.settings, job.planned_again())

    assert earlier is not None
    assert (earlier.job_id, earlier.started_at, earlier.n_retries) == (None, None, 0)


def test_what_is_the_same_may_be_written_otherwise(job: EarlierJob) -> None:
    """The order of sets, `debug`, the job's name, and whole numbers without a fraction do not matter."""

    def rewrite(config: dict[str, Any]) -> None:
        config["retry"]["exclude_exceptions"].reverse()
        config.update(debug=True, job_name="other", timeout_multiplier=1)

    _edit(job.folder / "config.json", rewrite)

    assert resume(job.settings, job.planned_again()) is not None


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"n_attempts": 3}, "n_attempts: should be 3, is 2"),
        ({"n_concurrent": 5}, "n_concurrent_trials: should be 5, is 4"),
        ({"retry": RetrySettings(include=frozenset())}, "retry.include_exceptions: should be an array of 0, is null"),
        ({"agents": (AgentSettings("nop"),)}, r"agents\[0\].name: should be \"nop\", is \"oracle\""),
        ({"verifier_env": {"A": "b"}}, "verifier.env.A: should be \"b\", is nothing"),
    ],
)  # fmt: skip
def test_other_settings_are_another_job(job: EarlierJob, change: dict[str, Any], field: str) -> None:
    """Other settings are refused with the first field that differs, and nothing is removed."""
    job.begin(job.planned[1])
    settings: JobSettings = replace(job.settings, **change)

    with pytest.raises(ResumeError, match=rf"config.json: the job was run with other settings: {field}; run with"):
        resume(settings, job.planned_again())

    assert len(_listed(job.folder)) == 2


def test_a_trial_that_is_not_planned_is_an_error(job: EarlierJob) -> None:
    """A finished trial that the job does not plan is an error, and nothing is removed."""
    job.end(replace(job.planned[1], task=Path("tasks", "c")))
    job.begin(job.planned[2])

    with pytest.raises(ResumeError, match=r"b__00000xY: a trial that this job does not plan.*; move it elsewhere"):
        resume(job.settings, job.planned_again())

    assert len(_listed(job.folder)) == 3


def test_a_trial_too_many_is_an_error(job: EarlierJob) -> None:
    """More finished trials than planned attempts are an error."""
    job.end(job.planned[2])
    job.end(replace(job.planned[0], name="a__00009xY"))

    with pytest.raises(ResumeError, match="or plans less often"):
        resume(job.settings, job.planned_again())


def test_a_trial_that_is_there_twice_counts_twice(job: EarlierJob) -> None:
    """A copy of a trial counts as another attempt, as in Harbor."""
    shutil.copytree(job.folder / "a__00000xY", job.folder / "copy")

    earlier = resume(job.settings, job.planned_again())

    assert earlier is not None
    assert [trial.name for trial in earlier.trials] == ["a__00000xY"] * 2
    assert {trial.task.name for trial in earlier.remaining} == {"b"}


def test_a_link_to_a_folder_is_never_followed(job: EarlierJob, tmp_path: Path) -> None:
    """A link in the place of a trial's folder is an error, and its target stays."""
    (tmp_path / "precious").mkdir()
    (job.folder / "b__00000xY").symlink_to(tmp_path / "precious")

    with pytest.raises(ResumeError, match="b__00000xY: a link to a folder"):
        resume(job.settings, job.planned_again())

    assert (tmp_path / "precious").is_dir()


def test_links_inside_a_trial_are_not_followed(job: EarlierJob, tmp_path: Path) -> None:
    """Links inside a removed trial are not followed."""
    (tmp_path / "precious").mkdir()
    job.begin(job.planned[1])
    (job.folder / "b__00000xY" / "agent" / "link").symlink_to(tmp_path / "precious")

    resume(job.settings, job.planned_again())

    assert (tmp_path / "precious").is_dir()


@pytest.mark.parametrize("name", ["notes", ".git", "a__00000", "a__0000-00"])
def test_a_folder_that_is_no_trial_is_left_alone(job: EarlierJob, name: str) -> None:
    """A folder without a trial's name is an error, and is not removed."""
    (job.folder / name).mkdir()

    with pytest.raises(ResumeError, match="not the folder of a trial; move it elsewhere"):
        resume(job.settings, job.planned_again())

    assert (job.folder / name).is_dir()


@pytest.mark.parametrize(
    ("file", "content", "problem"),
    [
        ("config.json", "", "config.json: empty; restore it"),
        ("config.json", "[]", "config.json: must be a JSON object, not an array"),
        ("result.json", "{}", "result.json: id is missing"),
        ("a__00000xY/result.json", "{", r"result.json: not JSON: .*, or remove .*a__00000xY so that"),
        ("a__00000xY/result.json", "{}", r"result.json: task_name is missing.*, or remove"),
        ("a__00000xY/config.json", "nan", r"config.json: not JSON: .*, or remove"),
        ("a__00000xY/config.json", None, r"config.json: no such file.*, or remove"),
    ],
)  # fmt: skip
def test_damaged_files_are_named(job: EarlierJob, file: str, content: str | None, problem: str) -> None:
    """A damaged file is named in one line with the remedy."""
    (job.folder / file).unlink()
    if content is not None:
        (job.folder / file).write_text(content)

    with pytest.raises(ResumeError, match=problem) as caught:
        resume(job.settings, job.planned_again())

    assert "\n" not in str(caught.value)
    assert str(caught.value).startswith(str(job.folder / file))


def test_a_result_without_a_configuration_is_an_error(job: EarlierJob) -> None:
    """A result.json without config.json is an error, because the settings cannot be compared."""
    (job.folder / "config.json").unlink()

    with pytest.raises(ResumeError, match=r"has a result.json, but no config.json"):
        resume(job.settings, job.planned_again())
