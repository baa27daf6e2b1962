"""Calls into one sandbox: files that are unpacked in it, and commands that have to succeed.

Some of them end an agent with its time, and what it has left running: all that was not there before it.
"""

import shlex
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from parity.harbor_env.errors import CommandFailed

TRANSFER_SECONDS = 900

KILLED = 137
"""The exit code of what `bounded` has ended."""

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


LIST_PROCESSES = 'for folder in /proc/[0-9]*; do test "${folder#/proc/}" = "$$" || echo "${folder#/proc/}"; done'
"""Prints the numbers of all processes but that of the shell itself."""


def end_others(kept: str) -> str:
    """A command that ends all processes but those that were listed, and fails where it cannot.

    Args:
        kept: what `LIST_PROCESSES` printed before the agent.
    """
    numbers = " ".join(word for word in kept.split() if word.isdecimal())
    return f"""for again in {{1..50}}; do
  left=
  for folder in /proc/[0-9]*; do
    case " {numbers} $$ $PPID " in *" ${{folder#/proc/}} "*) continue;; esac
    grep -qs '^State:.[ZX]' "$folder/status" && continue
    test -d "$folder" || continue
    kill -KILL "${{folder#/proc/}}" 2>/dev/null
    left=1
  done
  test -n "$left" || exit 0
  sleep 0.02
done
exit 1"""


def bounded(command: str, seconds: float | None) -> str:
    """A command that ends with its time: it must not be there any more when the tests are."""
    if seconds is None:
        return command
    # What is no fraction is reported without one: not every `timeout` takes a point.
    return f"timeout -s KILL {int(seconds) if seconds == int(seconds) else seconds} bash -c {shlex.quote(command)}"
