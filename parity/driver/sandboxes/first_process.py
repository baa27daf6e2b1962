"""Starts and ends the first process of a local sandbox, with which everything inside ends."""

import asyncio
import json
import os
import signal
import subprocess
from collections.abc import Mapping
from contextlib import suppress

from parity.driver.sandboxes.bubblewrap import bubblewrap
from parity.driver.sandboxes.entering import STAND_IN
from parity.driver.sandboxes.system_calls import filter_program

_PATIENCE = 30
"""Seconds for a start, and for an end."""


def without_rights() -> list[str]:
    """The program by which root starts bubblewrap as somebody without rights; anybody else starts it as themselves.

    Not every event loop can start a program as somebody else.
    """
    who = f"--reuid={STAND_IN}", f"--regid={STAND_IN}", "--clear-groups"
    return ["setpriv", *who, "--"] if os.geteuid() == 0 else []


class FirstProcess:
    """The process that all others of a sandbox depend on."""

    def __init__(self, name: str, *, size: int) -> None:
        self._name = name
        self._size = size
        self._launched: asyncio.Task[None] | None = None
        self._bubblewrap: asyncio.subprocess.Process | None = None
        self.descriptor: int | None = None
        """Process descriptor, while it runs."""

    async def start(self, limits: Mapping[str, int]) -> None:
        """Start it, and wait until it sees its files.

        Args:
            limits: what bounds the process itself, by names behind `RLIMIT_`.

        Raises:
            RuntimeError: bubblewrap cannot.
        """
        # Half-started it must not be killed: bubblewrap's child would wait for it forever.
        self._launched = asyncio.create_task(self._launch(limits))
        await asyncio.shield(self._launched)

    async def _launch(self, limits: Mapping[str, int]) -> None:
        try:
            async with asyncio.timeout(_PATIENCE):
                ready = await self._begun(limits)
        except TimeoutError:
            raise RuntimeError(f"the local sandbox does not start within {_PATIENCE} seconds") from None
        if not ready:
            assert self._bubblewrap is not None
            assert self._bubblewrap.stderr is not None
            complaint = (await self._bubblewrap.stderr.read(2000)).decode(errors="replace").strip()
            raise RuntimeError(f"the local sandbox does not start: {complaint or 'bwrap ended'}")

    async def _begun(self, limits: Mapping[str, int]) -> bool:
        """Start bubblewrap; whether the first process says that it is ready, rather than ends."""
        reader, writer = os.pipe()
        calls = _in_memory(filter_program())
        try:
            command = bubblewrap(self._name, size=self._size, limits=limits, info=writer, calls=calls)
            self._bubblewrap = await asyncio.create_subprocess_exec(
                *without_rights(),
                *command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                # The reader, too: where nobody reads any more what it tells, it would die, and leave its child waiting.
                pass_fds=[reader, writer, calls],
                cwd="/",
                # Ctrl-C is for the driver alone.
                start_new_session=True,
            )
        except BaseException:
            os.close(reader)
            raise
        finally:
            os.close(writer)
            os.close(calls)
        document = await _all_of(reader)
        if not document:
            return False
        with suppress(ProcessLookupError):
            self.descriptor = os.pidfd_open(json.loads(document)["child-pid"])
        # bubblewrap tells the number before it makes the file system, into which nobody could enter yet.
        assert self._bubblewrap.stdout is not None
        return bool(await self._bubblewrap.stdout.readline())

    async def stop(self) -> None:
        """End it, and wait until nothing of the sandbox is left; more than once is as good as once."""
        if self._launched is not None:
            await asyncio.wait({self._launched})
            self._launched.cancelled() or self._launched.exception()  # told by the start, if that was not cancelled
        descriptor, self.descriptor = self.descriptor, None
        if descriptor is not None:
            try:
                with suppress(ProcessLookupError):
                    signal.pidfd_send_signal(descriptor, signal.SIGKILL)
                await _ended(descriptor)
            finally:
                os.close(descriptor)
        process, self._bubblewrap = self._bubblewrap, None
        if process is not None:
            assert process.stdin is not None
            process.stdin.close()
            if process.returncode is None:
                # Not by its own method, which takes the exit code away from the loop if the process has just ended.
                with suppress(ProcessLookupError):
                    os.kill(process.pid, signal.SIGKILL)
            await process.wait()
            process._transport.close()  # type: ignore[attr-defined]


def _in_memory(content: bytes) -> int:
    """A descriptor at the start of what it holds."""
    descriptor = os.memfd_create("content")
    os.pwrite(descriptor, content, 0)
    return descriptor


async def _all_of(reader: int) -> bytes:
    """What is written to a pipe until nobody can any more; it is closed then."""
    stream = asyncio.StreamReader()
    pipe = os.fdopen(reader, "rb", buffering=0)
    loop = asyncio.get_running_loop()
    transport, _ = await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(stream), pipe)
    try:
        return await stream.read()
    finally:
        transport.close()


async def _ended(descriptor: int) -> None:
    """Wait for a process that has been killed; it ends last of all inside."""
    loop = asyncio.get_running_loop()
    ended = asyncio.Event()
    loop.add_reader(descriptor, ended.set)
    try:
        async with asyncio.timeout(_PATIENCE):
            await ended.wait()
    finally:
        loop.remove_reader(descriptor)
