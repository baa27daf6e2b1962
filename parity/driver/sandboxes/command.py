"""Runs programs of the host that act on a sandbox, with bounded output and bounded patience."""

import asyncio
import os
import signal
import subprocess
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import cast

from parity.driver.sandbox import Executed
from parity.driver.sandboxes.captured import Captured

LAST_WORDS = 0.2
"""Seconds that output may follow the end of a command whose background processes keep its pipes open."""


class Output(asyncio.SubprocessProtocol):
    """Collects what a program prints, and tells when it has ended and when nothing more can come."""

    def __init__(self) -> None:
        self.streams = {1: Captured(), 2: Captured()}
        self.ended = asyncio.Event()
        self.silent = asyncio.Event()
        self._open = len(self.streams)

    def pipe_data_received(self, fd: int, data: bytes) -> None:
        self.streams[fd].add(data)

    def pipe_connection_lost(self, fd: int, exc: Exception | None) -> None:
        self._open -= 1
        if not self._open:
            self.silent.set()

    def process_exited(self) -> None:
        self.ended.set()


class Commands:
    """The commands of one sandbox; `close` forgets the output of those that still run."""

    def __init__(self) -> None:
        self._talking: list[tuple[asyncio.SubprocessTransport, Output]] = []

    async def run(
        self,
        argv: Sequence[str],
        *,
        timeout: float | None = None,
        pass_fds: Sequence[int] = (),
        env: Mapping[str, str] | None = None,
    ) -> Executed:
        """Run a program until it ends, whatever it leaves running; `env` are variables beside this process's own.

        Raises:
            RuntimeError: it took longer than the timeout, in seconds; None and 0 are any time.
        """
        loop = asyncio.get_running_loop()
        transport, output = await loop.subprocess_exec(
            Output,
            *argv,
            stdin=subprocess.DEVNULL,
            pass_fds=pass_fds,
            start_new_session=True,
            env={**os.environ, **env} if env else None,
        )
        try:
            async with asyncio.timeout(timeout or None):
                await output.ended.wait()
            async with asyncio.timeout(LAST_WORDS):
                await output.silent.wait()
        except TimeoutError:
            if transport.get_returncode() is None:
                raise RuntimeError(f"Command timed out after {timeout} seconds") from None
        finally:
            self._release(transport, output)
        code = cast("int", transport.get_returncode())
        return Executed(code if code >= 0 else 128 - code, output.streams[1].text(), output.streams[2].text())

    def _release(self, transport: asyncio.SubprocessTransport, output: Output) -> None:
        if transport.get_returncode() is None:
            # Not by its own method, which takes the exit code away from the loop if the process has just ended.
            with suppress(ProcessLookupError):
                os.kill(transport.get_pid(), signal.SIGKILL)
        if output.silent.is_set() and output.ended.is_set():
            transport.close()
        else:
            # A closed pipe would kill what the command left running as soon as it prints.
            self._talking.append((transport, output))

    async def close(self) -> None:
        """Stop reading what background processes print."""
        while self._talking:
            transport, output = self._talking.pop()
            await output.ended.wait()
            transport.close()
