"""Runs commands in a container, in which something may stop every process that it sees.

What it stops may be the engine's own, on its way to becoming the command; while one of those stands still, no other may
be started and no client killed, or engines no longer remove the container. So a command says that it has begun, the
next one waits for that, and whoever does not say so in time ends the container.
"""

import asyncio
import uuid
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace

from parity.driver.sandbox import Executed
from parity.driver.sandboxes.command import LAST_WORDS, Started, started
from parity.driver.sandboxes.starting import HostProgram

_TIMEOUT = 30
"""Seconds in which a command has begun, and in which a client ends after its container."""


class NotBegun(RuntimeError):
    """A command has not begun in time, and perhaps never will."""


async def _begin(client: Started) -> None:
    try:
        async with asyncio.timeout(_TIMEOUT):
            await client.begun.wait()
    except TimeoutError:
        raise NotBegun(f"a command has not begun within {_TIMEOUT} seconds") from None


class Execs:
    """The commands of one container."""

    def __init__(self) -> None:
        self._word = uuid.uuid4().hex
        self._clients: list[Started] = []

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
            await _begin(earlier)
        begin = f'builtin echo {self._word}; exec bash -c "$0"'
        argv = ("docker", "exec", *options, container, "bash", "-c", begin, command)
        client = await started(HostProgram(argv, env=env).start)
        self._clients.append(client)
        try:
            async with asyncio.timeout(timeout or None):
                await _begin(client)
                await client.ended.wait()
            async with asyncio.timeout(LAST_WORDS):
                await client.silent.wait()
        except TimeoutError:
            if not client.ended.is_set():
                raise RuntimeError(f"Command timed out after {timeout} seconds") from None
        if client.silent.is_set():
            self._clients.remove(client)
            client.close()
        executed = client.executed()
        return replace(executed, stdout=executed.stdout.replace(f"{self._word}\n", "", 1))

    async def close(self) -> None:
        """End the clients that are left, once the container is gone."""
        while self._clients:
            client = self._clients.pop()
            with suppress(TimeoutError):
                async with asyncio.timeout(_TIMEOUT):
                    await client.ended.wait()
            if not client.ended.is_set():
                client.kill()
                await client.ended.wait()
            client.close()
