"""Starts and ends the first process of a local sandbox, with which everything inside ends."""

import asyncio
import json
import os
import signal
import subprocess
from contextlib import suppress
from typing import Any

from parity.driver.sandboxes.bubblewrap import bubblewrap
from parity.driver.sandboxes.entering import STAND_IN

_PATIENCE = 30
"""Seconds for a start, and for an end."""


def as_whom() -> dict[str, Any]:
    """How root starts bubblewrap: as somebody without rights; anybody else as themselves."""
    return {"user": STAND_IN, "group": STAND_IN, "extra_groups": []} if os.geteuid() == 0 else {}


class FirstProcess:
    """The process that all others of a sandbox depend on."""

    def __init__(self, name: str, *, size: int, network: bool) -> None:
        self._name = name
        self._size = size
        self._network = network
        self._launched: asyncio.Task[None] | None = None
        self._bubblewrap: asyncio.subprocess.Process | None = None
        self.descriptor: int | None = None
        """Process descriptor, while it runs."""

    async def start(self) -> None:
        """Start it.

        Raises:
            RuntimeError: bubblewrap cannot.
        """
        # Half-started it must not be killed: bubblewrap's child would wait for it forever.
        self._launched = asyncio.create_task(self._launch())
        await asyncio.shield(self._launched)

    async def _launch(self) -> None:
        reader, writer = os.pipe()
        try:
            command = bubblewrap(self._name, size=self._size, network=self._network, info=writer)
            self._bubblewrap = await asyncio.create_subprocess_exec(
                *command,
                stdin=subprocess.PIPE,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.PIPE,
                # The reader, too: where nobody reads any more what it tells, it would die, and leave its child waiting.
                pass_fds=[reader, writer],
                cwd="/",
                # Ctrl-C is for the driver alone.
                start_new_session=True,
                **as_whom(),
            )
        except BaseException:
            os.close(reader)
            raise
        finally:
            os.close(writer)
        told = await self._told(reader)
        if told is None:
            assert self._bubblewrap.stderr is not None
            complaint = (await self._bubblewrap.stderr.read(2000)).decode(errors="replace").strip()
            raise RuntimeError(f"the local sandbox does not start: {complaint or 'bwrap ended'}")
        self.descriptor = os.pidfd_open(told)

    async def _told(self, reader: int) -> int | None:
        """The number of the first process, as bubblewrap tells it; None if it ends without a word."""
        stream = asyncio.StreamReader()
        loop = asyncio.get_running_loop()
        pipe = os.fdopen(reader, "rb", buffering=0)
        transport, _ = await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(stream), pipe)
        try:
            async with asyncio.timeout(_PATIENCE):
                document = await stream.read()
        except TimeoutError:
            raise RuntimeError(f"the local sandbox does not start within {_PATIENCE} seconds") from None
        finally:
            transport.close()
        return int(json.loads(document)["child-pid"]) if document else None

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
