"""A trial's sandbox: one with a default user, the task's environment variables and working directory.

Rules: `run-trial/*`.
"""

import asyncio
import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from shlex import quote

from parity.driver.commands import empty_folders, ensure_folders
from parity.driver.errors import HealthcheckError
from parity.driver.rewards import REWARD_BYTES
from parity.driver.sandbox import Executed, MountedSandbox, Sandbox, User
from parity.driver.sandboxes.archive import LIMITS
from parity.driver.task_config import EnvironmentConfig, Healthcheck

_SCRIPT_IN_TIMEOUTS = 30
"""How many times as long as the driver's own commands."""

_LEAST = 4096
"""Bytes that each file and folder counts for at least, as it takes them on a disk."""


def room_in(folder: Path) -> int:
    """Bytes that a trial's folder may still take, in however many transfers; none if it holds more."""
    return max(0, LIMITS.size - _size(folder))


def _size(folder: Path | str) -> int:
    size = 0
    with os.scandir(folder) as entries:
        for entry in entries:
            size += max(_LEAST, entry.stat(follow_symlinks=False).st_size)
            if entry.is_dir(follow_symlinks=False):
                size += _size(entry.path)
    return size


class TrialSandbox:
    """What agents, verifiers and artifacts are given to work in."""

    def __init__(
        self,
        sandbox: Sandbox,
        config: EnvironmentConfig,
        env: Mapping[str, str],
        folder: Path,
        logs: Sequence[str],
        carried_into: Path,
    ) -> None:
        """A sandbox that is not started yet.

        Args:
            sandbox: the sandbox itself.
            config: what task.toml says of it.
            env: variables that every command gets.
            folder: what a prebuilt image finds in its working directory.
            logs: folders that it has to have.
            carried_into: the folder of the host that bounds what may be carried out.
        """
        self._sandbox, self._config, self._env, self._folder, self._logs = sandbox, config, dict(env), folder, logs
        self._carried_into = carried_into
        self._user: User | None = None
        self.mounted = sandbox if isinstance(sandbox, MountedSandbox) else None
        """The sandbox again, if its log folders are the host's."""

        self.copies_mounts = sandbox.copies_mounts

    @property
    def longest(self) -> int | None:
        """Seconds for a script of the task that Harbor lets run for ever; None for any time.

        What an earlier step left running could keep it from ending.
        """
        return round(self._sandbox.own_timeout) * _SCRIPT_IN_TIMEOUTS or None

    async def start(self) -> None:
        """Start it, make its log folders, and upload the environment's files where nothing builds them in."""
        await self._sandbox.start()
        # Rule: run-trial/working-directory
        # Not in the working directory, which may come with what is uploaded next.
        await self._sandbox.exec(ensure_folders(self._logs), cwd="/", env=self._env, user="root")
        # Rule: run-trial/image-files
        if self._config.image and _holds_plain_files(self._folder):
            await self.upload(self._folder, self._config.workdir or await self.working_directory())

    async def stop(self) -> None:
        await self._sandbox.stop()

    @contextmanager
    def as_user(self, user: User | None) -> Iterator[None]:
        """Run commands that name no user as this one."""
        before, self._user = self._user, user
        try:
            yield
        finally:
            self._user = before

    async def exec(
        self,
        command: str,
        *,
        env: Mapping[str, str] | None = None,
        timeout: int | None = None,
        user: User | None = None,
    ) -> Executed:
        """Run a command; variables that are given for it alone come last."""
        return await self._sandbox.exec(
            command,
            # Rule: run-trial/working-directory
            cwd=self._config.workdir or None,
            # Rule: run-trial/task-variables
            env={**self._env, **(env or {})},
            timeout=timeout,
            user=self._user if user is None else user,
        )

    async def upload(self, source: Path, target: str) -> None:
        await self._sandbox.upload(source, target)

    async def download(self, source: str, target: Path, *, directory: bool = True) -> None:
        await self._sandbox.download(source, target, directory=directory, room=self.room())

    def room(self) -> int:
        """Bytes that may still be carried out."""
        return room_in(self._carried_into)

    async def download_reward(self, source: str, target: Path) -> None:
        """Copy a file that decides over the trial, whatever else was carried out; nothing if it is not there.

        Raises:
            TransferError: it is larger than such a file may be, or none.
        """
        if (await self._exec_own(f"test -e {quote(source)}", user="root")).code == 0:
            await self._sandbox.download(source, target, directory=False, room=REWARD_BYTES)

    async def working_directory(self) -> str:
        """Where commands run."""
        # Rule: run-trial/asked-working-directory
        return ((await self._exec_own("pwd")).stdout or "/").strip()

    async def empty(self, *folders: str, open_to_all: bool) -> None:
        """Make sure that there are empty folders."""
        command = " && ".join(empty_folders(folder, open_to_all=open_to_all) for folder in folders)
        # Rule: run-trial/root-commands
        await self._exec_own(command, user="root")

    async def is_folder(self, path: str) -> bool:
        return (await self.exec(f"test -d {quote(path)}", timeout=10, user="root")).code == 0

    async def _exec_own(self, command: str, *, user: User | None = None) -> Executed:
        """Run a command that takes no time; where something inside keeps it from ending, the sandbox is stopped.

        Raises:
            RuntimeError: it did not end.
        """
        own_timeout = self._sandbox.own_timeout
        try:
            async with asyncio.timeout(own_timeout or None) as limit:
                return await self.exec(command, user=user)
        except TimeoutError:
            if not limit.expired():
                raise
            await self.stop()
            raise RuntimeError(f"the sandbox was stopped: no end of {command!r} within {own_timeout} seconds") from None

    async def check_health(self, check: Healthcheck | None) -> None:
        """Run the command until it succeeds.

        Raises:
            HealthcheckError: it failed too often after its start period.
        """
        if check is None:
            return
        now = asyncio.get_running_loop().time
        end_of_start = now() + check.start_period
        failures = 0
        while True:
            # Rule: run-trial/healthcheck-start-period
            is_starting = now() < end_of_start
            # Rule: run-trial/healthcheck-command
            if (await self.exec(check.command, timeout=int(check.timeout) or self.longest or 0)).code == 0:
                return
            failures += not is_starting
            # Rule: run-trial/healthcheck-retries
            if not is_starting and failures >= check.retries:
                raise HealthcheckError(f"the healthcheck failed {failures} times: {check.command}")
            # Rule: run-trial/healthcheck-interval
            await asyncio.sleep(check.start_interval if is_starting else check.interval)


def _holds_plain_files(folder: Path) -> bool:
    """Whether a folder holds files, and nothing that an image would be built from."""
    if not folder.is_dir() or (folder / "Dockerfile").exists() or (folder / "docker-compose.yaml").exists():
        return False
    return any(folder.iterdir())
