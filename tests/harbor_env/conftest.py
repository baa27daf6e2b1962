"""Fixtures: available sandboxes, and a directory for all temporary files."""

import tempfile
from pathlib import Path

import pytest

from parity.driver.sandbox import Sandboxes
from parity.harbor_env import Scoring
from tests.needs import need
from tests.sandboxes.kinds import KINDS


@pytest.fixture(params=list(KINDS))
def sandboxes(request: pytest.FixtureRequest) -> Sandboxes:
    """Return each available kind of sandbox in turn."""
    return _kind(request.param)


@pytest.fixture
def local() -> Sandboxes:
    """Return the kind `local`."""
    return _kind("local")


@pytest.fixture(params=["harbor", "documented"])
def scoring(request: pytest.FixtureRequest) -> Scoring:
    """Return each kind of scoring in turn."""
    return "harbor" if request.param == "harbor" else "documented"


@pytest.fixture
def temporary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the directory in which temporary files are created."""
    folder = tmp_path / "temporary"
    folder.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    return folder


def _kind(name: str) -> Sandboxes:
    need(name)
    return KINDS[name]()
