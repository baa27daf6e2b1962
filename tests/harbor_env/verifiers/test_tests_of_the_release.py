"""Runs the release's own tests of its `HarborEnv`, from its source distribution, on the kit's class.

The environment variable VERIFIERS_SDIST names the directory of the source distribution, which tox fetches. The kit has
no copy of it.
"""

import importlib.util
import os
from functools import partial
from pathlib import Path
from types import ModuleType, SimpleNamespace

import pytest

from parity.harbor_env import Scoring
from parity.harbor_env.for_verifiers import HarborEnv
from tests.harbor_env.verifiers.rollouts import foreign_warnings

_SDIST = os.environ.get("VERIFIERS_SDIST")
if _SDIST is None:
    pytest.skip("of the release itself; tox run -e verifiers-0.3.1", allow_module_level=True)


def _load(path: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location("tests_of_the_release", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


_RELEASE = _load(Path(_SDIST, "tests", "test_cli_agent_env.py"))


@foreign_warnings
class TestHarborEnv(_RELEASE.TestHarborEnv):  # type: ignore[misc, name-defined]
    """The release's tests, each with both kinds of scoring. The tasks have tests, which Harbor requires."""

    @pytest.fixture(autouse=True)
    def environment(self, harbor_task_dir: Path, monkeypatch: pytest.MonkeyPatch, scoring: Scoring) -> None:
        """Let the release's tests make environments of the kit's class, and add a test script to their task."""
        kit = SimpleNamespace(HarborEnv=partial(HarborEnv, scoring=scoring))
        monkeypatch.setattr(_RELEASE, "vf", kit)
        (harbor_task_dir / "test_task" / "tests").mkdir()
        (harbor_task_dir / "test_task" / "tests" / "test.sh").write_text("true\n")


def test_release_has_nine_tests() -> None:
    """The release tests its class by nine tests, so that none is lost here."""
    names = [name for name in dir(_RELEASE.TestHarborEnv) if name.startswith("test_")]

    assert len(names) == 9
