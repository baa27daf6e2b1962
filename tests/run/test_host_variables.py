"""Tests that tasks get host environment variables only with the user's permission, and that the summary lists them."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.run.conftest import ParityRun

pytestmark = pytest.mark.usefixtures("scripts")

_TABLES = {
    "environment.env": '[environment.env]\nX = "${SECRET}"',
    "verifier.env": '[verifier.env]\nX = "${SECRET}"',
    "solution.env": '[solution.env]\nX = "${SECRET:-none}"',
    "verifier.environment.env": '[verifier.environment.env]\nX = "${SECRET}"',
}
_STEP = '[[steps]]\nname = "a"\n[steps.verifier.env]\nX = "${SECRET}"'


@pytest.fixture(autouse=True)
def _secret(monkeypatch: pytest.MonkeyPatch) -> None:
    """Set an environment variable on the host."""
    monkeypatch.setenv("SECRET", "of-the-host")


def _add(task: Path, lines: str) -> None:
    with (task / "task.toml").open("a") as settings:
        settings.write(f"{lines}\n")


@pytest.mark.parametrize(("table", "lines"), [*_TABLES.items(), ("verifier.env", _STEP)])
def test_host_variable_needs_permission(dataset: Path, parity_run: ParityRun, table: str, lines: str) -> None:
    """Without a terminal, a job that uses host variables is refused with the task, the variable and the option."""
    (dataset / "two" / "steps" / "a").mkdir(parents=True)
    (dataset / "two" / "steps" / "a" / "instruction.md").touch()
    _add(dataset / "two", lines)

    ran = parity_run(dataset, "--allow-host-env", "PATH")

    problem = f"the host's variable SECRET is used by {table}; allow it with --allow-host-env SECRET"
    assert (ran.code, ran.err) == (3, [f"parity run: data/two: task.toml: {problem}"])
    assert not Path("jobs").exists()


@pytest.mark.parametrize("option", ["--yes", "--allow-host-env SECRET"])
def test_allowed_host_variable_is_listed(dataset: Path, parity_run: ParityRun, option: str) -> None:
    """The summary lists the host variables that tasks received, without their values."""
    _add(dataset / "two", _TABLES["environment.env"])

    ran = parity_run(dataset, "-q", *option.split())

    assert (ran.code, ran.err) == (0, [])
    assert "given to tasks: the host's SECRET, for environment.env of data/two" in ran.out.splitlines()
    assert "of-the-host" not in ran.out


def test_host_variable_in_several_tasks_has_one_line(dataset: Path, parity_run: ParityRun) -> None:
    """A host variable that several tasks use has one line in the refusal and one in the summary."""
    for name in ("one", "two"):
        _add(dataset / name, _TABLES["environment.env"])

    refused, ran = parity_run(dataset), parity_run(dataset, "-q", "-y")

    assert len(refused.err) == 1
    assert " (and 1 more): task.toml:" in refused.err[0]
    assert "given to tasks: the host's SECRET, for environment.env of 2 tasks" in ran.out.splitlines()


@pytest.mark.parametrize(
    ("lines", "options"),
    [
        ('[environment.env]\nX = "${NOT_SET_ANYWHERE:-default}"', ""),
        (_TABLES["verifier.env"], "--ve X=other"),
        (_TABLES["verifier.env"], "--disable-verification"),
        (_TABLES["solution.env"], "-a nop"),
    ],
    ids=["default", "overridden", "not verified", "no oracle"],
)
def test_unused_host_variable_needs_no_permission(
    dataset: Path, parity_run: ParityRun, lines: str, options: str
) -> None:
    """If no task uses a host variable, none needs permission and none is listed."""
    _add(dataset / "two", lines)

    ran = parity_run(dataset, "-q", *options.split())

    assert (ran.code, ran.err) == (0, [])
    assert "given to tasks" not in ran.out


_PROGRAM = """\
import sys
from parity.command import main, shared_options
from parity.operations.scenarios.scripted_sandbox import ScriptedSandboxes, Script

scripts = lambda name, run: Script({}, tests=[{"/logs/verifier/reward.txt": "1"}])
shared_options.open_sandboxes = lambda name: ScriptedSandboxes(scripts, lambda trial: {})
sys.exit(main(["run", "data", "-q"]))
"""


@pytest.mark.parametrize(("answer", "code"), [("y", 0), ("n", 3), ("", 3)])
def test_user_at_a_terminal_is_asked_for_permission(dataset: Path, answer: str, code: int) -> None:
    """At a terminal, the user is asked for permission and must answer yes."""
    _add(dataset / "two", _TABLES["environment.env"])
    ours, theirs = os.openpty()
    os.write(ours, f"{answer}\n".encode())

    ran = subprocess.run([sys.executable, "-c", _PROGRAM], stdin=theirs, stderr=theirs, stdout=subprocess.DEVNULL)

    os.close(theirs)
    output = os.read(ours, 1 << 16).decode()
    os.close(ours)
    assert ran.returncode == code
    assert "SECRET: used by environment.env of data/two" in output
    assert "Give tasks these variables of this host? (y/N): " in output


@pytest.mark.parametrize("table", ["verifier.env", "solution.env"])
def test_missing_host_variable_refuses_the_job(dataset: Path, parity_run: ParityRun, table: str) -> None:
    """A job is refused before it starts if a variable of the tests or of the solution is not set on the host."""
    _add(dataset / "two", f'[{table}]\nX = "${{NOT_SET_ANYWHERE}}"')

    ran = parity_run(dataset, "-y")

    problem = f"{table} needs the variable NOT_SET_ANYWHERE, which is not set; set it"
    assert (ran.code, ran.err) == (3, [f"parity run: data/two: {problem}"])
    assert not Path("jobs").exists()


@pytest.mark.parametrize(
    ("table", "options"),
    [("verifier.env", "--ve X=other"), ("solution.env", "-a nop")],
    ids=["overridden", "no oracle"],
)
def test_unused_missing_variable_refuses_nothing(
    dataset: Path, parity_run: ParityRun, table: str, options: str
) -> None:
    """A variable that is not set refuses no job if the command line overrides it, or if no solution runs."""
    _add(dataset / "two", f'[{table}]\nX = "${{NOT_SET_ANYWHERE}}"')

    ran = parity_run(dataset, "-q", *options.split())

    assert (ran.code, ran.err) == (0, [])
