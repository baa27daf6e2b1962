"""The error of importing the environment for verifiers if that cannot work."""

import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

_NEEDED = "ImportError: HarborEnv for verifiers needs verifiers 0.3.1"
_INSTALL = "pip install 'harbor-parity[verifiers]'"


def _last_line(path: Path) -> str:
    """Return the last line that the import prints, with a path before those of the interpreter."""
    program = f"import sys; sys.path.insert(0, {str(path)!r}); import parity.harbor_env.for_verifiers"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    return done.stderr.strip().splitlines()[-1]


@pytest.mark.skipif(find_spec("verifiers") is not None, reason="of an environment without verifiers")
def test_missing_release_is_named(tmp_path: Path) -> None:
    """Without verifiers, the error names the package to install."""
    assert _last_line(tmp_path) == f"{_NEEDED}: {_INSTALL}"


@pytest.mark.parametrize("release", ["0.2.1", "0.3.0", "0.4.0"])
def test_other_release_is_refused(tmp_path: Path, release: str) -> None:
    """With a release that does not work, the error names the one that does."""
    metadata = tmp_path / f"verifiers-{release}.dist-info" / "METADATA"
    metadata.parent.mkdir()
    metadata.write_text(f"Name: verifiers\nVersion: {release}\n")

    assert _last_line(tmp_path) == f"{_NEEDED}, but {release} is installed: {_INSTALL}"
