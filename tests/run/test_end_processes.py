"""Processes that the agent left, with `--end-processes` and without it."""

import shutil
from pathlib import Path

import pytest

from tests.needs import need
from tests.run.actions import document, run
from tests.run.tasks import reward, write_task
from tests.sandboxes.kinds import IMAGE, KINDS

_REPLACES_TESTS = f"""
setsid bash -c 'until [ -e /tmp/testing ]; do sleep 0.05; done
cp /tmp/own.sh /tests/checks.sh; touch /tmp/replaced; sleep 3600' > /dev/null 2>&1 &
echo $! > /tmp/number
echo '{reward(1)}' > /tmp/own.sh
"""
_WAITS = """
touch /tmp/testing
while grep -qs '^State:.[^ZX]' /proc/$(cat /tmp/number)/status && [ ! -e /tmp/replaced ]; do sleep 0.05; done
bash /tests/checks.sh
"""
"""A test script that waits until the agent's process has replaced its checks, or has ended."""


def _task(folder: Path, *, with_step: bool) -> Path:
    task = write_task(folder, solution=_REPLACES_TESTS, tests=_WAITS, image=IMAGE)
    (task / "tests/checks.sh").write_text(reward(0))
    if with_step:
        with (task / "task.toml").open("a") as settings:
            settings.write("[[steps]]\nname = 'only'\n")
        for name in ("tests", "solution", "instruction.md"):
            (task / "steps/only").mkdir(parents=True, exist_ok=True)
            shutil.move(task / name, task / "steps/only" / name)
    return task


@pytest.mark.parametrize("with_step", [False, True])
@pytest.mark.parametrize("kind", KINDS)
def test_a_process_of_the_agent(
    kind: str, with_step: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    """A process that the agent left can replace the tests, as with Harbor, unless `--end-processes` is given."""
    need(kind)
    monkeypatch.chdir(tmp_path)
    task = _task(tmp_path / "task", with_step=with_step)

    ran = [run(capfd, task, "--sandbox", kind, *options, "-q") for options in ([], ["--end-processes"])]

    results = [document(path) for path in sorted(tmp_path.glob("jobs/*/*__*/result.json"), key=_age)]
    assert [each.code for each in ran] == [0, 0]
    assert [result["verifier_result"]["rewards"] for result in results] == [{"reward": 1.0}, {"reward": 0.0}]


def _age(path: Path) -> int:
    return path.stat().st_mtime_ns


@pytest.mark.needs("local")
def test_processes_that_cannot_be_ended(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    """If the agent's processes cannot be ended, the trial is an error, and no test runs."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("parity.driver.trial_sandbox.end_others", lambda kept: "exit 1")
    task = write_task(tmp_path / "task", tests=reward(1))

    run(capfd, task, "--end-processes", "--job-name", "j", "-q")

    (result,) = map(document, tmp_path.glob("jobs/j/*__*/result.json"))
    assert result["exception_info"]["exception_type"] == "RuntimeError"
    assert result["exception_info"]["exception_message"] == "the agent's processes could not be ended"
    assert result["verifier_result"] is None


@pytest.mark.usefixtures("scripts")
def test_a_job_is_resumed_only_with_the_same_choice(dataset: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """A job's config.json has the choice, and a run without it does not resume the job."""
    run(capfd, dataset, "--end-processes", "--job-name", "j", "-q")

    again = run(capfd, dataset, "--job-name", "j", "-q")

    assert document("jobs/j/config.json")["environment"]["kwargs"] == {"sandbox": "local", "end_processes": True}
    assert again.code == 3


def test_other_sandboxes(dataset: Path, scripts: object, capfd: pytest.CaptureFixture[str]) -> None:
    """Harbor's own environments refuse the option, because they may have processes of their own."""
    ran = run(capfd, dataset, "--end-processes", "-e", "daytona")

    what = "--end-processes is for sandboxes local and docker: others may have processes of their own; leave it out"
    assert (ran.code, ran.err) == (2, [f"parity run: {what}; see parity run --help"])
