"""Fixtures of files with declared divergences."""

import re
from pathlib import Path

import pytest

from tests.declared.runs import run


@pytest.fixture(scope="session")
def drafted(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a file that was drafted for the faulty runner."""
    folder = tmp_path_factory.mktemp("drafted")
    done = run(folder, "--write-divergences", "declared.toml")
    assert done.returncode == 0, done.stdout
    assert re.search(
        r"^declared.toml: \d+ declared divergences from \d seeds; say why each is there, and pass it with --div",
        done.stdout,
        re.MULTILINE,
    )
    return folder / "declared.toml"


@pytest.fixture
def declared(drafted: Path, tmp_path: Path) -> Path:
    """Return a copy of the drafted file that the test may change."""
    copy = tmp_path / "declared.toml"
    copy.write_text(drafted.read_text())
    return copy
