"""The ends of `parity run`: summary, progress, exit codes, faults, and resuming."""

import re
from pathlib import Path

import pytest

from parity.command import run_and_report, shared_options
from parity.driver.sandbox import Sandboxes, SandboxUnavailable, TransferError
from parity.operations.scenarios.recording import Effect, RecordingSandbox, RecordingSandboxes, Script
from tests.run.actions import document, run
from tests.run.conftest import ScriptOf, SetScripts, rewarded
from tests.run.tasks import reward, write_task

pytestmark = pytest.mark.usefixtures("scripts")

_SUMMARY = """\
task  trials  errors  gave
one        2       -  reward 1.0, 0.5
two        2       2  RuntimeError x2

oracle__data
  rewarded    2
  metrics     mean 0.375
  exceptions  RuntimeError 2

RuntimeError: RuntimeError on purpose (and 1 more)

4 trials, 2 errors, in TIME
jobs/j/result.json
"""


def _mixed(trials: list[str]) -> ScriptOf:
    """Return scripts: task two has errors, and task one has another reward each time."""

    def scripts(name: str, run: int) -> Script:
        trials.append(name)
        if name.startswith("two"):
            return Script({0: Effect("raise", "RuntimeError")})
        return rewarded("1" if sum(trial.startswith("one") for trial in trials) == 1 else "0.5")

    return scripts


def test_summary(dataset: Path, capfd: pytest.CaptureFixture[str], scripts: SetScripts) -> None:
    """The summary has a row for each task, the numbers of result.json, and the path of the job."""
    scripts(_mixed([]))

    ran = run(capfd, dataset, "-k", 2, "-n", 1, "--job-name", "j", "-q")

    assert (ran.code, ran.err) == (1, [])
    assert re.sub(r"[0-9.]+ s\b", "TIME", ran.out) == _SUMMARY


def test_progress(dataset: Path, capfd: pytest.CaptureFixture[str], scripts: SetScripts) -> None:
    """Each trial that ended has a line."""
    scripts(_mixed([]))

    ran = run(capfd, dataset, "-n", 1)

    shown = sorted(re.sub(r"^./|__.{7}|[0-9.]+ s", "", line) for line in ran.err)
    assert shown == ["2 one: reward 1.0 ()", "2 two: RuntimeError: RuntimeError on purpose ()"]
    assert [line[:4] for line in ran.err] == ["1/2 ", "2/2 "]


_HIDDEN = "AddTestsDirError: the tests were not uploaded: disk full: 512 MB (storage_mb)"


def test_an_error_shows_its_cause(
    dataset: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The cause of an error is in its first line, in the line of progress, and in the summary."""

    async def put(sandbox: RecordingSandbox, source: Path, target: str) -> None:
        raise TransferError("disk full: 512 MB (storage_mb)\nmore")

    monkeypatch.setattr(RecordingSandbox, "put", put)

    ran = run(capfd, dataset / "one", "-a", "nop")

    (result,) = Path("jobs").glob("*/*/result.json")
    assert document(result)["exception_info"]["exception_message"] == _HIDDEN.partition(": ")[2]
    assert _HIDDEN in ran.err[0]
    assert _HIDDEN in ran.out.splitlines()


def test_errors_in_steps_are_counted(dataset: Path, capfd: pytest.CaptureFixture[str], scripts: SetScripts) -> None:
    """An error of a step is counted by itself, because it is not the trial's."""
    with (dataset / "one" / "task.toml").open("a") as toml:
        toml.write('[[steps]]\nname = "first"\n')
    (dataset / "one" / "steps" / "first").mkdir(parents=True)
    (dataset / "one" / "steps" / "first" / "instruction.md").touch()
    scripts(lambda name, run: Script())

    ran = run(capfd, dataset / "one", "-a", "nop", "-q")

    assert ran.code == 0
    assert ran.out.splitlines()[1].split()[1:3] == ["1", "1"]
    assert "RewardFileNotFoundError in step first: " in ran.out
    assert "1 trial, 0 errors, 1 error in steps, in " in ran.out


def test_retries_are_not_reported(
    dataset: Path,
    capfd: pytest.CaptureFixture[str],
    scripts: SetScripts,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A retried trial has one line, and counts once."""
    monkeypatch.setattr("parity.driver.job.asyncio.sleep", _at_once)
    scripts(lambda name, run: rewarded("1") if run else Script({0: Effect("raise", "RuntimeError")}))

    ran = run(capfd, dataset / "one", "-r", 1)

    assert ran.code == 0
    assert [line[:4] for line in ran.err] == ["1/1 ", "1/1 "]


async def _at_once(seconds: float) -> None:
    pass


def test_large_jobs_report_one_trial_in_a_hundred(dataset: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """A large job has about a hundred lines of progress."""
    ran = run(capfd, dataset / "one", "-k", 250)

    assert len(ran.err) == 100
    assert ran.err[-1].startswith("250/250 ")


def test_hostile_text(here: Path, capfd: pytest.CaptureFixture[str], scripts: SetScripts) -> None:
    """Control codes in texts are escaped, and long texts are cut."""
    write_task(here / ("long" * 40), tests=reward(1))
    scripts(lambda name, run: Script(tests=[{"/logs/verifier/reward.json": '{"\\u001b[2J": 1}'}]))

    ran = run(capfd, "long" * 40)

    assert ran.code == 0
    assert "\x1b" not in ran.out + "".join(ran.err)
    assert r"\x1b[2J 1" in ran.out
    assert max(map(len, ran.out.splitlines())) < 100


def test_going_on(dataset: Path, capfd: pytest.CaptureFixture[str], scripts: SetScripts) -> None:
    """A resumed job keeps finished trials, and runs the others again."""
    run(capfd, dataset, "--job-name", "j")
    next(Path("jobs/j").glob("two__*/result.json")).unlink()

    ran = run(capfd, dataset, "--job-name", "j")

    assert ran.code == 0
    assert ran.err[0] == "resuming: 1 of 2 trials have ended already"
    assert ran.err[1].startswith("2/2 two__")
    assert document("jobs/j/result.json")["stats"]["n_completed_trials"] == 2
    assert len(list(Path("jobs/j").glob("two__*"))) == 1


def test_drafts_of_a_killed_run(dataset: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """A resumed job removes the drafts of killed runs."""
    run(capfd, dataset, "--job-name", "j")
    before = sorted(path.name for path in Path("jobs/j").iterdir())
    Path("jobs/j/.result.json-0123456789abcdef").write_text("{")

    ran = run(capfd, dataset, "--job-name", "j")

    assert ran.code == 0
    assert sorted(path.name for path in Path("jobs/j").iterdir()) == before


def test_going_on_with_other_settings(dataset: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """Resuming with other settings is refused."""
    run(capfd, dataset, "--job-name", "j", "-q")

    ran = run(capfd, dataset, "--job-name", "j", "-k", 2)

    assert (ran.code, len(ran.err)) == (3, 1)
    assert ran.err[0].startswith("parity run: jobs/j/config.json: the job was run with other settings: n_attempts")


def test_going_on_with_another_task(dataset: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """Resuming with a changed task is refused in one line, and nothing is written."""
    run(capfd, dataset, "--job-name", "j")
    next(Path("jobs/j").glob("two__*/result.json")).unlink()
    (dataset / "one" / "instruction.md").write_text("Do something else.\n")
    before = {path: path.stat().st_mtime_ns for path in Path("jobs").rglob("*")}

    ran = run(capfd, dataset, "--job-name", "j")

    assert ran.code == 3
    assert ran.err[-1].startswith("parity run: jobs/j/lock.json: the task one is not what it was when the job began; ")
    assert {path: path.stat().st_mtime_ns for path in Path("jobs").rglob("*")} == before


@pytest.mark.needs("utf-8")
def test_a_task_over_which_harbor_ends(dataset: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """A task that ends Harbor's whole job is named, and nothing runs."""
    (dataset / "two" / "task.toml").write_bytes(b"# \xff")

    ran = run(capfd, dataset)

    assert (ran.code, len(ran.err)) == (3, 1)
    assert ran.err[0].startswith("parity run: data/two: task.toml cannot be read: 'utf-8' codec can't decode byte 0xff")
    assert not Path("jobs").exists()


def test_a_network_by_default(dataset: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """A note counts the tasks that would have a network by default, and get none."""
    settings = dataset / "two" / "task.toml"
    settings.write_text(settings.read_text().replace('network_mode = "no-network"', ""))

    ran = run(capfd, dataset)

    assert ran.err[0] == (
        "note: 1 of 2 tasks ask for a network, at least by default, and get none; "
        "to give them one, use --allow-network with --sandbox docker or harbor:NAME"
    )


def test_memory_without_a_cgroup_is_noted(
    dataset: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where no cgroup can be made for local sandboxes, one line says how far memory is limited, before the job."""
    monkeypatch.setattr(RecordingSandboxes, "name", "local")
    monkeypatch.setattr(run_and_report, "can_make_groups", lambda: False)

    ran = run(capfd, dataset)

    assert ran.err[0] == (
        "note: memory is limited for each process, not for each sandbox as a whole: no cgroup can be made here; "
        "run as root, or with systemd-run --user --scope"
    )


def test_a_network_for_local_sandboxes(dataset: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """Local sandboxes have no network, so the option for one is refused."""
    ran = run(capfd, dataset, "--allow-network")

    refusal = "--allow-network: local sandboxes have no network; use --sandbox docker"
    assert (ran.code, ran.err[-1]) == (2, f"parity run: {refusal}; see parity run --help")
    assert not Path("jobs").exists()


def test_a_network_with_docker(dataset: Path, capfd: pytest.CaptureFixture[str], opened: list[str]) -> None:
    """With a network that is allowed, there is no note."""
    settings = dataset / "two" / "task.toml"
    settings.write_text(settings.read_text().replace('network_mode = "no-network"', ""))

    ran = run(capfd, dataset, "--sandbox", "docker", "--allow-network")

    assert (ran.err[0].startswith("1/2 "), opened) == (True, ["docker"])


@pytest.mark.parametrize(
    ("path", "problem"),
    [
        ("nowhere", "nowhere: No such file or directory; give a folder of tasks, or a task's folder"),
        ("empty", "empty: contains no task; give a folder of tasks, or a task's folder"),
        ("broken", "broken: tests/test.sh is missing; add it"),
        ("windows", "windows: task.toml: environment.os is windows, which this driver does not run; "
                    "run the task with harbor"),
        ("unlike", "unlike: tests/test.bat is missing; add it"),
    ],
)  # fmt: skip
def test_what_cannot_be_run(here: Path, capfd: pytest.CaptureFixture[str], path: str, problem: str) -> None:
    """A path that cannot be run gives one line and exit code 3, and nothing is written."""
    (write_task(here / "broken", tests="") / "tests" / "test.sh").unlink()
    for name in ("windows", "unlike"):
        (write_task(here / name, tests="") / "task.toml").write_text('[environment]\nos = "windows"\n')
    (here / "windows" / "tests" / "test.bat").touch()
    (here / "empty").mkdir()

    ran = run(capfd, path)

    assert (ran.code, ran.err) == (3, [f"parity run: {problem}"])
    assert not Path("jobs").exists()


def test_a_sandbox_that_cannot_work(
    dataset: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A sandbox that cannot work gives one line with the missing part."""

    class Missing:
        name = "missing"

        def preflight(self) -> None:
            raise SandboxUnavailable("bwrap is missing; install it")

    def open_sandboxes(name: str) -> Sandboxes:
        return Missing()  # type: ignore[return-value]

    monkeypatch.setattr(shared_options, "open_sandboxes", open_sandboxes)

    ran = run(capfd, dataset)

    assert (ran.code, ran.err) == (3, ["parity run: bwrap is missing; install it"])


def test_no_such_sandbox(dataset: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """An unknown sandbox is wrong usage."""
    monkeypatch.undo()

    ran = run(capfd, dataset.resolve(), "--sandbox", "podman")

    assert ran.code == 2
    assert ran.err == [
        "parity run: argument --sandbox: no sandbox 'podman'; choose local, docker or harbor:KIND; "
        "see parity run --help"
    ]


def test_a_metric_beyond_a_double(dataset: Path, capfd: pytest.CaptureFixture[str], scripts: SetScripts) -> None:
    """A metric beyond a double ends the job with exit code 3, as it ends Harbor's job."""
    scripts(lambda name, run: Script(tests=[{"/logs/verifier/reward.json": f'{{"reward": 1{"0" * 400}}}'}]))

    ran = run(capfd, dataset, "--job-name", "j", "-q")

    assert (ran.code, len(ran.err)) == (3, 1)
    assert ran.err[0].startswith("parity run: jobs/j: a metric raises OverflowError")


def test_a_folder_that_cannot_be_made(dataset: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """A jobs' folder that cannot be made is named."""
    Path("file").write_text("")

    ran = run(capfd, dataset, "-o", "file", "--job-name", "j")

    assert (ran.code, ran.err) == (3, ["parity run: file/j: Not a directory; mend it, or choose another --jobs-dir"])
