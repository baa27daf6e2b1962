"""Fixtures of the tests of the plugin."""

from pathlib import Path
from subprocess import CompletedProcess

import pytest

from tests.plugin.foreign import FAST, Run, runs_in


@pytest.fixture
def run(tmp_path: Path, pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> Run:
    """Return a function that runs pytest in an empty folder, in this process."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)

    def run(*arguments: str) -> CompletedProcess[str]:
        result = pytester.runpytest_inprocess(*FAST, *arguments, no_reraise_ctrlc=True)
        return CompletedProcess(arguments, int(result.ret), result.stdout.str(), result.stderr.str())

    return run


@pytest.fixture
def run_process(tmp_path: Path) -> Run:
    """Return a function that runs pytest in an empty folder, in a new process."""
    return runs_in(tmp_path)
