"""Fixtures: datasets, and in-memory sandboxes that follow the test's scripts."""

from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from parity.command import shared_options
from parity.driver.sandbox import Sandboxes
from parity.operations.scenarios.scripted_sandbox import Script, ScriptedSandboxes
from tests.run.actions import Ran, run
from tests.run.tasks import reward, write_task

type ParityRun = Callable[..., Ran]
"""Runs `parity run` in this process with the arguments, and returns the exit code and the output."""

type ScriptOf = Callable[[str, int], Script]
"""Returns the script for a run of a trial, from the trial's name and the number of the run."""

type SetScripts = Callable[[ScriptOf], None]


def rewarded(text: str) -> Script:
    """Return a script whose tests write this text to reward.txt."""
    return Script(tests=[{"/logs/verifier/reward.txt": text}])


@pytest.fixture
def parity_run(capfd: pytest.CaptureFixture[str]) -> ParityRun:
    """Return a function that runs `parity run` in this process."""
    return partial(run, capfd)


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return an empty directory as the current directory."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def dataset(here: Path) -> Path:
    """Return a dataset of two tasks."""
    for name in ("one", "two"):
        write_task(here / "data" / name, tests=reward(1))
    return Path("data")


@pytest.fixture
def opened() -> list[str]:
    """Return a list to which the kind of each opened sandbox provider is added."""
    return []


@pytest.fixture
def scripts(monkeypatch: pytest.MonkeyPatch, opened: list[str]) -> SetScripts:
    """Return a function that sets the scripts which trials follow."""

    def set_scripts(scripts: ScriptOf) -> None:
        def open_sandboxes(name: str) -> Sandboxes:
            opened.append(name)
            return ScriptedSandboxes(scripts, lambda trial: {})

        monkeypatch.setattr(shared_options, "open_sandboxes", open_sandboxes)

    set_scripts(lambda name, run: rewarded("1"))
    return set_scripts
