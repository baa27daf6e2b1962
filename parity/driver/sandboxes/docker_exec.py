"""Runs commands in a container, in which something may stop every process that it sees.

What it stops may be the engine's own, on its way to becoming the command; while one of those stands still, no other may
be started and no client killed, or engines no longer remove the container. So a command says that it has begun, the
next one waits for that, and whoever does not say so in time ends the container.
"""

import asyncio
import os
import signal
import subprocess
import uuid
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import cast

from parity.driver.sandbox import Executed
from parity.driver.sandboxes.command import LAST_WORDS, Output

_PATIENCE = 30
"""Seconds in which a command has begun, and in which a client ends after its container."""


class NotBegun(RuntimeError):
    """A command has not begun in time, and perhaps never will."""


class _Client(Output):
    """What a command prints, beginning with a word that it has begun."""

    transport: asyncio.SubprocessTransport

    def __init__(self) -> None:
        super().__init__()
        self.begun = asyncio.Event()

    def pipe_data_received(self, fd: int, data: bytes) -> None:
        self.begun.set()
        super().pipe_data_received(fd, data)

    def process_exited(self) -> None:
        self.begun.set()
        super().process_exited()

    async def begin(self) -> None:
        try:
            async with asyncio.timeout(_PATIENCE):
                await self.begun.wait()
        except TimeoutError:
            raise NotBegun(f"a command has not begun within {_PATIENCE} seconds") from None


class Execs:
    """The commands of one container."""

    def __init__(self) -> None:
        self._word = uuid.uuid4().hex
        self._clients: list[_Client] = []

    async def run(
        self, options: Sequence[str], container: str, command: str, timeout: float | None, env: Mapping[str, str]
    ) -> Executed:
        """Run a command until it ends, whatever it leaves running.

        Args:
            options: of `docker exec`.
            container: its name.
            command: bash source.
            timeout: seconds; None and 0 for any time.
            env: variables of the docker command.

        Raises:
            RuntimeError: it took longer than the timeout. It goes on.
            NotBegun: it has not begun, or an earlier one has not.
        """
        for earlier in self._clients:
            await earlier.begin()
        begin = f'builtin echo {self._word}; exec bash -c "$0"'
        transport, client = await asyncio.get_running_loop().subprocess_exec(
            _Client,
            *("docker", "exec", *options, container, "bash", "-c", begin, command),
            stdin=subprocess.DEVNULL,
            start_new_session=True,
            env={**os.environ, **env} if env else None,
        )
        client.transport = transport
        self._clients.append(client)
        try:
            async with asyncio.timeout(timeout or None):
                await client.begin()
                await client.ended.wait()
            async with asyncio.timeout(LAST_WORDS):
                await client.silent.wait()
        except TimeoutError:
            if not client.ended.is_set():
                raise RuntimeError(f"Command timed out after {timeout} seconds") from None
        if client.silent.is_set():
            self._clients.remove(client)
            transport.close()
        code = cast("int", transport.get_returncode())
        printed = client.streams[1].text().replace(f"{self._word}\n", "", 1)
        return Executed(code if code >= 0 else 128 - code, printed, client.streams[2].text())

    async def close(self) -> None:
        """End the clients that are left, once the container is gone."""
        while self._clients:
            client = self._clients.pop()
            with suppress(TimeoutError):
                async with asyncio.timeout(_PATIENCE):
                    await client.ended.wait()
            if not client.ended.is_set():
                # Not by its own method, which takes the exit code away from the loop if the process has just ended.
                with suppress(ProcessLookupError):
                    os.kill(client.transport.get_pid(), signal.SIGKILL)
                await client.ended.wait()
            client.transport.close()
