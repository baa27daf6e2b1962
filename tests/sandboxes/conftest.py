"""Fixtures for tests over every kind of sandbox that works here."""

from pathlib import Path

import pytest

from tests.needs import need
from tests.sandboxes.kinds import KINDS, Kind


def _kind(name: str, directory: Path) -> Kind:
    need(name)
    return Kind(KINDS[name](), directory)


@pytest.fixture
def environment(tmp_path: Path) -> Path:
    """Return a task's empty `environment/`."""
    directory = tmp_path / "environment"
    directory.mkdir()
    return directory


@pytest.fixture(params=list(KINDS))
def kind(request: pytest.FixtureRequest, environment: Path) -> Kind:
    """Return each kind in turn."""
    return _kind(request.param, environment)


@pytest.fixture
def local(environment: Path) -> Kind:
    """Return the kind `local`."""
    return _kind("local", environment)


@pytest.fixture
def docker(environment: Path) -> Kind:
    """Return the kind `docker`."""
    return _kind("docker", environment)
