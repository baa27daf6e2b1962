"""`parity drift OLD NEW --jobs JOB_DIR --verifier DIR`: finds the user's own trials that score differently."""

import json
import os
import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from parity.command import drift_show, main
from parity.drift import job_numbers
from parity.operations.job_stats.job_plans import PlannedRun, PlannedTask, RealJobPlan, Spot
from parity.reference.real_jobs import run_real_job
from parity.reference.stored_jobs import StoredJob, stored_job
from parity.scorer.job import Job
from tests.drift import fake_releases
from tests.drift.fake_releases import opening
from tests.faulty.read_reward.files import TextWins

_NONE = "0 of 6 verifiers' folders score differently"


def _behave(spot: Spot) -> PlannedRun:
    return PlannedRun({"reward": 0.0}, steps=(PlannedRun({"reward": 1.0}),) * 2)


@pytest.fixture(scope="session")
def ran(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a job that the wheel ran: a task with two attempts, and a task of two steps."""
    tasks = PlannedTask("one", "data"), PlannedTask("steps", "data", steps=2)
    return run_real_job(tmp_path_factory.mktemp("job"), RealJobPlan(tasks, _behave, attempts=2))


@pytest.fixture
def job(ran: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a copy of the job for the test to change; the newer release reads reward.txt first."""
    shutil.copytree(ran, tmp_path / "job")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(drift_show, "opened", opening(TextWins()))
    return Path("job")


def _trial(job: Path, task: str) -> Path:
    """Return the folder of one trial of the task."""
    return next(path.parent for path in sorted(job.glob(f"{task}__*/result.json")))


def _drift(*arguments: object) -> int:
    return main(["drift", "1.0", "2.0", *map(str, arguments)])


def test_a_job_that_scores_alike(job: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The output has a line for each metric, and one that counts the verifiers' folders of trials and steps."""
    code = _drift("--jobs", job)

    metric, total = capsys.readouterr().out.splitlines()
    assert (code, total) == (0, _NONE)
    assert metric == "the same  job: scripted__data: mean: mean 0.5 = 2 / 4 trials"


def test_a_trial_that_moves(job: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The trial has a line with its rule and both answers; the job's numbers are those of the stored results."""
    verifier = _trial(job, "one") / "verifier"
    (verifier / "reward.txt").write_text("1")

    code = _drift("--jobs", job)

    trial, metric, total = capsys.readouterr().out.splitlines()
    sides = "harbor 1.0 {'reward': 0.0}; harbor 2.0 {'reward': 1.0}"
    assert code == 1
    assert trial == f"pays out  {verifier} (reward-file/json-wins): {sides}"
    assert metric.startswith("the same  job: ")
    assert total == "1 of 6 verifiers' folders score differently"


def test_a_step_that_moves(job: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The step has a line with its rule and both answers."""
    verifier = next(iter(sorted(job.glob("steps__*/steps/*/verifier"))))
    (verifier / "reward.txt").write_text("2")

    code = _drift("--jobs", job)

    step, _, total = capsys.readouterr().out.splitlines()
    assert code == 1
    assert step.startswith(f"pays out  {verifier} (reward-file/json-wins): ")
    assert total == "1 of 6 verifiers' folders score differently"


def test_a_trial_that_failed_for_another_reason(job: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The files of a trial that failed for another reason do not count."""
    trial = _trial(job, "one")
    document = json.loads((trial / "result.json").read_text())
    error = {"exception_type": "VerifierTimeoutError", "exception_message": "", "exception_traceback": ""}
    document |= {"verifier_result": None, "exception_info": {**error, "occurred_at": document["finished_at"]}}
    (trial / "result.json").write_text(json.dumps(document))
    (trial / "verifier" / "reward.txt").write_text("1")

    code = _drift("--jobs", job)

    assert (code, capsys.readouterr().out.splitlines()[-1]) == (0, _NONE)


def _leaves_out(reference: object, job: Job, folder: Path) -> StoredJob:
    """A release that leaves out the trials without a reward."""
    if isinstance(reference, TextWins):
        job = replace(job, earlier=tuple(trial for trial in job.earlier if trial.rewards))
    return stored_job(reference, job, folder)


@pytest.fixture
def unlike(job: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the job with a trial that has an error and no reward, which the newer release leaves out."""
    monkeypatch.setattr(job_numbers, "stored_job", _leaves_out)
    trial = _trial(job, "one") / "result.json"
    document = json.loads(trial.read_text())
    error = {"exception_type": "VerifierTimeoutError", "exception_message": "", "exception_traceback": ""}
    document |= {"verifier_result": None, "exception_info": {**error, "occurred_at": document["finished_at"]}}
    trial.write_text(json.dumps(document))
    return job


def test_a_denominator_that_moves(unlike: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The metric has a line for each release, with what it counts; moved trials are grouped by their fate."""
    code = _drift("--jobs", unlike)

    lines = capsys.readouterr().out.splitlines()
    assert code == 1
    assert lines[:3] == [
        "pays out  job: scripted__data: mean",
        "  harbor 1.0  mean 0.5 = 2 / 4 trials; 1 without a reward count as 0 (VerifierTimeoutError 1); "
        "over the 3 with one it is 0.667",
        "  harbor 2.0  mean 0.667 = 2 / 3 trials; 1 left out (VerifierTimeoutError 1)",
    ]
    assert lines[-2] == (
        "moved  job: counted as 0 by harbor 1.0, left out by harbor 2.0: 1 trial (VerifierTimeoutError 1): "
        + _trial(unlike, "one").name
    )
    assert lines[-1] == "0 of 6 verifiers' folders, and 7 numbers of jobs score differently"


def test_numbers_as_json(unlike: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The JSON has both values of each metric, what each release counts, and the moved trials."""
    _drift("--jobs", unlike, "--json")

    (job,) = json.loads(capsys.readouterr().out)["jobs"]
    mean = job["numbers"][0]
    assert (mean["harm"], mean["old"], mean["new"]) == ("pays-out", {"mean": 0.5}, {"mean": 2 / 3})
    assert mean["counts"][1] == "mean 0.667 = 2 / 3 trials; 1 left out (VerifierTimeoutError 1)"
    assert [(each["error"], each["old"], each["new"]) for each in job["trials"]] == [
        ("VerifierTimeoutError", [{"mean": 0.0}], None)
    ]


def test_json(job: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """`--json` prints one object with the differences."""
    (_trial(job, "one") / "verifier" / "reward.txt").write_text("1")

    _drift("--jobs", job, "--json")

    document = json.loads(capsys.readouterr().out)
    assert (document["asked"], [each["trial"] for each in document["moved"]]) == (6, [True])
    assert document["moved"][0]["rule"] == "reward-file/json-wins"


def test_a_verifiers_folder(job: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A verifier's folder may have any name, and is not changed."""
    folder = Path("anywhere")
    folder.mkdir()
    (folder / "reward.txt").write_text("1")
    os.mkfifo(folder / "reward.json")

    code = _drift("--verifier", folder)

    assert code == 1
    assert capsys.readouterr().out.startswith("pays out  anywhere (reward-file/")
    assert sorted(os.listdir(folder)) == ["reward.json", "reward.txt"]


@pytest.mark.parametrize(
    ("option", "where", "said"),
    [
        ("--verifier", "nowhere", "nowhere: No such file or directory; name the verifier's folder of a trial"),
        ("--verifier", "job", "job: a trial's or a job's folder, not a verifier's; "),
        ("--jobs", "nowhere", "nowhere: No such file or directory; name the folder of a job"),
        ("--jobs", "empty", "empty: holds no trial that has ended; name the folder of a job"),
    ],
)
@pytest.mark.usefixtures("job")
def test_a_folder_that_is_none(option: str, where: str, said: str, capsys: pytest.CaptureFixture[str]) -> None:
    """A folder that is not a job's or a verifier's gives one line that says so."""
    Path("empty").mkdir()

    code = _drift(option, where)

    out, err = capsys.readouterr()
    assert code == 3
    assert f"parity drift: {said}" in err
    assert err.count("\n") == 2
    assert out == "0 of 0 verifiers' folders score differently\n"


def test_a_job_that_cannot_be_read_whole(job: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """If a job cannot be read as a whole, its trials are compared, and a line says what is not."""
    (_trial(job, "one") / "result.json").write_text("{")

    code = _drift("--jobs", job)

    out, err = capsys.readouterr()
    assert (code, out) == (3, "0 of 5 verifiers' folders score differently\n")
    assert "result.json: not JSON" in err
    assert "job: its metrics are not compared, because parts of it cannot be read" in err


def test_an_error_is_named(job: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """An error is shown by its kind alone, because its message names a copy of the file."""
    folder = Path("anywhere")
    folder.mkdir()
    (folder / "reward.json").write_text("[1")
    (folder / "reward.txt").write_text("1")

    _drift("--verifier", folder)

    line, total = capsys.readouterr().out.splitlines()
    assert line.endswith(": harbor 1.0 raises VerifierOutputParseError; harbor 2.0 {'reward': 1.0}")
    assert total == "1 of 1 verifiers' folders score differently"


@pytest.mark.parametrize(
    ("lacking", "said"),
    [
        (
            {"job_stats": "harbor 1.0 has no jobs"},
            "job: harbor 1.0: harbor 1.0 has no jobs; its metrics are not compared",
        ),
        ({}, "result.json: 2 validation errors for TrialResult "),
    ],
)
def test_what_a_release_cannot_read(
    lacking: dict[str, str], said: str, job: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A folder that a release cannot read is named, and the job's numbers are not compared."""
    monkeypatch.setattr(fake_releases, "OLD", replace(fake_releases.OLD, lacking=lacking))
    if not lacking:
        trial = _trial(job, "one") / "result.json"
        document = json.loads(trial.read_text())
        document["verifier_result"]["rewards"]["reward"] = None  # a nan, which is read as one, but not by Harbor
        trial.write_text(json.dumps(document))

    code = _drift("--jobs", job)

    out, err = capsys.readouterr()
    assert (code, out) == (3, f"{_NONE}\n")
    assert said in err


def test_vectors_and_trials_are_asked_one_by_one(capsys: pytest.CaptureFixture[str]) -> None:
    """Vectors and trials cannot be asked in one command; `-k` chooses only vectors."""
    with pytest.raises(SystemExit) as ended:
        _drift("-k", "read_reward", "--jobs", "job")

    assert ended.value.code == 2
    assert capsys.readouterr().err.count("\n") == 1
