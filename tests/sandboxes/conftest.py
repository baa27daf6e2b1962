"""Runs tests over every kind of sandbox that works here, and says aloud which does not."""

import subprocess
from functools import cache
from pathlib import Path

import pytest

from parity.driver.sandbox import SandboxUnavailable
from tests.sandboxes.kinds import IMAGE, KINDS, Kind


@cache
def _unavailable(name: str) -> str | None:
    try:
        KINDS[name]().preflight()
    except SandboxUnavailable as error:
        return str(error)
    if name == "docker":
        # Never pulled here: tests need no network.
        found = subprocess.run(["docker", "image", "inspect", IMAGE], capture_output=True, check=False)
        if found.returncode:
            return f"the engine has no image {IMAGE}: docker pull it, or name another in PARITY_DOCKER_IMAGE"
    return None


def _kind(name: str, folder: Path) -> Kind:
    if (reason := _unavailable(name)) is not None:
        pytest.skip(f"{name} sandboxes are NOT TESTED: {reason}")
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
