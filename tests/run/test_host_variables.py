"""Tasks get variables of the host only if the user allows it, and the summary lists them."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.run.actions import run
from tests.run.tasks import reward, write_task

pytestmark = pytest.mark.usefixtures("scripts")

_TABLES = {
    "environment.env": '[environment.env]\nX = "${SECRET}"',
    "verifier.env": '[verifier.env]\nX = "${SECRET}"',
    "solution.env": '[solution.env]\nX = "${SECRET}"',
    "verifier.environment.env": '[verifier.environment.env]\nX = "${SECRET}"',
}


@pytest.fixture(autouse=True)
def _secret(monkeypatch: pytest.MonkeyPatch) -> None:
    """Set a variable of the host."""
    monkeypatch.setenv("SECRET", "of-the-host")


def _add(task: Path, text: str) -> None:
    settings = task / "task.toml"
    if "verifier.environment" in text:
        settings.write_text(settings.read_text().replace("[verifier]", '[verifier]\nenvironment_mode = "separate"'))
    settings.write_text(f"{settings.read_text()}{text}\n")


@pytest.mark.parametrize("table", _TABLES)
def test_refused_without_a_terminal(dataset: Path, capfd: pytest.CaptureFixture[str], table: str) -> None:
    """Without a terminal, a job whose tasks use host variables is refused with task, variable and option."""
    _add(dataset / "two", _TABLES[table])

    ran = run(capfd, dataset)

    assert (ran.code, ran.err) == (
        3,
        [f"parity run: data/two: task.toml: the host's variable SECRET is taken by {table}; "
         "allow it with --allow-host-env SECRET"],
    )  # fmt: skip
    assert not Path("jobs").exists()


def test_a_steps_verifier(here: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """Variables that a step's verifier uses count, too."""
    task = write_task(here / "t", tests=reward(1))
    (task / "steps" / "a").mkdir(parents=True)
    (task / "steps" / "a" / "instruction.md").write_text("Do it.\n")
    _add(task, '[[steps]]\nname = "a"\n[steps.verifier.env]\nX = "${SECRET:-none}"')

    ran = run(capfd, "t")

    assert (ran.code, len(ran.err)) == (3, 1)
    assert "SECRET is taken by verifier.env" in ran.err[0]


@pytest.mark.parametrize("option", [("--yes",), ("--allow-host-env", "SECRET")], ids=lambda option: option[0])
def test_allowed(dataset: Path, capfd: pytest.CaptureFixture[str], option: tuple[str, ...]) -> None:
    """An allowed variable is given to tasks, and the summary says so."""
    _add(dataset / "two", _TABLES["environment.env"])

    ran = run(capfd, dataset, "-q", *option)

    assert (ran.code, ran.err) == (0, [])
    assert "given to tasks: the host's SECRET, for environment.env of data/two" in ran.out.splitlines()
    assert "of-the-host" not in ran.out


def test_another_is_allowed(dataset: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """Allowing another variable is not enough."""
    _add(dataset / "two", _TABLES["environment.env"])

    assert run(capfd, dataset, "--allow-host-env", "PATH").code == 3


@pytest.mark.parametrize(
    ("text", "options"),
    [
        ('[environment.env]\nX = "${NOT_SET_ANYWHERE:-default}"', ()),
        (_TABLES["verifier.env"], ("--ve", "X=other")),
        (_TABLES["verifier.env"], ("--disable-verification",)),
        (_TABLES["solution.env"], ("-a", "nop")),
    ],
    ids=["default", "overridden", "not verified", "no oracle"],
)
def test_what_takes_nothing(
    dataset: Path, capfd: pytest.CaptureFixture[str], text: str, options: tuple[str, ...]
) -> None:
    """If no variable of the host is used, none has to be allowed, and none is listed."""
    _add(dataset / "two", text)

    ran = run(capfd, dataset, "-q", *options)

    assert (ran.code, ran.err) == (0, [])
    assert "given to tasks" not in ran.out


_PROGRAM = """\
import sys
from parity.command import main, shared_options
from parity.operations.scenarios.recording import RecordingSandboxes, Script

scripts = lambda name, run: Script({}, tests=[{"/logs/verifier/reward.txt": "1"}])
shared_options.open_sandboxes = lambda name: RecordingSandboxes(scripts, lambda trial: {})
sys.exit(main(["run", "data", "-q"]))
"""


@pytest.mark.parametrize(("answer", "code"), [("y", 0), ("n", 3), ("", 3)])
def test_asked_at_a_terminal(dataset: Path, answer: str, code: int) -> None:
    """At a terminal, the user is asked, and must answer yes."""
    _add(dataset / "two", _TABLES["environment.env"])
    ours, theirs = os.openpty()
    os.write(ours, f"{answer}\n".encode())

    ran = subprocess.run([sys.executable, "-c", _PROGRAM], stdin=theirs, stderr=theirs, stdout=subprocess.DEVNULL)

    os.close(theirs)
    shown = os.read(ours, 1 << 16).decode()
    os.close(ours)
    assert ran.returncode == code
    assert "SECRET: taken by environment.env of data/two" in shown
    assert "Give tasks these variables of this host? (y/N): " in shown


def test_several_tasks(dataset: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """A variable that several tasks use has one line."""
    for name in ("one", "two"):
        _add(dataset / name, _TABLES["environment.env"])

    refused, ran = run(capfd, dataset), run(capfd, dataset, "-q", "-y")

    assert len(refused.err) == 1
    assert " (and 1 more): task.toml:" in refused.err[0]
    assert "given to tasks: the host's SECRET, for environment.env of 2 tasks" in ran.out.splitlines()
