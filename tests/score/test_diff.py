"""Tests for `parity diff`, which compares two jobs, or a job with its directory of tasks."""

import shutil
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path

import pytest

from parity.command import main
from parity.scorer.sign_flips import chance
from tests.score.actions import edit, put, trial_of


@pytest.fixture
def other(job: Path) -> Path:
    """Return a second copy of the job."""
    shutil.copytree(job, "other")
    return Path("other")


@pytest.fixture
def tasks(ran: Path, job: Path) -> Path:
    """Return the directory of the job's tasks."""
    shutil.copytree(ran.parent / "datasets" / "data", "tasks")
    shutil.copytree(ran.parent / "tasks" / "alone", "tasks/alone")
    return Path("tasks")


def _diff(capsys: pytest.CaptureFixture[str], *directories: Path) -> tuple[int, list[str]]:
    """Return the exit code and the lines on standard output."""
    code = main(["diff", *map(str, directories)])
    return code, capsys.readouterr().out.splitlines()


def test_job_does_not_differ_from_its_copy(job: Path, other: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A job and its copy do not differ; each metric is shown with the number of trials in it."""
    code, lines = _diff(capsys, job, other)

    assert (code, lines[-1]) == (0, "0 differences in settings, tasks and result.json")
    assert lines[:3] == [
        "a  job: 6 trials",
        "b  other: 6 trials",
        "metric  scripted__adhoc: a and b mean 0.26666666666666666 = 0.5333333333333333 / 2 trials",
    ]


def test_settings_that_change_scores_are_listed(job: Path, other: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Only settings that can change a score are listed, with the values in both jobs; concurrency is not listed."""
    for place, value in [
        ("trials.0.timeout_multiplier", 2.0),
        ("trials.1.agent.model_name", "m"),
        ("trials.0.task.digest", "sha256:" + "0" * 64),
        ("n_concurrent_trials", 9),
        ("trials.0.environment.delete", False),
        ("trials.0.environment.kwargs", {"sandbox": "local"}),
    ]:
        edit(other / "lock.json", put(place, value))
    edit(other / "config.json", put("n_attempts", 3))

    code, lines = _diff(capsys, job, other)

    assert code == 1
    assert lines[2:5] == [
        'setting  agent.model_name: a not set; b "m"',
        "setting  n_attempts: a 2; b 3",
        "setting  timeout_multiplier: a 1.0; b 1.0, 2.0",
    ]
    assert lines[5].startswith("digest  ")
    assert lines[5].endswith("; b sha256:000000000000, " + lines[5].split()[3][:-1])
    assert lines[6] == "result  b: result.json does not follow from its trials: see parity score --check other"
    assert lines[-1] == "5 differences in settings, tasks and result.json"


def test_tasks_that_differ_are_listed(job: Path, other: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Tasks with other rewards, errors or trial counts are listed, and the means get a p-value and its method."""
    edit(trial_of(other) / "result.json", put("verifier_result.rewards.reward", 1.0))
    shutil.rmtree(trial_of(other, "one"))

    code, lines = _diff(capsys, job, other)

    task_lines = [line for line in lines if line.startswith(("task", "chance"))]
    assert code == 1
    assert len(task_lines) == 4
    assert task_lines[0].startswith("task  alone: a reward 0.1, reward 0.43333333333333335; b reward ")
    assert task_lines[1].startswith("task  one: a ")
    assert task_lines[2].startswith("chance  scripted__adhoc: reward: b - a is 0.")
    assert task_lines[2].endswith(" over 1 task, p = 1 (paired; exact sign-flip permutation)")


def test_error_in_a_step_is_a_difference(job: Path, other: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """An error in a step is a difference in its task, even if the trial itself has no error."""
    error = {"exception_type": "AgentTimeoutError", "exception_message": "", "exception_traceback": ""}
    at = {"occurred_at": "2026-01-01T00:00:00"}
    edit(trial_of(other, "steps") / "result.json", put("step_results.1.exception_info", error | at))

    code, lines = _diff(capsys, job, other)

    assert (code, lines[-1]) == (1, "1 difference in settings, tasks and result.json")
    assert " (AgentTimeoutError in step step-2)" in lines[2]


@pytest.mark.parametrize(
    ("place", "value", "line"),
    [
        ("n_total_trials", 99, "n_total_trials: a 6; b 99"),
        ("stats.n_errored_trials", 0, "stats.n_errored_trials: a 1; b 0"),
        ("stats.n_retries", ..., None),
        (
            "stats.evals.scripted__adhoc.metrics.0.mean", 0.2666666666666667,
            "scripted__adhoc: metrics[0].mean: a 0.26666666666666666; b 0.2666666666666667",
        ),
        ("stats.evals.scripted__data.n_errors", 1.0, "scripted__data: n_errors: a 1; b 1.0"),
        ("stats.evals.scripted__data.pass_at_k", {"2": 0.5}, "scripted__data: pass_at_k.2: a nothing; b 0.5"),
    ],
)  # fmt: skip
def test_numbers_in_result_json_are_compared(
    place: str, value: object, line: str | None, job: Path, other: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A number that differs between the two result.json is a difference, and so is a file that contradicts its trials.

    A file may lack n_retries, but that is another text than Harbor's.
    """
    edit(other / "result.json", put(place, value))

    code, lines = _diff(capsys, job, other)

    shown = [f"result  {line}"] if line else ["result  stats.n_retries: a 0; b nothing"]
    assert code == 1
    assert lines[2:4] == [
        *shown,
        "result  b: result.json does not follow from its trials: see parity score --check other",
    ]
    assert lines[-1] == "2 differences in settings, tasks and result.json"


def test_groups_of_other_agents_are_compared(job: Path, other: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """If each job has one group, the numbers of these two are compared, whatever the names of their agents."""
    for each in (job, other):
        for task in ("one", "steps"):
            for path in each.glob(f"{task}__*"):
                shutil.rmtree(path)
        edit(each / "result.json", put("stats.evals.scripted__data", ...))
    text = (other / "result.json").read_text().replace("scripted__adhoc", "another__adhoc")
    (other / "result.json").write_text(text.replace("0.26666666666666666", "0.25"))

    _, lines = _diff(capsys, job, other)

    name = "scripted__adhoc and another__adhoc"
    assert f"result  {name}: metrics[0].mean: a 0.26666666666666666; b 0.25" in lines


def test_key_of_one_job_gets_no_p_value(job: Path, other: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A reward key that only one of the jobs has is not compared, and has no p-value."""
    for path in other.glob("alone__*/result.json"):
        edit(path, put("verifier_result.rewards.speed", 0.5))

    _, lines = _diff(capsys, job, other)

    assert [line for line in lines if line.startswith("chance")] == [
        "chance  scripted__adhoc: speed: not compared, because only b has this reward"
    ]


def test_trial_in_place_of_a_job_is_named(job: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A trial's directory is refused in one line that says what it is."""
    trial = trial_of(job)

    code = main(["diff", str(job), str(trial)])

    assert code == 2
    message = f"parity diff: {trial}: a trial's directory; name the job's, which is above it\n"
    assert capsys.readouterr() == ("", message)


def test_unfinished_job_is_no_run_of_a_directory(job: Path, tasks: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A job that has not ended is refused in comparison with its tasks, too."""
    _without_end(job)

    code = main(["diff", str(job), str(tasks)])

    assert code == 2
    assert capsys.readouterr().err == "parity diff: job/result.json: the job has not ended; compare it when it has\n"


def test_same_directory_is_refused(job: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Comparing a job with itself is refused, even if the second path is spelled differently."""
    code = main(["diff", str(job), f"../{Path.cwd().name}/job"])

    assert code == 2
    assert capsys.readouterr().err == (
        f"parity diff: ../{Path.cwd().name}/job: the same directory as job; name another job\n"
    )


def _without_lock(job: Path) -> None:
    (job / "lock.json").unlink()


def _of_a_release_without_lock(job: Path) -> None:
    _without_lock(job)
    edit(job / "result.json", put("stats.n_retries", ...))


def _without_end(job: Path) -> None:
    edit(job / "result.json", put("finished_at", None))


def _with_other_tasks(job: Path) -> None:
    for path in job.glob("*__*/result.json"):
        edit(path, put("task_name", "another"))


def _with_a_huge_reward(job: Path) -> None:
    edit(trial_of(job) / "result.json", put("verifier_result.rewards.reward", 10**400))


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        (_without_lock, "other/lock.json: no such file; restore it as Harbor wrote it"),
        (_of_a_release_without_lock, "other/lock.json: no such file; compare jobs of harbor 0.6.6 or later"),
        (_without_end, "other/result.json: the job has not ended; compare it when it has"),
        (_with_a_huge_reward, "a reward is beyond the range of a double: "),
        (_with_other_tasks, "other: no task in common with job; name two jobs of the same tasks"),
        (shutil.rmtree, "other: not a job's directory; name a directory with config.json, lock.json and result.json"),
    ],
)
def test_directory_that_cannot_be_compared_is_refused(
    change: Callable[[Path], None], problem: str, job: Path, other: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A directory that cannot be compared is refused in one line with exit code 2, and nothing is printed."""
    change(other)

    code = main(["diff", str(job), str(other)])

    out, err = capsys.readouterr()
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert err.startswith(f"parity diff: {problem}")


def test_complete_run_of_a_directory_passes(job: Path, tasks: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A job that ran all tasks of the directory passes every check."""
    assert _diff(capsys, job, tasks) == (0, ["every check passes"])


@pytest.mark.parametrize(
    ("place", "value", "line"),
    [
        ("trials.0.timeout_multiplier", 2.0, "timeouts  timeout_multiplier is 2.0"),
        ("trials.1.agent_timeout_multiplier", 0.5, "timeouts  agent_timeout_multiplier is 0.5"),
        ("trials.0.environment.override_cpus", 4, "overrides  environment.override_cpus is 4"),
        ("trials.0.verifier.max_timeout_sec", 9.0, "overrides  verifier.max_timeout_sec is 9.0"),
        ("trials.0.verifier.disable", True, "verification  is off"),
    ],
)
def test_setting_that_leaderboards_refuse_is_reported(
    place: str, value: object, line: str, job: Path, tasks: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A setting that leaderboards refuse is reported, even if only one trial has it."""
    edit(job / "lock.json", put(place, value))

    assert _diff(capsys, job, tasks) == (1, [line, "1 fault"])


def test_attempts_tasks_and_results_are_checked(job: Path, tasks: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Missing attempts, unknown or changed tasks, and a result.json that contradicts its trials are reported."""
    shutil.rmtree(trial_of(job))
    (tasks / "one" / "instruction.md").write_text("Another.\n")
    (tasks / "steps" / "task.toml").unlink()

    code, lines = _diff(capsys, job, tasks)

    assert code == 1
    assert lines[:2] == ["attempts  alone: 1 of 2", "attempts  steps: not a task in the directory"]
    assert lines[2].startswith("digests  one: sha256:")
    assert lines[3:] == ["result  result.json does not agree with its trials", "4 faults"]


@pytest.mark.parametrize(
    ("pairs", "expected"),
    [([1, 1, 1], 0.25), ([1, -1], 1.0), ([0, 0, 5], 1.0), ([3, 1, 2, 2], 0.125), ([1] * 200, 2.0**-199)],
)
def test_p_value_is_exact_for_few_sums(pairs: list[int], expected: float) -> None:
    """The exact p-value is the share of all sign flips whose sum is at least as large as the actual one."""
    assert chance([Fraction(pair, 3) for pair in pairs]) == (expected, "exact sign-flip permutation")


def test_p_value_is_estimated_for_many_sums() -> None:
    """If there are too many sums to count, random sign flips with a fixed seed are used instead."""
    pairs = [Fraction(1 << n) for n in range(20)]

    assert chance(pairs) == (1 / 10_001, "10,000 random sign flips, seed 0")
