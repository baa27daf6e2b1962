"""Tests that an ordinary user can run the local sandbox, if the tests run as root."""

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.sandboxes.kinds import Kind

_USER = 12345
_PYTHON = os.environ.get("PARITY_ORDINARY_PYTHON", sys.executable)
_TOP = Path(__file__).parents[2]


def _as_user(*arguments: str, home: Path) -> subprocess.CompletedProcess[str]:
    hidden = ("PYTEST_", "COV_", "DOCKER_")
    env = {name: value for name, value in os.environ.items() if not name.startswith(hidden)}
    return subprocess.run(
        [_PYTHON, *arguments],
        user=_USER,
        group=_USER,
        extra_groups=[],
        env={**env, "HOME": str(home), "TMPDIR": str(home), "PYTHONPATH": os.pathsep.join([str(_TOP), *sys.path])},
        cwd=_TOP,
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )


@pytest.fixture
def home() -> Iterator[Path]:
    """Yield a directory that belongs to the ordinary user."""
    directory = Path(tempfile.mkdtemp(prefix="parity-ordinary-"))
    os.chown(directory, _USER, _USER)
    yield directory
    subprocess.run(["rm", "-rf", str(directory)], user=_USER, group=_USER, extra_groups=[], check=True)


@pytest.mark.skipif(os.geteuid() != 0, reason="as another user; all tests run as an ordinary user already")
def test_local_sandbox_works_for_an_ordinary_user(local: Kind, home: Path) -> None:
    """The tests for the kind `local` pass for an ordinary user."""
    try:
        tried = _as_user("-c", "import pytest, parity", home=home)
    except OSError as error:
        pytest.skip(f"as an ordinary user; {_PYTHON}: {error}; set PARITY_ORDINARY_PYTHON")
    if tried.returncode:
        pytest.skip(f"as an ordinary user, who cannot run {_PYTHON}; set PARITY_ORDINARY_PYTHON")

    names = ("contract", "hostile", "local", "memory", "neighbours", "system_calls")
    files = [str(Path(__file__).with_name(f"test_{name}.py")) for name in names]
    ran = _as_user("-m", "pytest", "-q", "-p", "no:cacheprovider", "-k", "not docker", *files, home=home)

    assert ran.returncode == 0, ran.stdout[-4000:]
