"""Fixtures for tests that run with every kind of sandbox that is available."""

from pathlib import Path

import pytest

from tests.needs import need
from tests.sandboxes.kinds import KINDS, Kind


def _kind(name: str, directory: Path) -> Kind:
    need(name)
    return Kind(KINDS[name](), directory)


@pytest.fixture
def environment(tmp_path: Path) -> Path:
    """Return an empty task directory `environment/`."""
    directory = tmp_path / "environment"
    directory.mkdir()
    return directory


@pytest.fixture(params=list(KINDS))
def kind(request: pytest.FixtureRequest, environment: Path) -> Kind:
    """Return each available kind in turn."""
    return _kind(request.param, environment)


@pytest.fixture
def local(environment: Path) -> Kind:
    """Return the kind `local`, or skip the test if it is not available."""
    return _kind("local", environment)


@pytest.fixture
def docker(environment: Path) -> Kind:
    """Return the kind `docker`, or skip the test if it is not available."""
    return _kind("docker", environment)
