"""Tests for the document, the verdict and the exit code of `parity score` for right and wrong jobs."""

import json
import os
import shutil
from pathlib import Path
from typing import Any

import pytest

from parity.formats import METRIC_NAMES
from parity.operations.series import running_series
from tests.jobs.plans import PlannedRun, PlannedTask, RealJobPlan
from tests.jobs.runs import run_real_job
from tests.score.actions import edit, put, trial_of
from tests.score.conftest import Score


def test_right_result_is_printed_unchanged(job: Path, score: Score) -> None:
    """If result.json is right, standard output equals it, and the verdict states the order of the trials."""
    code, out, err = score(job)

    assert code == 0
    assert out == (job / "result.json").read_text()
    assert err == [
        "result.json is right (6 trials, as lock.json plans them, attempts by the time when they started; "
        "id, started_at, updated_at, finished_at and n_retries copied from it)"
    ]


def test_wrong_result_has_a_line_for_each_difference(job: Path, score: Score) -> None:
    """For a wrong result.json, each difference has its path and both values, with floats to the last bit."""
    right = (job / "result.json").read_text()
    edit(job / "result.json", put("stats.n_errored_trials", 3))
    edit(job / "result.json", put("stats.evals.scripted__adhoc.metrics.0.mean", 0.2666666666666667))

    code, out, err = score(job)

    assert (code, out) == (1, right)
    assert err[0].startswith("result.json differs in 2 places (6 trials, as lock.json plans them")
    assert err[1:] == [
        "  stats.n_errored_trials: should be 1, is 3",
        "  stats.evals.scripted__adhoc.metrics[0].mean: "
        "should be 0.26666666666666666 (0x1.1111111111111p-2), is 0.2666666666666667 (0x1.1111111111112p-2)",
    ]


def _listed(document: dict[str, Any]) -> dict[str, list[str]]:
    """Return the trial names that result.json lists for the dataset, by reward."""
    rewards: dict[str, list[str]] = document["stats"]["evals"]["scripted__data"]["reward_stats"]["reward"]
    return rewards


_REWARD = "stats.evals.scripted__data.reward_stats.reward"


def test_edited_trial_has_a_line_of_its_own(job: Path, score: Score) -> None:
    """An edited trial has a line of its own, and names that only move up in their list are not reported."""
    name, behind = _listed(json.loads((job / "result.json").read_text()))["0.1"]
    edit(job / name / "result.json", put("verifier_result.rewards.reward", 7.0))

    code, _, err = score(job, "--check")

    assert code == 1
    assert err[0].startswith("result.json differs in 2 places (6 trials, as lock.json plans them")
    assert err[1] == f'  {name}: should be in {_REWARD}."7.0", is in {_REWARD}."0.1"'
    assert err[2].startswith("  stats.evals.scripted__data.metrics[0].mean: should be ")
    assert behind not in "".join(err)
    assert len(err) == 3


def test_missing_unknown_and_repeated_names_are_reported(job: Path, score: Score) -> None:
    """A missing, an unknown and a repeated name in a list are reported in one line each."""
    first, second = _listed(json.loads((job / "result.json").read_text()))["0.1"]
    edit(job / "result.json", lambda document: _listed(document).update({"0.1": ["stranger", second, second]}))

    code, _, err = score(job, "--check")

    assert code == 1
    assert err[0].startswith("result.json differs in 3 places ")
    assert err[1:] == [
        f'  {first}: should be in {_REWARD}."0.1", is not',
        f'  stranger: should not be in {_REWARD}."0.1", but is',
        f'  {second}#2: should not be in {_REWARD}."0.1", but is',
    ]


def test_reordered_names_are_one_difference(job: Path, score: Score) -> None:
    """A list with the same names in another order is one difference."""
    first, second = _listed(json.loads((job / "result.json").read_text()))["0.1"]
    edit(job / "result.json", lambda document: _listed(document)["0.1"].reverse())

    code, _, err = score(job, "--check")

    assert code == 1
    assert err[1:] == [f'  {_REWARD}."0.1", order of names: should be {first}, {second}, is {second}, {first}']


def test_layout_of_input_files_does_not_matter(job: Path, score: Score) -> None:
    """The layout of lock.json, config.json and the trials' documents does not matter."""
    right = (job / "result.json").read_text()
    for path in [job / "lock.json", job / "config.json", *job.glob("*/result.json")]:
        mtime = path.stat().st_mtime
        edit(path, lambda document: None, indent=None)
        os.utime(path, (mtime, mtime))

    assert score(job, "--quiet") == (0, right, [])


@pytest.mark.parametrize(
    ("old", "new", "line"),
    [
        ("\n", "\r\n", "line 1 should be '{\\n', is '{\\r\\n'"),
        ("\n    ", "\n  ", 'line 2 should be \'    "id": '),
        ("0.26666666666666666", "0.266666666666666660", "line 20 should be '"),
        ("scripted", "\\u0073cripted", "line 15 should be '"),
    ],
)
def test_changed_layout_of_the_result_is_wrong(job: Path, score: Score, old: str, new: str, line: str) -> None:
    """Equal values in another layout are one difference, with the first line that differs."""
    text = (job / "result.json").read_text()
    assert old in text
    (job / "result.json").write_bytes(text.replace(old, new).encode())

    code, _, err = score(job, "--check")

    assert (code, len(err)) == (1, 2)
    assert err[0].startswith("result.json differs in 1 place (6 trials, ")
    assert err[1].startswith(f"  the same values, but another text: {line}")


def test_renamed_trial_directory_is_reported(job: Path, score: Score) -> None:
    """A trial's directory that does not have the trial's name is reported as a difference."""
    trial = trial_of(job)
    trial.rename(job / "alone__renamed")

    code, _, err = score(job, "--check")

    assert code == 1
    assert err[1:] == [f"  alone__renamed: the directory of a trial whose name is {trial.name}"]


def test_linked_trial_is_read_and_other_directories_are_noted(job: Path, score: Score) -> None:
    """A symlink to a trial's directory is read; a directory without a result.json is left out with a note."""
    trial = trial_of(job)
    trial.rename("elsewhere")
    trial.symlink_to(Path("elsewhere").absolute())
    (job / "plots").mkdir()

    code, _, err = score(job)

    assert (code, err[0]) == (0, "note: left out, because they have no result.json: plots")


def test_dataset_from_a_registry_is_noted(job: Path, score: Score) -> None:
    """A note states that the metrics of a registry's dataset are not in the directory."""
    edit(job / "config.json", lambda config: config["datasets"].append({"name": "terminal-bench", "version": "2"}))
    os.utime(job / "config.json", (0, 0))

    code, _, err = score(job)

    assert (code, err[0]) == (0, "note: dataset terminal-bench is from a registry; the registry's metrics "
                                 "are not in the directory, so none are assumed")  # fmt: skip


def test_missing_trials_are_counted(job: Path, score: Score) -> None:
    """A note states the number of planned trials that are missing from the directory."""
    shutil.rmtree(trial_of(job))

    code, _, err = score(job)

    assert (code, err[0]) == (1, "note: lock.json plans 6 trials; 1 of them is not in the directory")


@pytest.mark.parametrize(("field", "value"), [("config.task.path", "/elsewhere"), ("config.agent.kwargs", {"a": 1})])
def test_trials_that_are_not_planned_are_noted(job: Path, score: Score, field: str, value: object) -> None:
    """A note lists the trials whose task, or agent with all its settings, lock.json does not plan."""
    trial = trial_of(job)
    edit(trial / "result.json", put(field, value))

    _, _, err = score(job)

    assert err[0] == f"note: lock.json plans none or fewer of these trials: {trial.name}"


def test_order_of_an_agents_settings_does_not_count(job: Path, score: Score) -> None:
    """Trials whose agent has the planned settings in another order are planned ones."""
    for trial in job.glob("alone__*"):
        edit(trial / "result.json", put("config.agent.kwargs", {"a": 1, "b": None}))
    for place in (0, 3):
        edit(job / "lock.json", put(f"trials.{place}.agent.kwargs", {"b": None, "a": 1}))

    code, _, err = score(job)

    assert (code, len(err)) == (0, 1)


@pytest.mark.parametrize("time", ["0001-01-01T00:00:00", "9999-12-31T23:59:59.999999"])
def test_time_at_the_limits_of_the_calendar_is_read(job: Path, score: Score, time: str) -> None:
    """The start of a trial may be a local time at the limits of the calendar."""
    edit(trial_of(job, "steps") / "result.json", put("started_at", time))

    _, out, _ = score(job)

    assert json.loads(out)["n_total_trials"] == 6


@pytest.mark.parametrize("number", ["NaN", "Infinity", "-Infinity", '"nan"'])
@pytest.mark.parametrize("metric", METRIC_NAMES)
def test_number_typed_into_a_trial_is_judged(job: Path, score: Score, number: str, metric: str) -> None:
    """A nan or an infinity that a trial's result.json does hold is judged, and named, even if the order is hidden.

    Harbor reads such numbers, too.
    """
    edit(job / "config.json", put("metrics", [{"type": metric}]))
    path = trial_of(job) / "result.json"
    edit(path, put("verifier_result.rewards.reward", "TYPED"))
    path.write_text(path.read_text().replace('"TYPED"', number))
    edit(job / "result.json", put("stats.n_retries", 1))

    code, _, err = score(job, "--check")

    name = number.strip('"').lower().replace("infinity", "inf")
    assert code == 1
    assert any(f"should be in stats.evals.scripted__adhoc.reward_stats.reward.{name}" in line for line in err)


@pytest.mark.parametrize(
    ("rewards", "reason"),
    [
        ({"reward": None}, "a reward was nan or infinite, for which its trial's result.json has null"),
        ({"\ufffd\ufffd\ufffd": 0.5}, "the key of a reward was not UTF-8, which its trial's result.json does not hold"),
    ],
)
def test_lost_reward_leaves_no_verdict(job: Path, score: Score, rewards: dict[str, float | None], reason: str) -> None:
    """Where a trial's result.json lost a number or a key, result.json cannot be judged, and the reason is said."""
    edit(trial_of(job) / "result.json", put("verifier_result.rewards", rewards))

    code, _, err = score(job, "--check")

    assert (code, err[0]) == (3, f"result.json cannot be judged: {reason}")


def test_two_replacement_characters_are_no_lost_key(job: Path, score: Score) -> None:
    """Harbor writes an unpaired surrogate as three replacement characters, so a key with two of them is judged."""
    edit(trial_of(job) / "result.json", put("verifier_result.rewards", {"\ufffd\ufffd": 0.5}))

    code, _, err = score(job, "--check")

    assert (code, err[0].partition(" in ")[0]) == (1, "result.json differs")


def test_files_option_compares_the_verifiers_files(job: Path, score: Score) -> None:
    """With `--files`, recorded rewards that differ from the verifier's files or from the steps are reported."""
    plain, steps = trial_of(job), trial_of(job, "steps")
    assert score(job, "--check", "--files")[0] == 0
    (plain / "verifier" / "reward.json").write_text('{"reward": 0.25}')
    edit(steps / "result.json", put("step_results.1.verifier_result.rewards.reward", 7.0))

    code, _, err = score(job, "--check", "--files")

    recorded = json.loads((plain / "result.json").read_text())["verifier_result"]["rewards"]
    whole = json.loads((steps / "result.json").read_text())["verifier_result"]["rewards"]
    in_file = json.loads((steps / "steps" / "step-2" / "verifier" / "reward.json").read_text())
    assert code == 1
    assert sorted(err[1:]) == sorted([
        f"  {plain.name}: result.json records {recorded}, the verifier's files give {{'reward': 0.25}}",
        f"  {steps.name}/steps/step-2: result.json records {{'reward': 7.0}}, the verifier's files give {in_file}",
        f"  {steps.name}: records {whole}, which is neither the mean nor the last of its steps",
    ])  # fmt: skip


def test_files_option_accepts_the_mean_of_verified_steps(tmp_path: Path, score: Score) -> None:
    """With `--files`, a step whose verification failed does not count in the mean of a trial's steps."""
    run = PlannedRun(
        steps=(PlannedRun({"reward": 1.0}), PlannedRun({"reward": 0.0}), PlannedRun(verifier="ValueError"))
    )
    job = run_real_job(tmp_path, RealJobPlan((PlannedTask("steps", steps=3),), lambda _: run))

    code, _, err = score(job, "--check", "--files")

    assert (code, len(err)) == (0, 1)


def test_series_decides_sums(tmp_path: Path, score: Score, capfd: pytest.CaptureFixture[str]) -> None:
    """The interpreter series decides how ints and floats are added."""
    rewards = (1e16, 1, 1, -1e16)
    behave = lambda trial_run: PlannedRun({"reward": rewards[trial_run.attempt]})  # noqa: E731
    job = run_real_job(tmp_path, RealJobPlan((PlannedTask("task"),), behave, attempts=4, metrics=("sum",)))
    capfd.readouterr()

    answers = {series: score(job, "--series", series) for series in ("3.12", "3.14")}

    sums = {
        series: json.loads(out)["stats"]["evals"]["scripted__adhoc"]["metrics"][0]["sum"]
        for series, (_, out, _) in answers.items()
    }
    assert sums == {"3.12": 0.0, "3.14": 2.0}
    assert answers[running_series()][0] == 0
