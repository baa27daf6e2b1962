"""Tests that `parity score` explains each metric in a line, and can use another Harbor release as the reference."""

import sys
from pathlib import Path

import pytest

from parity.command import main
from parity.scorer.denominators import explain_metric
from parity.scorer.job import JobTrial
from tests.jobs.plans import PlannedRun, PlannedTask, RealJobPlan, TrialRun
from tests.jobs.runs import run_real_job
from tests.score.actions import edit, put, trial_of
from tests.score.conftest import Score

_RUNS = {
    "good": PlannedRun({"reward": 1.0}),
    "agent-timeout": PlannedRun({"reward": 1.0}, pause=10_000),
    "no-file": PlannedRun(verifier="RewardFileNotFoundError"),
    "bad-file": PlannedRun(text="?"),
    "verifier-timeout": PlannedRun({"reward": 1.0}, verifier="VerifierTimeoutError"),
    "environment": PlannedRun(start="RuntimeError"),
    "cancelled": PlannedRun(agent="CancelledError"),
    "null": PlannedRun(),
    "step": PlannedRun(steps=(PlannedRun({"reward": 1.0}), PlannedRun(verifier="ValueError"))),
}


def _behave(trial_run: TrialRun) -> PlannedRun:
    return _RUNS[trial_run.task]


def test_trials_without_a_reward_are_counted_by_error(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """Trials without a reward are counted for each error, but a trial with an agent timeout may have a reward."""
    tasks = tuple(PlannedTask(name, steps=2 * (name == "step")) for name in _RUNS)
    job = run_real_job(tmp_path, RealJobPlan(tasks, _behave, metrics=("mean", "max")))
    capfd.readouterr()

    code = main(["score", str(job)])

    mean, largest, _ = capfd.readouterr().err.splitlines()
    lacking = (
        "6 without a reward count as 0 (CancelledError 1, RewardFileNotFoundError 1, RuntimeError 1, "
        "VerifierOutputParseError 1, VerifierTimeoutError 1, no trial error 1); over the 3 with one it is "
    )
    assert code == 0
    assert mean == f"metric: scripted__adhoc: mean 0.3333333333333333 = 3.0 / 9 trials; {lacking}1.0"
    assert largest == f"metric: scripted__adhoc: max 1.0 of 9 trials; {lacking}1.0"


def _trial(name: str, rewards: dict[str, int | float] | None, exception: str | None = None) -> JobTrial:
    return JobTrial("agent", None, None, "task", rewards, name, exception)


def test_trials_that_a_release_leaves_out_are_counted() -> None:
    """The denominator lacks the trials that a release leaves out; the line says how many there are, by error."""
    trials = [_trial("a", {"reward": 1}), _trial("b", {"reward": 1}, "ApiError"), _trial("c", None, "ApiError")]

    lines = list(explain_metric("mean", {"mean": 1.0}, trials, {"b", "c"}))

    assert lines == ["mean 1.0 = 1 / 1 trial; 2 left out (ApiError 2)"]


def test_each_reward_key_has_its_own_line() -> None:
    """Each reward key has its own line, and a missing key is used as 0."""
    trials = [_trial("a", {"x": 1, "y": 0.5}), _trial("b", {"x": 1})]

    lines = list(explain_metric("mean", {"x": 1.0, "y": 0.25}, trials))

    assert lines == [
        "mean of x 1.0 = 2 / 2 trials",
        "mean of y 0.25 = 0.5 / 2 trials; 1 without this reward count as 0 (no trial error 1); "
        "over the 1 with one it is 0.5",
    ]


def test_number_beyond_a_double_is_shown_in_full() -> None:
    """A number beyond the range of a double is shown in full; values that cannot be computed are left out."""
    trials = [_trial("a", {"reward": 10**400}), _trial("b", None)]

    (line,) = explain_metric("sum", {"sum": 10**400}, trials)

    assert line.startswith(f"sum 1{'0' * 400} of 2 trials; ")


@pytest.mark.slow
def test_chosen_release_writes_the_document(job: Path, score: Score) -> None:
    """With `--reference`, the chosen release writes the document; this test chooses the release that ran the job."""
    code, out, err = score(job, "--reference", sys.executable)

    assert code == 0
    assert out == (job / "result.json").read_text()
    assert err[0].startswith("result.json is right (6 trials, as lock.json plans them")
    assert ", by harbor 0.13.1;" in err[0]


@pytest.mark.slow
def test_differences_from_the_chosen_release_are_listed(job: Path, score: Score) -> None:
    """With `--reference`, result.json is compared with the document that the chosen release writes."""
    edit(job / "result.json", put("stats.n_errored_trials", 3))

    code, _, err = score(job, "--reference", sys.executable)

    assert (code, err[1:]) == (1, ["  stats.n_errored_trials: should be 1, is 3"])


@pytest.mark.slow
def test_trial_that_the_release_cannot_read_is_reported(job: Path, score: Score) -> None:
    """A trial that the release cannot read is reported, and no document is printed."""
    trial = trial_of(job)
    edit(trial / "result.json", put("verifier_result.rewards.reward", None))
    (trial / "verifier" / "reward.json").write_text('{"reward": NaN}')

    code, out, err = score(job, "--reference", sys.executable)

    assert (code, out, len(err)) == (3, "", 1)
    assert err[0].startswith(f"parity score: harbor 0.13.1: {trial}/result.json: 2 validation errors for TrialResult ")


@pytest.mark.parametrize(
    ("name", "problem"),
    [
        ("0.0.1", "0.0.1: not a release that can be asked; repair it with: naming 0.1.45, newest or pre"),
        ("no/python", "no/python: the reference does not start"),
        ("goldne", "goldne: neither a release nor a program; repair it with: a release such as 0.26.0, or an "),
    ],
)
def test_unknown_release_is_refused(job: Path, name: str, problem: str, score: Score) -> None:
    """A release that cannot be run is refused in one line with exit code 3."""
    code, out, err = score(job, "--reference", name)

    assert (code, out, len(err)) == (3, "", 1)
    assert problem in err[0]


def test_golden_vectors_cannot_score_a_job(job: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """`--reference golden` is a usage error, because the vectors have no answer to a job."""
    with pytest.raises(SystemExit) as ended:
        main(["score", str(job), "--reference", "golden"])

    problem = "--reference golden has answers to golden vectors, but none to a job; name a release instead"
    assert ended.value.code == 2
    assert capfd.readouterr().err == f"parity score: {problem}; see parity score --help\n"


def test_verifier_directory_with_a_release_is_refused(job: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """A verifier's directory with `--reference` is a usage error, because a release scores only whole jobs."""
    with pytest.raises(SystemExit) as ended:
        main(["score", str(trial_of(job) / "verifier"), "--reference", sys.executable])

    assert ended.value.code == 2
    assert capfd.readouterr().err.count("\n") == 1
