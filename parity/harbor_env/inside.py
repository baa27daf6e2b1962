"""Calls to one sandbox: commands that must succeed, archives to unpack, and commands with a timeout."""

import shlex
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from parity.harbor_env.errors import CommandFailed

TRANSFER_SECONDS = 900

KILLED = 137
"""The exit code of a command that `bounded` has killed."""

type Retried = Callable[[Callable[..., Awaitable[Any]]], Callable[..., Awaitable[Any]]]
"""A function that adds the environment's retries to a call."""


@dataclass(frozen=True)
class Inside:
    """One sandbox, by its client and its id."""

    client: Any
    sandbox_id: str
    retried: Retried

    async def run(self, command: str) -> Any:
        """Run a command and return its result."""
        execute = self.retried(self.client.execute_command)
        # Not in the sandbox's own folder, which an agent may have removed.
        return await execute(self.sandbox_id, command, working_dir="/", timeout=TRANSFER_SECONDS)

    async def execute(self, command: str) -> None:
        """Run a command that must succeed.

        Raises:
            CommandFailed: the command fails.
        """
        done = await self.run(command)
        if done.exit_code:
            raise CommandFailed(f"{command!r} ended with {done.exit_code}: {(done.stderr or '').strip()[:200]}")

    async def unpack(self, archive: Path, place: str, prepare: str) -> None:
        """Upload an archive to a path, run a command that prepares the unpacking, and unpack the archive at the root.

        Raises:
            CommandFailed: unpacking or the preparation fails.
        """
        await self.retried(self.client.upload_file)(self.sandbox_id, place, str(archive))
        await self.execute(f"{prepare} && tar -xzf {place} -C / && rm {place}")

    async def download(self, path: str, target: Path) -> None:
        """Copy a file to the host."""
        await self.retried(self.client.download_file)(self.sandbox_id, path, str(target))


def make_folders(folders: Sequence[str]) -> str:
    """Return a command that makes folders."""
    return f"mkdir -p {' '.join(map(shlex.quote, folders))}"


def bounded(command: str, seconds: float | None) -> str:
    """Return a command that is killed at its timeout, so that it does not keep running during the tests."""
    if seconds is None:
        return command
    # Whole numbers are written without a point, because not every `timeout` accepts one.
    return f"timeout -s KILL {int(seconds) if seconds == int(seconds) else seconds} bash -c {shlex.quote(command)}"
