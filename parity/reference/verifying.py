"""The inputs of a release's verifier beside the folder that it reads: a task, and an environment that does nothing."""

from pathlib import Path
from types import SimpleNamespace

from harbor.models.task.task import Task

from parity.reference.having import found


class NoEnvironment:
    """The part of Harbor's `BaseEnvironment` that verification uses in some release; the reward files exist already."""

    is_mounted = True

    def __init__(self) -> None:
        if (system := found("harbor.models.task.config", "TaskOS")) is not None:
            self.os = system.LINUX
            paths = found("harbor.models.trial.paths", "EnvironmentPaths")
            self.env_paths = paths.for_os(system.LINUX)
        if (capabilities := found("harbor.environments.capabilities", "EnvironmentCapabilities")) is not None:
            self.capabilities = capabilities(mounted=True)

    def is_path_mounted(self, environment_path: object, host_path: object) -> bool:
        return True

    async def upload_dir(self, source_dir: Path, target_dir: str) -> None:
        pass

    async def exec(self, command: str, env: dict[str, str] | None = None, user: str | None = None) -> SimpleNamespace:
        """Run nothing, so that a release that first removes old reward files keeps those of the case."""
        return SimpleNamespace(return_code=0, stdout=None, stderr=None)


def write_task(folder: Path) -> Task:
    """Write the smallest task that every release accepts."""
    (folder / "tests").mkdir(parents=True, exist_ok=True)
    (folder / "tests" / "test.sh").write_text("#!/bin/sh\n")
    (folder / "environment").mkdir(exist_ok=True)
    (folder / "instruction.md").write_text("Nothing to do.\n")
    (folder / "task.toml").write_text('version = "1.0"\n')
    return Task(folder)
