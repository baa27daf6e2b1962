"""Fixtures with files of declared divergences."""

import os
import re
from pathlib import Path

import pytest

from tests.declared.runs import options
from tests.running import ROOT, Run, run_pytest


@pytest.fixture(scope="session")
def drafted(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a file that was drafted for the faulty runner. The output of the run is in the same directory."""
    directory = tmp_path_factory.mktemp("drafted")
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = run_pytest(*options("--write-divergences", "declared.toml"), cwd=directory, environment=environment)
    (directory / "printed").write_text(done.stdout)
    assert done.returncode == 0, done.stdout
    return directory / "declared.toml"


@pytest.fixture
def declared(drafted: Path, tmp_path: Path, run: Run) -> Path:
    """Copy the drafted file, with reasons, to the directory where runs start; the test may change it."""
    copy = tmp_path / "declared.toml"
    text = re.sub("^# another .*\n", "", drafted.read_text(), flags=re.MULTILINE)
    copy.write_text(text.replace('reason = ""', 'reason = "adds one by one"'))
    return copy
