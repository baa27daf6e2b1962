"""Tests that `parity run` with an existing job's name resumes the job, or refuses in one line.

Golden vectors cover the rest.
"""

import json
import os
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from parity.operations.scenarios.scripted_sandbox import Script
from tests.run.actions import document
from tests.run.conftest import ParityRun, SetScripts

_LINE = "data", "--job-name", "j", "-k", 2


@pytest.fixture
def job(dataset: Path, parity_run: ParityRun, scripts: SetScripts) -> Path:
    """Return the directory of a job with two attempts at each of two tasks, which `_LINE` resumes."""
    assert parity_run(*_LINE).code == 0
    return Path("jobs/j")


def _edit(path: Path, change: Callable[[dict[str, Any]], object]) -> None:
    content = document(path)
    change(content)
    path.write_text(json.dumps(content))


def _trial(job: Path, task: str) -> Path:
    return next(job.glob(f"{task}__*"))


def _times(directory: Path) -> dict[Path, int]:
    return {path: path.lstat().st_mtime_ns for path in directory.rglob("*")}


def test_unfinished_trials_run_again(job: Path, parity_run: ParityRun) -> None:
    """Finished trials are kept, all others run again under new names, and drafts from a killed run are removed."""
    (_trial(job, "two") / "result.json").unlink()
    (job / ".result.json-0123456789abcdef").write_text("{")

    ran = parity_run(*_LINE)

    assert ran.code == 0
    assert ran.err[0] == "resuming: 3 of 4 trials have ended already"
    assert ran.err[1].startswith("4/4 two__")
    assert document(job / "result.json")["stats"]["n_completed_trials"] == 4
    assert len(list(job.glob("two__*"))) == 2
    assert not list(job.glob(".*"))


def test_finished_trials_are_used_in_directory_order(dataset: Path, parity_run: ParityRun, scripts: SetScripts) -> None:
    """A resumed job uses its finished trials in the directory's order, which decides the last bits of its stats."""
    line = "data/one", "--job-name", "j", "-k", 8, "-q"
    parity_run(*line)

    parity_run(*line)

    (names,) = document("jobs/j/result.json")["stats"]["evals"]["oracle__adhoc"]["reward_stats"]["reward"].values()
    assert names == [entry.name for entry in os.scandir("jobs/j") if entry.is_dir()]


@pytest.mark.parametrize(
    ("options", "field"),
    [
        (("-k", 3), "n_attempts: should be 3, is 2"),
        (("-n", 5), "n_concurrent_trials: should be 5, is 4"),
        (("-r", 1), "retry.max_retries: should be 1, is 0"),
        (("-a", "nop"), 'agents[0].name: should be "nop", is "oracle"'),
        (("--ve", "A=b"), 'verifier.env.A: should be "b", is nothing'),
        (("--end-processes",), "environment.kwargs.end_processes: should be true, is nothing"),
    ],
)
def test_resuming_with_changed_settings_is_refused(
    job: Path, parity_run: ParityRun, options: tuple[object, ...], field: str
) -> None:
    """If the settings have changed, the first field that differs is reported, and nothing is written."""
    before = _times(job)

    ran = parity_run(*_LINE, *options)

    assert (ran.code, len(ran.err)) == (3, 1)
    assert ran.err[0].startswith(f"parity run: {job}/config.json: the job was run with other settings: {field}; run ")
    assert _times(job) == before


def _without_the_last_trial(job: Path) -> None:
    _edit(job / "lock.json", lambda lock: lock["trials"].pop())


def _with_a_trial_more(job: Path) -> None:
    _edit(job / "lock.json", lambda lock: lock["trials"].append(lock["trials"][-1]))


def _with_another_instruction(job: Path) -> None:
    Path("data/two/instruction.md").write_text("Do something else.\n")


def _with_another_test(job: Path) -> None:
    Path("data/two/tests/more.sh").touch()


@pytest.mark.parametrize(
    "change", [_with_another_instruction, _with_another_test, _without_the_last_trial, _with_a_trial_more]
)
def test_resuming_with_changed_tasks_is_refused(
    job: Path, parity_run: ParityRun, change: Callable[[Path], None]
) -> None:
    """If a task or its number of trials has changed, the task is reported, and nothing is written."""
    change(job)
    (_trial(job, "one") / "result.json").unlink()
    before = _times(job)

    ran = parity_run(*_LINE)

    problem = "the task two has changed since the job began; restore it"
    assert (ran.code, len(ran.err)) == (3, 1)
    assert ran.err[0].startswith(f"parity run: {job}/lock.json: {problem}")
    assert _times(job) == before


@pytest.mark.parametrize(
    ("path", "problem"),
    [("data/three", "the job does not plan this trial"), ("data/two", "or has fewer attempts at it")],
)
def test_trials_that_are_not_planned_are_refused(job: Path, parity_run: ParityRun, path: str, problem: str) -> None:
    """A finished trial of an unplanned task, or one attempt too many, is refused, and nothing is written."""
    shutil.copytree(_trial(job, "two"), job / "two__0000000")
    for name in ("config.json", "result.json"):
        _edit(job / "two__0000000" / name, lambda content: content.update(trial_name="two__0000000"))
    _edit(job / "two__0000000" / "result.json", lambda result: result["config"]["task"].update(path=path))
    before = _times(job)

    ran = parity_run(*_LINE)

    assert (ran.code, len(ran.err)) == (3, 1)
    assert problem in ran.err[0]
    assert _times(job) == before


def test_symlinks_are_not_followed(job: Path, parity_run: ParityRun) -> None:
    """Symlinks in place of a trial's directory, or inside a directory that is removed, are not followed."""
    Path("precious").mkdir()
    target = Path("precious").absolute()
    (job / "two__0000000").symlink_to(target)
    (_trial(job, "one") / "agent" / "link").symlink_to(target)
    (_trial(job, "one") / "result.json").unlink()

    ran = parity_run(*_LINE)

    assert ran.code == 0
    assert target.is_dir()


@pytest.mark.parametrize("name", ["notes", ".git", "a__00000", "a__0000-00"])
def test_directory_without_a_trial_name_is_kept(job: Path, parity_run: ParityRun, name: str) -> None:
    """A directory that does not have the name of a trial is kept."""
    (job / name).mkdir()

    ran = parity_run(*_LINE)

    assert ran.code == 0
    assert (job / name).is_dir()


@pytest.mark.parametrize(
    ("name", "content", "problem"),
    [
        ("config.json", "[]", "must be an object, not an array; restore it"),
        ("config.json", None, "no such file; restore it"),
        ("lock.json", "{", "not JSON: "),
        (
            "result.json",
            "{}",
            "id is missing; restore it as Harbor wrote it, or remove it, and the job continues with a new id",
        ),
        ("one__*/result.json", "{", "not JSON: "),
    ],
)
def test_document_that_cannot_be_read_is_reported(
    job: Path, parity_run: ParityRun, name: str, content: str | None, problem: str
) -> None:
    """A damaged or missing document of the job is reported in one line."""
    path = next(job.glob(name))
    path.unlink() if content is None else path.write_text(content)

    ran = parity_run(*_LINE)

    assert (ran.code, len(ran.err)) == (3, 1)
    assert ran.err[0].startswith(f"parity run: {path}: {problem}")
    assert "*" not in name or f"or remove {path.parent}, and its trial runs again" in ran.err[0]


def test_reward_that_json_cannot_hold_is_refused(dataset: Path, parity_run: ParityRun, scripts: SetScripts) -> None:
    """A job with an infinite reward cannot be resumed, because result.json stores the reward as null."""
    scripts(lambda name, run: Script(tests=[{"/logs/verifier/reward.json": '{"reward": Infinity}'}]))
    parity_run(*_LINE)

    ran = parity_run(*_LINE)

    assert ran.code == 3
    assert "/result.json: its rewards cannot be read again: a nan, an infinity or half of a surrogate" in ran.err[0]


def test_metric_beyond_a_double_ends_the_job_after_all_trials(
    dataset: Path, parity_run: ParityRun, scripts: SetScripts
) -> None:
    """A metric beyond a double ends the job as in Harbor, but only after all trials, so a second run repeats none."""
    huge = Script(tests=[{"/logs/verifier/reward.json": f'{{"reward": 1{"0" * 400}}}'}])
    plain = Script(tests=[{"/logs/verifier/reward.txt": "1"}])
    scripts(lambda name, run: huge if name.startswith("two") else plain)

    runs = [parity_run(*_LINE, "-n", 1, "-q") for _ in range(2)]

    assert [(ran.code, len(ran.err)) for ran in runs] == [(3, 1), (3, 1)]
    assert all(ran.err[0].startswith("parity run: jobs/j: a metric raises OverflowError") for ran in runs)
    assert len(list(Path("jobs/j").glob("*/result.json"))) == 4
