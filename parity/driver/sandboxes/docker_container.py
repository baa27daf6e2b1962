"""A container, and the commands in it, in which something may stop every process that it sees.

What it stops may be the engine's own, on its way to becoming the command; while one of those stands still, no other may
be started and no client killed, or engines no longer remove the container. So a command says that it has begun, the
next one waits for that, and whoever does not say so in time ends the container.
"""

import asyncio
import os
import uuid
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace

from parity.driver.sandbox import Executed, SandboxSpec
from parity.driver.sandboxes.command import Commands, Started, started
from parity.driver.sandboxes.docker_image import docker, last_line
from parity.driver.sandboxes.local_limits import PROCESSES
from parity.driver.sandboxes.tidying import Tidying

_TIMEOUT = 60
"""Seconds for a start without the image, and for an end."""

_BEGINNING = 30
"""Seconds in which a command has begun, and in which a client ends after its container."""

_STORAGE_MB = 10240
"""Megabytes of one file, where the task does not say how much it needs; few engines can bound their sum."""

_GONE = ("No such container", "already in progress")
_LIVE = "cat >/dev/null"  # docker keeps its input open; `sleep infinity` is not known everywhere

# Those that package managers and tests take, and no more: no raw sockets, no devices.
_CAPABILITIES = ("CHOWN", "DAC_OVERRIDE", "FOWNER", "FSETID", "KILL", "SETGID", "SETUID", "SETPCAP", "NET_BIND_SERVICE")

# An engine may fail to remove a container for an hour; not every system has `timeout`.
_TIDY_UP = f"""
limit= wait=1 waited=0
if command -v timeout; then limit='timeout {_TIMEOUT}'; fi
until said=$($limit docker rm --force --volumes "$1" 2>&1) || [ "${{said#*No such container}}" != "$said" ]; do
    sleep $wait
    waited=$((waited + wait))
    [ $waited -lt 3600 ] || exit
    [ $wait -ge 30 ] || wait=$((2 * wait))
done"""


class NotBegun(RuntimeError):
    """A command has not begun in time, and perhaps never will."""


class Container:
    """One container, from before it is created until after it is removed; it lives no longer than this process."""

    def __init__(self, name: str, spec: SandboxSpec, commands: Commands) -> None:
        self.name = name
        self._spec, self._commands = spec, commands
        self._started: asyncio.Task[Executed] | None = None
        self._tidying: Tidying | None = None
        self._word = uuid.uuid4().hex
        self._clients: list[Started] = []

    async def start(self, image: str) -> None:
        """Start it, and wait until it runs.

        Raises:
            RuntimeError: docker cannot.
            OSError: nothing could remove it at the end of this process.
        """
        self._tidying = Tidying(_TIDY_UP, self.name, os.environ)
        # A client that is killed leaves the engine at it: the container might come after its removal.
        begin = docker(*self._command(image), pass_fds=[self._tidying.pipe])
        self._started = asyncio.create_task(self._commands.run(begin, timeout=_TIMEOUT))
        started = await asyncio.shield(self._started)
        if started.code:
            lines = [line for line in started.stderr.splitlines() if line.strip() and "--help" not in line]
            raise RuntimeError(f"docker run of {image}: {last_line(chr(10).join(lines))}")

    def _command(self, image: str) -> list[str]:
        spec = self._spec
        return [
            *("run", "--detach", "--rm", "--interactive", "--init"),
            *("--name", self.name, "--hostname", self.name[:60]),
            *("--label", f"harbor-parity={spec.task}", "--log-driver", "none", "--pull", "never"),
            *(() if spec.network else ("--network", "none")),
            *("--cap-drop", "ALL", *(f"--cap-add={name}" for name in _CAPABILITIES)),
            *("--security-opt", "no-new-privileges", "--ulimit", "core=0"),
            *("--ulimit", f"fsize={(spec.storage_mb or _STORAGE_MB) << 20}"),
            *("--pids-limit", str(PROCESSES)),
            *(("--memory", f"{spec.memory_mb}m", "--memory-swap", f"{spec.memory_mb}m") if spec.memory_mb else ()),
            *(("--cpus", str(spec.cpus)) if spec.cpus else ()),
            *("--entrypoint", "sh", image, "-c", _LIVE),
        ]

    async def exec(
        self, options: Sequence[str], command: str, timeout: float | None, env: Mapping[str, str]
    ) -> Executed:
        """Run a command until it ends, whatever it leaves running.

        Args:
            options: of `docker exec`.
            command: bash source.
            timeout: seconds; None and 0 for any time.
            env: variables of the docker command.

        Raises:
            RuntimeError: it took longer than the timeout. It goes on.
            NotBegun: it has not begun, or an earlier one has not.
        """
        for earlier in self._clients:
            await _begun(earlier)
        begin = f'builtin echo {self._word}; exec bash -c "$0"'
        client = await started(docker("exec", *options, self.name, "bash", "-c", begin, command, env=env))
        self._clients.append(client)
        executed = await client.executed(timeout, _begun)
        if client.silent.is_set():
            self._clients.remove(client)
            client.close()
        return replace(executed, stdout=executed.stdout.replace(f"{self._word}\n", "", 1))

    async def stop(self) -> None:
        """Remove it, whether it runs, starts or never did; more than once is as good as once.

        Raises:
            RuntimeError: docker cannot. It is tried again when this process ends.
        """
        try:
            await self._remove()
        finally:
            while self._clients:
                await _end(self._clients.pop())

    async def _remove(self) -> None:
        if self._started is None:
            return
        await asyncio.wait({self._started})
        removed = await self._commands.run(docker("rm", "--force", "--volumes", self.name), timeout=_TIMEOUT)
        if removed.code and not any(words in removed.stderr for words in _GONE):
            raise RuntimeError(f"docker rm of {self.name}: {last_line(removed.stderr)}")
        failed = self._started.exception()
        self._started = None
        if failed is None and self._tidying is not None:
            self._tidying.cancel()
            self._tidying = None


async def _begun(client: Started) -> None:
    try:
        async with asyncio.timeout(_BEGINNING):
            await client.begun.wait()
    except TimeoutError:
        raise NotBegun(f"a command has not begun within {_BEGINNING} seconds") from None


async def _end(client: Started) -> None:
    """End a client that is left, once the container is gone."""
    with suppress(TimeoutError):
        async with asyncio.timeout(_BEGINNING):
            await client.ended.wait()
    if not client.ended.is_set():
        client.kill()
        await client.ended.wait()
    client.close()
