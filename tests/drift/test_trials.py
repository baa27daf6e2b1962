"""`parity drift OLD NEW --jobs JOB_DIR --verifier DIR`: which of the user's own trials would score otherwise."""

import json
import os
import shutil
from collections.abc import Sequence
from pathlib import Path

import pytest

from parity.command import drift_show, main
from parity.operations.job_stats.job_plans import PlannedRun, PlannedTask, RealJobPlan, Spot
from parity.reference.real_jobs import run_real_job
from parity.runners import CleanRoom, Unsupported
from parity.scorer.values import Rewards
from tests.drift.fake_releases import opening
from tests.faulty.read_reward.files import TextWins


def _behave(spot: Spot) -> PlannedRun:
    return PlannedRun({"reward": 0.0}, steps=(PlannedRun({"reward": 1.0}),) * 2)


@pytest.fixture(scope="session")
def ran(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A job that the wheel ran: a task in two attempts, and one of two steps."""
    tasks = PlannedTask("one", "data"), PlannedTask("steps", "data", steps=2)
    return run_real_job(tmp_path_factory.mktemp("job"), RealJobPlan(tasks, _behave, attempts=2))


@pytest.fixture
def job(ran: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of it, which the test may change; the newer release reads reward.txt first."""
    shutil.copytree(ran, tmp_path / "job")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(drift_show, "opened", opening(TextWins()))
    return Path("job")


def _trial(job: Path, task: str) -> Path:
    """The folder of one trial of the task."""
    return next(path.parent for path in sorted(job.glob(f"{task}__*/result.json")))


def _drift(*arguments: object) -> int:
    return main(["drift", "1.0", "2.0", *map(str, arguments)])


def test_a_job_that_scores_alike(job: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """One line, which counts the verifiers' folders: those of single trials and of steps."""
    code = _drift("--jobs", job)

    assert (code, capsys.readouterr().out) == (0, "0 of 6 verifiers' folders score differently\n")


def test_a_trial_that_moves(job: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """It has a line with its rule and both answers, and so has each metric of the job that moves with it."""
    verifier = _trial(job, "one") / "verifier"
    (verifier / "reward.txt").write_text("1")

    code = _drift("--jobs", job)

    trial, metric, estimate, total = capsys.readouterr().out.splitlines()
    sides = "harbor 1.0 {'reward': 0.0}; harbor 2.0 {'reward': 1.0}"
    assert code == 1
    assert trial == f"pays out  {verifier} (reward-file/json-wins): {sides}"
    assert metric.startswith("pays out  job: mean of ")
    assert estimate.startswith("pays out  job: pass@k: ")
    assert total == "1 of 6 verifiers' folders, and 2 metrics of jobs score differently"


def test_a_step_that_moves(job: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """It has a line; the metrics take the trial's rewards as they are recorded."""
    verifier = next(iter(sorted(job.glob("steps__*/steps/*/verifier"))))
    (verifier / "reward.txt").write_text("2")

    code = _drift("--jobs", job)

    step, total = capsys.readouterr().out.splitlines()
    assert code == 1
    assert step.startswith(f"pays out  {verifier} (reward-file/json-wins): ")
    assert total == "1 of 6 verifiers' folders score differently"


def test_a_trial_that_failed_for_another_reason(job: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """What its verifier had left by then decides nothing."""
    trial = _trial(job, "one")
    document = json.loads((trial / "result.json").read_text())
    error = {"exception_type": "VerifierTimeoutError", "exception_message": "", "exception_traceback": ""}
    document |= {"verifier_result": None, "exception_info": {**error, "occurred_at": document["finished_at"]}}
    (trial / "result.json").write_text(json.dumps(document))
    (trial / "verifier" / "reward.txt").write_text("1")

    code = _drift("--jobs", job)

    assert (code, capsys.readouterr().out) == (0, "0 of 6 verifiers' folders score differently\n")


def test_json(job: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """One object with what moves."""
    (_trial(job, "one") / "verifier" / "reward.txt").write_text("1")

    _drift("--jobs", job, "--json")

    document = json.loads(capsys.readouterr().out)
    assert (document["asked"], [each["trial"] for each in document["moved"]]) == (6, [True, False, False])
    assert document["moved"][0]["rule"] == "reward-file/json-wins"


def test_a_verifiers_folder(job: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """It may have any name, and is not changed."""
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
    """One line that says so."""
    Path("empty").mkdir()

    code = _drift(option, where)

    out, err = capsys.readouterr()
    assert code == 3
    assert f"parity drift: {said}" in err
    assert err.count("\n") == 2
    assert out == "0 of 0 verifiers' folders score differently\n"


def test_a_job_that_cannot_be_read_whole(job: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The rest is compared trial by trial, and a line says what is not."""
    (_trial(job, "one") / "result.json").write_text("{")

    code = _drift("--jobs", job)

    out, err = capsys.readouterr()
    assert (code, out) == (3, "0 of 5 verifiers' folders score differently\n")
    assert "result.json: not JSON" in err
    assert "job: its metrics are not compared, because parts of it cannot be read" in err


def test_an_error_is_named(job: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """By its kind alone: its message is about a copy."""
    folder = Path("anywhere")
    folder.mkdir()
    (folder / "reward.json").write_text("[1")
    (folder / "reward.txt").write_text("1")

    _drift("--verifier", folder)

    line, total = capsys.readouterr().out.splitlines()
    assert line.endswith(": harbor 1.0 raises VerifierOutputParseError; harbor 2.0 {'reward': 1.0}")
    assert total == "1 of 1 verifiers' folders score differently"


class _Early:
    """Has no pass@k."""

    name = "early"

    def read_reward(self, directory: Path) -> Rewards | None:
        return CleanRoom().read_reward(directory)

    def aggregate(self, metric: str, rewards: Sequence[Rewards | None]) -> Rewards:
        return CleanRoom().aggregate(metric, rewards)

    def pass_at_k(self, trials: object) -> object:
        raise Unsupported("it has no pass@k")


def test_what_a_release_lacks(job: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """It is named, and the rest is compared."""
    monkeypatch.setattr(drift_show, "opened", opening(_Early()))

    code = _drift("--jobs", job)

    assert code == 3
    assert "job: pass@k: not claimed by harbor 2.0: it has no pass@k" in capsys.readouterr().err


def test_vectors_and_trials_are_asked_one_by_one(capsys: pytest.CaptureFixture[str]) -> None:
    """`-k` chooses vectors."""
    with pytest.raises(SystemExit) as ended:
        _drift("-k", "read_reward", "--jobs", "job")

    assert ended.value.code == 2
    assert capsys.readouterr().err.count("\n") == 1
