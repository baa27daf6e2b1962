"""Tests for the output of `parity run`: progress, summary, notes and errors."""

import re
from pathlib import Path

import pytest

from parity.command import run_and_report, shared_options
from parity.driver.sandbox import Sandboxes, SandboxUnavailable, TransferError
from parity.operations.scenarios.scripted_sandbox import Effect, Script, ScriptedSandbox, ScriptedSandboxes
from tests.run.actions import document
from tests.run.conftest import ParityRun, ScriptOf, SetScripts, rewarded
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
_PROGRESS = [
    "1/4 one: reward 1.0 ()",
    "2/4 two: RuntimeError: RuntimeError on purpose ()",
    "3/4 one: reward 0.5 ()",
    "4/4 two: RuntimeError: RuntimeError on purpose ()",
]


def _mixed() -> ScriptOf:
    """Return scripts in which task two always fails, and task one has a different reward each time."""
    rewards = iter(("1", "0.5"))
    failing = Script({0: Effect("raise", "RuntimeError")})
    return lambda name, run: failing if name.startswith("two") else rewarded(next(rewards))


def test_job_prints_progress_and_summary(dataset: Path, parity_run: ParityRun, scripts: SetScripts) -> None:
    """Each trial has a line; the summary has a row for each task, the numbers of result.json, and the job's path."""
    scripts(_mixed())

    ran = parity_run(dataset, "-k", 2, "-n", 1, "--job-name", "j")

    progress = [re.sub(r"__.{7}|[0-9.]+ s", "", line) for line in ran.err]
    assert ran.code == 1
    assert re.sub(r"[0-9.]+ s\b", "TIME", ran.out) == _SUMMARY
    assert sorted(line[4:] for line in progress) == sorted(line[4:] for line in _PROGRESS)
    assert [line[:4] for line in progress] == [line[:4] for line in _PROGRESS]


def test_error_shows_its_cause(dataset: Path, parity_run: ParityRun, monkeypatch: pytest.MonkeyPatch) -> None:
    """The progress line and the summary show the cause of an error, because its message begins with it."""

    async def put(sandbox: ScriptedSandbox, source: Path, target: str) -> None:
        raise TransferError("disk full: 512 MB (storage_mb)\nmore")

    monkeypatch.setattr(ScriptedSandbox, "put", put)

    ran = parity_run(dataset / "one", "-a", "nop")

    (result,) = Path("jobs").glob("*/*/result.json")
    line = "AddTestsDirError: the tests were not uploaded: disk full: 512 MB (storage_mb)"
    assert document(result)["exception_info"]["exception_message"] == line.partition(": ")[2]
    assert line in ran.err[0]
    assert line in ran.out.splitlines()


def test_errors_in_steps_are_counted(dataset: Path, parity_run: ParityRun, scripts: SetScripts) -> None:
    """An error in a step is counted separately, because the trial itself has no error."""
    with (dataset / "one" / "task.toml").open("a") as toml:
        toml.write('[[steps]]\nname = "first"\n')
    (dataset / "one" / "steps" / "first").mkdir(parents=True)
    (dataset / "one" / "steps" / "first" / "instruction.md").touch()
    scripts(lambda name, run: Script())

    ran = parity_run(dataset / "one", "-a", "nop", "-q")

    assert ran.code == 0
    assert ran.out.splitlines()[1].split()[1:3] == ["1", "1"]
    assert "RewardFileNotFoundError in step first: " in ran.out
    assert "1 trial, 0 errors, 1 error in steps, in " in ran.out


def test_retried_trial_is_counted_once(
    dataset: Path, parity_run: ParityRun, scripts: SetScripts, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Retries do not increase the number of trials in the progress lines."""
    monkeypatch.setattr("parity.driver.job.asyncio.sleep", _at_once)
    scripts(lambda name, run: rewarded("1") if run else Script({0: Effect("raise", "RuntimeError")}))

    ran = parity_run(dataset / "one", "-r", 1)

    assert ran.code == 0
    assert [line[:4] for line in ran.err] == ["1/1 ", "1/1 "]


async def _at_once(seconds: float) -> None:
    pass


def test_large_job_has_a_hundred_lines_of_progress(dataset: Path, parity_run: ParityRun) -> None:
    """A large job prints about a hundred lines of progress."""
    ran = parity_run(dataset / "one", "-k", 250)

    assert len(ran.err) == 100
    assert ran.err[-1].startswith("250/250 ")


def test_control_codes_are_escaped_and_long_names_cut(here: Path, parity_run: ParityRun, scripts: SetScripts) -> None:
    """Control codes in names are escaped, and long names are cut."""
    write_task(here / ("long" * 40), tests=reward(1))
    scripts(lambda name, run: Script(tests=[{"/logs/verifier/reward.json": '{"\\u001b[2J": 1}'}]))

    ran = parity_run("long" * 40)

    assert ran.code == 0
    assert "\x1b" not in ran.out + "".join(ran.err)
    assert r"\x1b[2J 1" in ran.out
    assert max(map(len, ran.out.splitlines())) < 100


@pytest.mark.parametrize(
    ("options", "notes"),
    [
        (
            (),
            [
                "note: 1 of 2 tasks ask for a network, at least by default, and get none; "
                "to give them one, use --allow-network with --sandbox docker or harbor:NAME"
            ],
        ),
        (("--sandbox", "docker", "--allow-network"), []),
    ],
)
def test_tasks_without_their_network_are_counted(
    dataset: Path, parity_run: ParityRun, options: tuple[str, ...], notes: list[str]
) -> None:
    """A note states the number of tasks that would have a network by default and get none."""
    settings = dataset / "two" / "task.toml"
    settings.write_text(settings.read_text().replace('network_mode = "no-network"', ""))

    ran = parity_run(dataset, *options)

    assert [line for line in ran.err if line.startswith("note")] == notes


def test_memory_without_a_cgroup_is_noted(
    dataset: Path, parity_run: ParityRun, monkeypatch: pytest.MonkeyPatch
) -> None:
    """If local sandboxes cannot use a cgroup, one line before the job states how memory is limited instead."""
    monkeypatch.setattr(ScriptedSandboxes, "name", "local")
    monkeypatch.setattr(run_and_report, "can_make_groups", lambda: False)

    ran = parity_run(dataset)

    assert ran.err[0] == (
        "note: memory is limited for each process, not for each sandbox as a whole: no cgroup can be made here; "
        "run as root, or with systemd-run --user --scope"
    )


def test_unavailable_sandbox_is_reported(dataset: Path, parity_run: ParityRun, monkeypatch: pytest.MonkeyPatch) -> None:
    """A kind of sandbox that does not work on this machine is reported in one line with the remedy."""

    class Missing(ScriptedSandboxes):
        def preflight(self) -> None:
            raise SandboxUnavailable("bwrap is missing; install it")

    def open_sandboxes(name: str) -> Sandboxes:
        return Missing(lambda name, run: Script(), lambda name: {})

    monkeypatch.setattr(shared_options, "open_sandboxes", open_sandboxes)

    ran = parity_run(dataset)

    assert (ran.code, ran.err) == (3, ["parity run: bwrap is missing; install it"])


def test_jobs_directory_that_cannot_be_created_is_reported(dataset: Path, parity_run: ParityRun) -> None:
    """A jobs directory that cannot be created is reported with the remedy."""
    Path("file").write_text("")

    ran = parity_run(dataset, "-o", "file", "--job-name", "j")

    assert (ran.code, ran.err) == (
        3,
        ["parity run: file/j: Not a directory; correct it, or choose another --jobs-dir"],
    )
