"""Calls into one sandbox: files that are unpacked in it, and commands that have to succeed."""

import shlex
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from parity.harbor_env.errors import CommandFailed

TRANSFER_SECONDS = 900

type Retried = Callable[[Callable[..., Awaitable[Any]]], Callable[..., Awaitable[Any]]]
"""Makes a call one that is tried again where the environment does so."""


@dataclass(frozen=True)
class Inside:
    """A sandbox, by its client and its id."""

    client: Any
    sandbox_id: str
    retried: Retried

    async def run(self, command: str) -> Any:
        """Run a command; what came of it."""
        execute = self.retried(self.client.execute_command)
        # Not in the own folder of the sandbox, which an agent may have removed.
        return await execute(self.sandbox_id, command, working_dir="/", timeout=TRANSFER_SECONDS)

    async def execute(self, command: str) -> None:
        """Run a command that has to succeed.

        Raises:
            CommandFailed: it does not.
        """
        done = await self.run(command)
        if done.exit_code:
            raise CommandFailed(f"{command!r} ended with {done.exit_code}: {(done.stderr or '').strip()[:200]}")

    async def unpack(self, archive: Path, place: str, prepare: str) -> None:
        """Upload an archive to a place and unpack it at the root, after a command that prepares that.

        Raises:
            CommandFailed: the sandbox does not take it.
        """
        await self.retried(self.client.upload_file)(self.sandbox_id, place, str(archive))
        await self.execute(f"{prepare} && tar -xzf {place} -C / && rm {place}")

    async def download(self, path: str, target: Path) -> None:
        """Copy a file to the host."""
        await self.retried(self.client.download_file)(self.sandbox_id, path, str(target))


def make_folders(folders: Sequence[str]) -> str:
    """A command that makes folders."""
    return f"mkdir -p {' '.join(map(shlex.quote, folders))}"
