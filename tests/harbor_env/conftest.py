"""Sandboxes that work here, and a folder in which everything temporary has to lie."""

import tempfile
from pathlib import Path

import pytest

from parity.driver.sandbox import Sandboxes
from parity.harbor_env import Faults, Scoring
from tests.needs import need
from tests.sandboxes.kinds import KINDS


@pytest.fixture(params=list(KINDS))
def sandboxes(request: pytest.FixtureRequest) -> Sandboxes:
    """Each kind in turn."""
    return _kind(request.param)


@pytest.fixture
def local() -> Sandboxes:
    """The kind `local` alone."""
    return _kind("local")


@pytest.fixture(params=["zero", "error"])
def faults(request: pytest.FixtureRequest) -> Faults:
    """Each choice in turn."""
    choice: Faults = request.param
    return choice


@pytest.fixture(params=["harbor", "documented"])
def scoring(request: pytest.FixtureRequest) -> Scoring:
    """Each scoring in turn."""
    return "harbor" if request.param == "harbor" else "documented"


@pytest.fixture
def temporary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where temporary files go."""
    folder = tmp_path / "temporary"
    folder.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    return folder


def _kind(name: str) -> Sandboxes:
    need(name)
    return KINDS[name]()
