"""Fixtures for tests over every kind of sandbox that works here."""

from pathlib import Path

import pytest

from tests.needs import need
from tests.sandboxes.kinds import KINDS, Kind


def _kind(name: str, folder: Path) -> Kind:
    need(name)
    return Kind(KINDS[name](), folder)


@pytest.fixture
def environment(tmp_path: Path) -> Path:
    """A task's empty `environment/`."""
    folder = tmp_path / "environment"
    folder.mkdir()
    return folder


@pytest.fixture(params=list(KINDS))
def kind(request: pytest.FixtureRequest, environment: Path) -> Kind:
    """Each kind in turn."""
    return _kind(request.param, environment)


@pytest.fixture
def local(environment: Path) -> Kind:
    """The kind `local` alone."""
    return _kind("local", environment)


@pytest.fixture
def docker(environment: Path) -> Kind:
    """The kind `docker` alone."""
    return _kind("docker", environment)
