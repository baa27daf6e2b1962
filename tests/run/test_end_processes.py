"""Tests for processes that the agent leaves running, with and without `--end-processes`."""

import shutil
from pathlib import Path

import pytest

from tests.needs import need
from tests.run.actions import document
from tests.run.conftest import ParityRun
from tests.run.tasks import reward, write_task
from tests.sandboxes.kinds import KINDS

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
"""A test script that waits until the agent's process has replaced the checks or has ended."""


@pytest.mark.parametrize(("options", "expected"), [((), 1.0), (("--end-processes",), 0.0)])
@pytest.mark.parametrize("with_step", [False, True])
@pytest.mark.parametrize("kind", KINDS)
def test_agent_process_is_ended_on_request(
    kind: str, with_step: bool, options: tuple[str, ...], expected: float, here: Path, parity_run: ParityRun
) -> None:
    """A process that the agent leaves can replace the tests, as in Harbor, unless `--end-processes` is given."""
    need(kind)
    more = "[[steps]]\nname = 'only'\n" if with_step else ""
    task = write_task(here / "task", solution=_REPLACES_TESTS, tests=_WAITS, more=more)
    (task / "tests/checks.sh").write_text(reward(0))
    if with_step:
        (task / "steps/only").mkdir(parents=True)
        for name in ("tests", "solution", "instruction.md"):
            shutil.move(task / name, task / "steps/only" / name)

    ran = parity_run(task, "--sandbox", kind, *options, "-q", "--job-name", "j")

    (result,) = map(document, here.glob("jobs/j/*__*/result.json"))
    assert ran.code == 0
    assert result["verifier_result"]["rewards"] == {"reward": expected}


@pytest.mark.needs("local")
def test_agent_process_that_cannot_be_ended_is_an_error(
    here: Path, parity_run: ParityRun, monkeypatch: pytest.MonkeyPatch
) -> None:
    """If the agent's processes cannot be ended, the trial has an error, and the tests do not run."""
    monkeypatch.setattr("parity.driver.shell_commands.end_others", lambda kept: "exit 1")
    task = write_task(here / "task", tests=reward(1))

    parity_run(task, "--end-processes", "--job-name", "j", "-q")

    (result,) = map(document, here.glob("jobs/j/*__*/result.json"))
    assert result["exception_info"]["exception_type"] == "RuntimeError"
    assert result["exception_info"]["exception_message"] == "the agent's processes could not be killed"
    assert result["verifier_result"] is None
