"""A replacement for the environment that third parties pass to Harbor's own `Verifier`."""

from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any

from tests.bridges.adapters.sandbox import BridgeSandbox, Ended


class HarborEnvironment(BridgeSandbox):
    """The part of `BaseEnvironment` that verification uses, in any release. The verifier has already run.

    The verifier's directory is mounted.

    Args:
        directory: the verifier's directory.
        package: the name of Harbor's package, or of a fork's package.
    """

    def __init__(self, directory: Path, package: str = "harbor") -> None:
        super().__init__(directory)
        self.is_mounted = True
        if (system := _attribute(f"{package}.models.task.config", "TaskOS")) is not None:
            self.os = self.task_os = system.LINUX
            self.env_paths = import_module(f"{package}.models.trial.paths").EnvironmentPaths.for_os(system.LINUX)
        if (capabilities := _attribute(f"{package}.environments.capabilities", "EnvironmentCapabilities")) is not None:
            self.capabilities = capabilities(mounted=True)

    def is_path_mounted(self, *paths: Any) -> bool:
        return True

    async def empty_dirs(self, dirs: list[Any], **options: Any) -> Ended:
        self.check(f"empty {' '.join(map(str, dirs))}", "/logs/verifier")
        return Ended()

    async def upload_dir(self, source_dir: Path | str, target_dir: str) -> None:
        self.check(f"upload {target_dir}", "/tests")

    async def exec(self, command: str, **options: Any) -> Ended:
        self.check(command, "/tests/test.sh", "rm -f -- /logs/verifier/reward", "mkdir -p /logs/verifier")
        return Ended()


@cache
def _attribute(module: str, name: str) -> Any:
    """Return an attribute of a module, or None if the installed release does not have it."""
    try:
        return getattr(import_module(module), name, None)
    except ModuleNotFoundError:
        return None
