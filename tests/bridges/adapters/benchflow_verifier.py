"""A bridge to `verify()` of BenchFlow's `Verifier`, which is derived from Harbor's, for a task with a test script.

The bridge replaces the sandbox with one where commands do nothing. `verify()` removes rewards before it runs the tests,
so the bridge provides the verifier's directory only when `verify()` downloads it from the sandbox.
"""

import shutil
import tempfile
from pathlib import Path
from typing import Any

from tests.bridges.adapters.event_loop import run
from tests.bridges.adapters.sandbox import BridgeSandbox, Ended
from tests.bridges.adapters.task_directory import task_directory
from tests.bridges.adapters.third_party import named, quietly, third_party

_TASK = third_party("benchflow.task.task")
_PATHS = third_party("benchflow.task.paths")
_VERIFIER = third_party("benchflow.task.verifier")


class BenchFlowVerifier:
    """A runner over one task, with a new sandbox and a new rollout for each case."""

    def __init__(self) -> None:
        self.name = named("benchflow")
        with quietly():
            self._task = _TASK.Task(task_directory())

    def read_reward(self, directory: Path) -> Any:
        """Return the rewards that `verify()` returns."""
        sandbox = _BenchFlowSandbox(directory)
        with tempfile.TemporaryDirectory(prefix="parity-bridge-") as temporary, quietly():
            paths = _PATHS.RolloutPaths(Path(temporary))
            paths.mkdir()
            return run(_VERIFIER.Verifier(self._task, paths, sandbox).verify()).rewards


class _BenchFlowSandbox(BridgeSandbox):
    """A sandbox without mounts, where the verifier has already run."""

    is_mounted = False

    async def exec(self, command: str, **options: object) -> Ended:
        self.check(command, "/tests/test.sh", "/logs/verifier")
        return Ended()

    async def upload_dir(self, source_dir: Path | str, target_dir: str, **options: object) -> None:
        self.check(f"upload {target_dir}", "/tests")

    async def download_dir(self, source_dir: str, target_dir: Path, **options: object) -> None:
        self.check(f"download {source_dir}", "/logs/verifier")
        shutil.rmtree(target_dir)
        target_dir.symlink_to(self.directory)
