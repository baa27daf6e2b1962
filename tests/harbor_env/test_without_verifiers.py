"""The error of importing the environment for verifiers if that cannot work."""

import subprocess
import sys
from pathlib import Path

import pytest

_IMPORT = "import parity.harbor_env.for_verifiers"


def _last_line(program: str) -> str:
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    return done.stderr.strip().splitlines()[-1]


def test_what_to_install_is_said_where_verifiers_is_missing() -> None:
    """Without verifiers, the error names the package to install."""
    line = _last_line(
        f"""
import importlib.abc, sys
class Missing(importlib.abc.MetaPathFinder):
    def find_spec(self, name, path=None, target=None):
        if name == "verifiers":
            raise ModuleNotFoundError("No module named 'verifiers'", name=name)
sys.meta_path.insert(0, Missing())
{_IMPORT}
"""
    )

    assert line == "ImportError: HarborEnv for verifiers needs verifiers: pip install 'harbor-parity[verifiers]'"


@pytest.mark.parametrize(
    ("release", "why"),
    [
        ("0.2.1", "is too old for HarborEnv"),
        ("0.4.0", "has no CliAgentEnv, which HarborEnv extends"),
    ],
)
def test_the_release_that_works_is_named_where_another_is_installed(tmp_path: Path, release: str, why: str) -> None:
    """With a release that does not work, the error names the one that does."""
    (tmp_path / "verifiers").mkdir()
    (tmp_path / "verifiers" / "__init__.py").touch()
    (tmp_path / f"verifiers-{release}.dist-info").mkdir()
    (tmp_path / f"verifiers-{release}.dist-info" / "METADATA").write_text(f"Name: verifiers\nVersion: {release}\n")

    line = _last_line(f"import sys; sys.path.insert(0, {str(tmp_path)!r}); {_IMPORT}")

    assert line == (
        f"ImportError: verifiers {release} {why}; release 0.3.1 works: pip install 'harbor-parity[verifiers]'"
    )
