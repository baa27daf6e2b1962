"""An environment for Harbor whose files are the host's own, and one that cannot be used."""

import shutil
from pathlib import Path
from typing import Any, ClassVar

from harbor.environments.base import BaseEnvironment, ExecResult
from harbor.environments.capabilities import EnvironmentCapabilities


class FolderEnvironment(BaseEnvironment):  # type: ignore[misc]
    """An environment that copies from the host, with all links unchanged, and runs nothing."""

    last: ClassVar["FolderEnvironment"]
    code: ClassVar[int] = 3
    """The exit code of every command."""

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self.ran: list[tuple[Any, ...]] = []
        self.deleted: bool | None = None

    @staticmethod
    def type() -> str:
        return "folder"

    @property
    def capabilities(self) -> EnvironmentCapabilities:
        return EnvironmentCapabilities(disable_internet=True)

    def _validate_definition(self) -> None:
        pass

    async def start(self, force_build: bool) -> None:
        FolderEnvironment.last = self

    async def stop(self, delete: bool) -> None:
        self.deleted = delete

    async def exec(
        self,
        command: str,
        cwd: str | None = None,
        env: dict[str, str] | None = None,
        timeout_sec: int | None = None,
        user: str | int | None = None,
    ) -> ExecResult:
        self.ran.append((command, cwd, env, timeout_sec, user))
        return ExecResult(return_code=self.code)

    async def upload_file(self, source_path: Path | str, target_path: str) -> None:
        shutil.copy(source_path, target_path)

    async def upload_dir(self, source_dir: Path | str, target_dir: str) -> None:
        shutil.copytree(source_dir, target_dir, dirs_exist_ok=True)

    async def download_file(self, source_path: str, target_path: Path | str) -> None:
        shutil.copy(source_path, target_path)

    async def download_dir(self, source_dir: str, target_dir: Path | str) -> None:
        shutil.copytree(source_dir, target_dir, dirs_exist_ok=True, symlinks=True)


class WithoutCredentials(FolderEnvironment):
    """An environment that needs a key."""

    @classmethod
    def preflight(cls) -> None:
        raise SystemExit("set FOLDER_KEY")
