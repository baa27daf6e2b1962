"""Tests for the error when the environment for verifiers is imported and verifiers is missing or unsupported."""

import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

_NEEDED = "ImportError: HarborEnv for verifiers needs verifiers 0.3.1"
_INSTALL = "pip install 'harbor-parity[verifiers]'"


def _last_line(path: Path) -> str:
    """Import the environment with the path before the interpreter's own, and return the last printed line."""
    program = f"import sys; sys.path.insert(0, {str(path)!r}); import parity.harbor_env.for_verifiers"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    return done.stderr.strip().splitlines()[-1]


@pytest.mark.skipif(find_spec("verifiers") is not None, reason="for an environment without verifiers")
def test_missing_verifiers_is_reported(tmp_path: Path) -> None:
    """Without verifiers, the error states the package to install."""
    assert _last_line(tmp_path) == f"{_NEEDED}: {_INSTALL}"


@pytest.mark.parametrize("release", ["0.2.1", "0.3.0", "0.4.0"])
def test_unsupported_release_of_verifiers_is_refused(tmp_path: Path, release: str) -> None:
    """With a release that does not work, the error states the release that does."""
    metadata = tmp_path / f"verifiers-{release}.dist-info" / "METADATA"
    metadata.parent.mkdir()
    metadata.write_text(f"Name: verifiers\nVersion: {release}\n")

    assert _last_line(tmp_path) == f"{_NEEDED}, but {release} is installed: {_INSTALL}"
