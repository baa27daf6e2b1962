"""`parity score` on folders that are right, wrong and unreadable: what it prints, and its exit codes."""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from parity.command import main
from parity.operations.folders import without_file_privileges
from parity.reference.job_plans import JobPlan, PlannedTask, Run, Spot
from parity.reference.real_jobs import run_job
from parity.scorer import Series, Usage

_GIGABYTE = 1 << 30


def _behave(spot: Spot) -> Run:
    rewards = {"reward": 0.1 + spot.attempt / 3}
    failing = "ValueError" if spot.task == "one" and spot.attempt == 1 else None
    return Run(rewards, agent=failing, usage=Usage(10, 2, 3, 0.1), steps=(Run(rewards, usage=Usage(1, 1, 1, 0.5)),) * 2)


@pytest.fixture(scope="module")
def ran(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A job that the wheel ran."""
    tasks = PlannedTask("alone"), PlannedTask("one", "data"), PlannedTask("steps", "data", steps=2)
    return run_job(tmp_path_factory.mktemp("job"), JobPlan(tasks, _behave, attempts=2))


@pytest.fixture
def job(ran: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of it, which the test may damage; names are relative to its parent."""
    shutil.copytree(ran, tmp_path / "job")
    monkeypatch.chdir(tmp_path)
    return Path("job")


def _trial(job: Path, task: str = "alone") -> Path:
    return next(iter(sorted(job.glob(f"{task}__*"))))


def _score(capfd: pytest.CaptureFixture[str], *arguments: object) -> tuple[int, str, list[str]]:
    code = main(["score", *map(str, arguments)])
    printed = capfd.readouterr()
    return code, printed.out, printed.err.splitlines()


def _edit(path: Path, change: Callable[[dict[str, Any]], object], indent: int | None = 4) -> None:
    document = json.loads(path.read_text())
    change(document)
    path.write_text(json.dumps(document, indent=indent, ensure_ascii=False))


def _set(field: str, value: object) -> Callable[[dict[str, Any]], None]:
    def change(document: Any) -> None:
        *way, last = field.split(".")
        for part in way:
            document = document[int(part) if isinstance(document, list) else part]
        if value is ...:
            del document[last]
        else:
            document[last] = value

    return change


def test_a_job_that_is_right(job: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """Standard output is result.json, byte for byte; the verdict says in which order."""
    code, out, err = _score(capfd, job)

    assert code == 0
    assert out == (job / "result.json").read_text()
    assert err == [
        "result.json says exactly this (6 trials, as lock.json plans them, attempts by the time when they started; "
        "id, started_at, updated_at, finished_at and n_retries taken over)"
    ]


def test_check_and_quiet(job: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """Neither the document nor the verdict; the exit code is enough."""
    assert _score(capfd, job, "--check", "--quiet") == (0, "", [])


def test_a_job_that_is_wrong(job: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """Each difference has its path and both values, floats to the last bit."""
    right = (job / "result.json").read_text()
    _edit(job / "result.json", _set("stats.n_errored_trials", 3))
    _edit(job / "result.json", _set("stats.evals.scripted__adhoc.metrics.0.mean", 0.2666666666666667))

    code, out, err = _score(capfd, job)

    assert (code, out) == (1, right)
    assert err[0].startswith("result.json differs in 2 places (6 trials, as lock.json plans them")
    assert err[1:] == [
        "  stats.n_errored_trials: should be 1, is 3",
        "  stats.evals.scripted__adhoc.metrics[0].mean: "
        "should be 0.26666666666666666 (0x1.1111111111111p-2), is 0.2666666666666667 (0x1.1111111111112p-2)",
    ]


def test_other_layouts(job: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """Trials and lock may have any layout; the job's result.json is Harbor's text, or it is not right."""
    right = (job / "result.json").read_text()
    for path in [job / "lock.json", job / "config.json", *job.glob("*/result.json")]:
        mtime = path.stat().st_mtime
        _edit(path, lambda document: None, indent=None)
        os.utime(path, (mtime, mtime))

    assert _score(capfd, job, "--quiet") == (0, right, [])

    _edit(job / "result.json", lambda document: None, indent=2)
    code, out, err = _score(capfd, job)
    assert (code, out) == (1, right)
    assert err[0].startswith("result.json has the same values, but is not written as Harbor writes it (6 trials")


def test_linked_and_strange_folders(job: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """A link to a trial's folder is one; a folder without trial files is left out, and named."""
    trial = _trial(job)
    trial.rename("elsewhere")
    trial.symlink_to(Path("elsewhere").absolute())
    (job / "plots").mkdir()

    code, _, err = _score(capfd, job)

    assert (code, err[0]) == (0, "note: no trials, left out: plots")


def test_datasets_of_a_registry(job: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """Their own metrics are not in the folder."""
    _edit(job / "config.json", lambda config: config["datasets"].append({"name": "terminal-bench", "version": "2"}))
    os.utime(job / "config.json", (0, 0))

    code, _, err = _score(capfd, job)

    assert (code, err[0]) == (0, "note: dataset terminal-bench is a registry's; metrics that the registry adds "
                                 "are not in the folder, none is assumed")  # fmt: skip


def test_fewer_trials_than_planned(job: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """What is missing is said before the differences that it makes."""
    shutil.rmtree(_trial(job))

    code, _, err = _score(capfd, job)

    assert (code, err[0]) == (1, "note: lock.json plans 6 trials, 1 of them are not in the folder")


def test_trials_that_are_not_planned(job: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """They are taken at the end, and named."""
    trial = _trial(job)
    _edit(trial / "result.json", _set("config.task.path", "/elsewhere"))

    _, _, err = _score(capfd, job)

    assert err[0] == f"note: lock.json plans no such trial, or not so often: {trial.name}"


def test_files_of_the_verifier(job: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """With --files, recorded rewards are held to the files and steps that they come from."""
    plain, steps = _trial(job), _trial(job, "steps")
    assert _score(capfd, job, "--check", "--files")[0] == 0
    (plain / "verifier" / "reward.json").write_text('{"reward": 0.25}')
    _edit(steps / "result.json", _set("step_results.1.verifier_result.rewards.reward", 7.0))

    code, _, err = _score(capfd, job, "--check", "--files")

    recorded = json.loads((plain / "result.json").read_text())["verifier_result"]["rewards"]
    whole = json.loads((steps / "result.json").read_text())["verifier_result"]["rewards"]
    in_file = json.loads((steps / "steps" / "step-2" / "verifier" / "reward.json").read_text())
    assert code == 1
    assert sorted(err[1:]) == sorted([
        f"  {plain.name}: result.json records {recorded}, the verifier's files give {{'reward': 0.25}}",
        f"  {steps.name}/steps/step-2: result.json records {{'reward': 7.0}}, the verifier's files give {in_file}",
        f"  {steps.name}: records {whole}, which is neither the mean nor the last of its steps",
    ])  # fmt: skip


def test_python_3_14(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """The series decides how ints and floats are summed."""
    rewards = (1e16, 1, 1, -1e16)
    behave = lambda spot: Run({"reward": rewards[spot.attempt]})  # noqa: E731
    job = run_job(tmp_path, JobPlan((PlannedTask("task"),), behave, attempts=4, metrics=("sum",)))
    capfd.readouterr()

    answers = {series: _score(capfd, job, "--series", series) for series in ("3.12", "3.14")}

    sums = {
        series: json.loads(out)["stats"]["evals"]["scripted__adhoc"]["metrics"][0]["sum"]
        for series, (_, out, _) in answers.items()
    }
    assert sums == {"3.12": 0.0, "3.14": 2.0}
    assert answers[Series.running()][0] == 0


# Wrong usage and folders that are no jobs


def test_wrong_usage() -> None:
    """The command line says what is wrong."""
    with pytest.raises(SystemExit, match="2"):
        main(["score"])


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("nowhere", "nowhere: No such file or directory"),
        ("file", "file: Not a directory"),
        ("empty", "empty: neither a job's folder (config.json, lock.json, result.json) nor a verifier's "
                  "(reward.json, reward.txt)"),
        ("trial", "trial: a trial's folder; score its verifier folder, or the job's folder above it"),
    ],
)  # fmt: skip
def test_no_job(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str], name: str, reason: str
) -> None:
    """One line, and exit code 3."""
    monkeypatch.chdir(tmp_path)
    Path("file").touch()
    Path("empty").mkdir()
    Path("trial/verifier").mkdir(parents=True)

    assert _score(capfd, name) == (3, "", [reason])


# Jobs that cannot be read


def _cut_off(path: Path) -> None:
    path.write_text(path.read_text()[:-20])


def _pipe(path: Path) -> None:
    path.unlink()
    os.mkfifo(path)


def _folder(path: Path) -> None:
    path.unlink()
    path.mkdir()


def _huge(path: Path) -> None:
    os.truncate(path, _GIGABYTE)


def _latin(path: Path) -> None:
    path.write_bytes(path.read_bytes().replace(b'{\n    "', b'{\n    "\xe9": 0, "', 1))


def _nested(path: Path) -> None:
    path.write_text("[" * 200_000)


def _surrogate(path: Path) -> None:
    path.write_text(path.read_text().replace('{\n    "', '{\n    "note": "\\ud800", "', 1))


def _dangling(path: Path) -> None:
    path.unlink()
    path.symlink_to("nowhere")


def _device(path: Path) -> None:
    path.unlink()
    path.symlink_to("/dev/zero")


_DAMAGE: list[tuple[Callable[[Path], object], str]] = [
    (_cut_off, "not JSON: "),
    (_pipe, "not a regular file, but a named pipe"),
    (_folder, "not a regular file, but a folder"),
    (_latin, "not UTF-8: byte 7 is 0xe9"),
    (_nested, "nested too deeply"),
    (_surrogate, "not JSON: half of a surrogate pair in a string"),
    (_dangling, "no such file"),
    (_device, "not a regular file, but a device"),
    (lambda path: path.write_text(""), "empty"),
    (lambda path: path.write_text("[]"), "must be a JSON object, not an array"),
    (lambda path: path.write_text("7"), "must be a JSON object, not a number"),
]


@pytest.mark.parametrize("name", ["config.json", "lock.json", "result.json", "TRIAL/result.json"])
@pytest.mark.parametrize(("damage", "reason"), _DAMAGE, ids=lambda value: getattr(value, "__name__", str(value)))
def test_damaged_files(
    job: Path, capfd: pytest.CaptureFixture[str], name: str, damage: Callable[[Path], object], reason: str
) -> None:
    """Whatever is in the place of a file, one line names it and says why."""
    path = job / name.replace("TRIAL", _trial(job).name)
    damage(path)

    code, out, err = _score(capfd, job)

    shown = str(path.relative_to(job)) if "TRIAL" in name else str(path)
    assert (code, out, len(err)) == (3, "", 1)
    assert err[0].startswith(f"{shown}: {reason}")


@pytest.mark.parametrize("name", ["config.json", "lock.json", "result.json", "TRIAL/result.json"])
def test_huge_files(job: Path, capfd: pytest.CaptureFixture[str], name: str) -> None:
    """A gigabyte is refused by its size; lock.json may be larger, but no trial in it."""
    path = job / name.replace("TRIAL", _trial(job).name)
    _huge(path)

    code, _, err = _score(capfd, job)

    assert (code, len(err)) == (3, 1)
    reason = {
        "lock.json": "a trial of more than 67,108,864 bytes",
        "result.json": "more than the 268,435,456 that are read",
    }
    assert reason.get(name, ": 1,073,741,824 bytes, more than the 67,108,864 that are read") in err[0]


@pytest.mark.parametrize("name", ["config.json", "lock.json", "result.json"])
def test_missing_files(job: Path, capfd: pytest.CaptureFixture[str], name: str) -> None:
    """Harbor writes all three."""
    (job / name).unlink()

    assert _score(capfd, job) == (3, "", [f"job/{name}: no such file"])


@pytest.mark.parametrize("name", ["config.json", "lock.json", "result.json", "TRIAL/result.json"])
def test_unreadable_files(job: Path, capfd: pytest.CaptureFixture[str], name: str) -> None:
    """Permissions are named."""
    path = job / name.replace("TRIAL", _trial(job).name)
    path.chmod(0)

    with without_file_privileges():
        code, _, err = _score(capfd, job)

    assert (code, len(err)) == (3, 1)
    assert err[0].endswith(f"{path.name}: may not be read")


def test_a_trial_without_result(job: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """A finished job has none; in a job that has not ended, the trial runs."""
    trial = _trial(job)
    (trial / "result.json").unlink()

    assert _score(capfd, job) == (3, "", [f"{trial.name}: no result.json, although the job has finished"])

    _edit(job / "result.json", _set("finished_at", None))
    code, _, err = _score(capfd, job)
    assert code == 1
    assert err[0] == "note: the job has not ended: its result.json is held to the interim stats, " \
                     "counts of running trials taken over"  # fmt: skip


def test_the_same_trial_twice(job: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """A copy of a trial's folder would count twice."""
    trial = _trial(job)
    shutil.copytree(trial, job / "copy")

    code, _, err = _score(capfd, job)

    assert (code, len(err)) == (3, 1)
    assert err[0].endswith(f"/result.json: trial {trial.name} is in another folder, too")


def test_many_problems(job: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """One line each, but ten at most."""
    for number in range(12):
        (job / f"trial-{number}").mkdir()
        (job / f"trial-{number}" / "result.json").write_text("{}")

    code, _, err = _score(capfd, job)

    assert (code, len(err)) == (3, 11)
    assert err[-1] == "and 2 more like these"


_WRONG = [
    ("trial_name", 7, "trial_name must be a string, not a number"),
    ("trial_name", ..., "trial_name must be a string, not null"),
    ("task_name", None, "task_name must be a string, not null"),
    ("source", [], "source must be a string, not an array"),
    ("trial_uri", ..., "trial_uri must be a string, not null"),
    ("task_checksum", ..., "task_checksum must be a string, not null"),
    ("task_id", "x", "task_id must be an object, not a string"),
    ("config", None, "config must be an object, not null"),
    ("config", "alone", "config must be an object, not a string"),
    ("config.task", 3, "config.task must be an object, not a number"),
    ("agent_info", None, "agent_info must be an object, not null"),
    ("agent_info.name", True, "agent_info.name must be a string, not a boolean"),
    ("agent_info.model_info", "m", "agent_info.model_info must be an object or null, not a string"),
    ("agent_info.model_info", {}, "agent_info.model_info.name must be a string, not null"),
    ("verifier_result", 1, "verifier_result must be an object or null, not a number"),
    ("verifier_result.rewards", [1], "verifier_result.rewards must be an object or null, not an array"),
    ("verifier_result.rewards.reward", "high", "verifier_result.rewards: reward 'reward' must be a number, not 'high'"),
    ("verifier_result.rewards.reward", [], "verifier_result.rewards: reward 'reward' must be a number, not 'list'"),
    ("exception_info", "no", "exception_info must be an object or null, not a string"),
    ("exception_info", {}, "exception_info.exception_message must be a string, not null"),
    ("agent_result", 5, "agent_result must be an object or null, not a number"),
    ("agent_result.n_input_tokens", 1.5, "agent_result.n_input_tokens must be an integer or null, not a number"),
    ("agent_result.n_cache_tokens", "x", "agent_result.n_cache_tokens must be an integer or null, not a string"),
    ("agent_result.n_output_tokens", {}, "agent_result.n_output_tokens must be an integer or null, not an object"),
    ("agent_result.cost_usd", "x", "agent_result.cost_usd must be a number or null, not a string"),
    ("started_at", "noon", "started_at must be a time, not 'noon'"),
    ("finished_at", 5, "finished_at must be a time or null, not a number"),
    ("step_results", {}, "step_results must be an array or null, not an object"),
    ("step_results", [1], "step_results.0 must be an object, not a number"),
    ("step_results", [{}], "step_results.0.step_name must be a string, not null"),
]


@pytest.mark.parametrize(("field", "value", "reason"), _WRONG)
@pytest.mark.parametrize("indent", [4, None])
def test_wrong_types(
    job: Path, capfd: pytest.CaptureFixture[str], field: str, value: object, reason: str, indent: int | None
) -> None:
    """What Harbor's models would refuse is named, file and field, whatever the layout."""
    trial = _trial(job)
    _edit(trial / "result.json", _set(field, value), indent)

    assert _score(capfd, job) == (3, "", [f"{trial.name}/result.json: {reason}"])


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("agent_result.n_input_tokens", "10"),
        ("agent_result.n_input_tokens", 10.0),
        ("agent_result.cost_usd", "0.1"),
        ("source", None),
        ("agent_info.model_info", None),
        ("exception_info", None),
        ("step_results", []),
    ],
)
def test_lax_types(job: Path, capfd: pytest.CaptureFixture[str], field: str, value: object) -> None:
    """What Harbor's models take for a number is one."""
    _edit(_trial(job) / "result.json", _set(field, value))

    assert _score(capfd, job, "-q")[0] == 0


_WRONG_JOB = [
    ("config.json", "metrics", [{"type": "uv-script"}], "metrics.0 is a uv-script, a program that only Harbor runs"),
    ("config.json", "metrics", [{"type": "median"}], "metrics.0.type must be one of mean, max, min, sum"),
    ("config.json", "metrics", {}, "metrics must be an array, not an object"),
    ("config.json", "datasets", [1], "datasets.0 must be an object, not a number"),
    ("config.json", "datasets", [{}], "datasets.0 must have a path or a name"),
    ("lock.json", "trials", [{}], "trials.0 must be an object with a task and an agent"),
    ("lock.json", "trials", [{"task": 1}], "trials.0 must be an object with a task and an agent"),
    ("lock.json", "trials", [5], "trials must hold objects, not a number"),
    ("lock.json", "trials", "all", "trials must be an array, not a string"),
    ("result.json", "id", None, "id must be a string, not null"),
    ("result.json", "updated_at", "soon", "updated_at must be a time, not 'soon'"),
    ("result.json", "stats", [], "stats must be an object, not an array"),
    ("result.json", "stats.n_retries", True, "stats.n_retries must be an integer, not a boolean"),
]


@pytest.mark.parametrize(("name", "field", "value", "reason"), _WRONG_JOB)
def test_wrong_types_in_the_job(
    job: Path, capfd: pytest.CaptureFixture[str], name: str, field: str, value: object, reason: str
) -> None:
    """The job's own files are held to their types, too."""
    _edit(job / name, _set(field, value))

    code, out, err = _score(capfd, job)

    assert (code, out) == (3, "")
    assert [line.replace("an array with", "an object with") for line in err] == [f"job/{name}: {reason}"]


def test_a_metric_that_overflows(job: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """It ends a job of Harbor's, so no result.json can be right."""
    _edit(_trial(job) / "result.json", _set("verifier_result.rewards.reward", 10**400))

    code, _, err = _score(capfd, job)

    assert code == 3
    assert err[0].startswith("a metric raises OverflowError, which ends a job of Harbor's: ")


def test_a_reward_that_nothing_tells(job: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """A null was nan or infinite, and without the verifier's files nobody knows."""
    trial = _trial(job)
    _edit(trial / "result.json", _set("verifier_result.rewards.reward", None))
    shutil.rmtree(trial / "verifier")

    assert _score(capfd, job) == (3, "", [f"{trial.name}/result.json: a reward is null, so it was nan or infinite, "
                                          "and the verifier's files do not tell which"])  # fmt: skip


# Verifier folders


def test_a_verifier_folder(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """Its rewards, as JSON; reward.json counts before reward.txt."""
    (tmp_path / "reward.txt").write_text("0.5")
    assert _score(capfd, tmp_path) == (0, '{"reward": 0.5}\n', [])

    (tmp_path / "reward.json").write_text('{"speed": true, "reward": 1}')
    assert _score(capfd, tmp_path) == (0, '{"speed": 1.0, "reward": 1}\n', [])


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        ("", "RewardFileEmptyError: Reward file is empty at verifier/reward.json"),
        ("{", "VerifierOutputParseError: Failed to parse verifier/reward.json as JSON: "),
        ("[1]", "ValidationError: rewards must be an object, not list"),
        ("[" * 200_000, "RecursionError: "),
    ],
)
def test_a_verifier_folder_without_rewards(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str], content: str, reason: str
) -> None:
    """The kind of error that Harbor records, and exit code 1."""
    monkeypatch.chdir(tmp_path)
    Path("verifier").mkdir()
    Path("verifier/reward.json").write_text(content)

    code, out, err = _score(capfd, "verifier")

    assert (code, out, len(err)) == (1, "", 1)
    assert err[0].startswith(reason)


def test_a_verifier_folder_with_a_pipe(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """It has no size, so it is empty, as for Harbor."""
    os.mkfifo(tmp_path / "reward.txt")

    code, _, err = _score(capfd, tmp_path)

    assert (code, err) == (1, [f"RewardFileEmptyError: Reward file is empty at {tmp_path}/reward.txt"])


def test_a_verifier_folder_that_is_empty(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """A folder of this name is a verifier's."""
    (tmp_path / "verifier").mkdir()

    code, _, err = _score(capfd, tmp_path / "verifier")

    assert (code, err[0].split(":")[0]) == (1, "RewardFileNotFoundError")


def test_a_huge_reward_file(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """It is refused by its size, and not read."""
    (tmp_path / "reward.txt").touch()
    _huge(tmp_path / "reward.txt")

    code, _, err = _score(capfd, tmp_path)

    assert code == 3
    assert err == [f"{tmp_path}/reward.txt: 1,073,741,824 bytes, more than the 67,108,864 that are read"]


def test_an_unreadable_reward_file(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """Permissions are named."""
    (tmp_path / "reward.txt").write_text("1")
    (tmp_path / "reward.txt").chmod(0)

    with without_file_privileges():
        code, _, err = _score(capfd, tmp_path)

    assert (code, err) == (3, [f"{tmp_path}/reward.txt: may not be read"])


def test_no_reference_is_needed(job: Path) -> None:
    """Neither Harbor nor pydantic nor Hypothesis is imported, nor rich where nobody watches."""
    program = (
        "import sys; from parity.command import main; code = main(['score', '--check', '-q', 'job']);"
        "print(code, [n for n in ('harbor', 'pydantic', 'hypothesis', 'pytest', 'rich') if n in sys.modules])"
    )

    printed = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout

    assert printed == "0 []\n"


def test_the_module_is_the_command(job: Path) -> None:
    """`python -m parity score` does the same."""
    ran = subprocess.run([sys.executable, "-m", "parity", "score", "job"], capture_output=True, check=True)

    assert ran.stdout == (job / "result.json").read_bytes()


def test_a_reader_that_has_had_enough(job: Path) -> None:
    """Whoever closes the pipe early still gets the verdict."""
    reader, writer = os.pipe()
    os.close(reader)

    ran = subprocess.run([sys.executable, "-m", "parity", "score", "job"], stdout=writer, stderr=subprocess.PIPE)

    os.close(writer)
    assert (ran.returncode, ran.stderr.decode().count("\n")) == (0, 1)


def test_a_bar_for_people(job: Path) -> None:
    """On a terminal, standard error shows how far it is."""
    ours, theirs = os.openpty()

    ran = subprocess.run(
        [sys.executable, "-m", "parity", "score", "--check", "job"], stderr=theirs, env={**os.environ, "TERM": "xterm"},
        check=True,
    )  # fmt: skip

    os.close(theirs)
    shown = os.read(ours, 1 << 16).decode()
    os.close(ours)
    assert ran.returncode == 0
    assert "reading trials" in shown
    assert "result.json says exactly this" in shown
