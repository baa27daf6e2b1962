"""Run host programs that act on a sandbox, with limits on their output and time."""

import asyncio
import os
import signal
import subprocess
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import IO, Any

from parity.driver.sandbox import Executed
from parity.driver.threads import start_in_thread

_KEPT = 1 << 20
"""The number of bytes that are kept from the beginning of an output, and also from its end."""

_LAST_WORDS = 0.2
"""Seconds to wait for more output after a program has ended, if background processes keep its pipes open."""


class Output:
    """The text of a stream. If it is too long, the middle part is left out."""

    def __init__(self) -> None:
        self._start = bytearray()  # `bytes` would be copied at each addition
        self._end = bytearray()
        self._left_out = 0

    def add(self, piece: bytes) -> None:
        """Add the next bytes of the stream."""
        room = _KEPT - len(self._start)
        self._start += piece[:room]
        self._end += piece[room:]
        if len(self._end) > 2 * _KEPT:
            self._cut()

    def text(self) -> str:
        """Return the text, with a line in place of bytes that were left out.

        Bytes that are not UTF-8 become replacement characters.
        """
        self._cut()
        gap = f"\n[{self._left_out:,} bytes left out]\n".encode() if self._left_out else b""
        return b"".join((self._start, gap, self._end)).decode(errors="replace")

    def _cut(self) -> None:
        excess = max(0, len(self._end) - _KEPT)
        del self._end[:excess]
        self._left_out += excess


class Program:
    """A program that runs on the host, and its output. Ctrl-C does not end the program."""

    def __init__(
        self,
        command: Sequence[str],
        *,
        env: Mapping[str, str] | None = None,
        stdin: int = subprocess.DEVNULL,
        collects: bool = True,
        pass_fds: Sequence[int] = (),
    ) -> None:
        """Start the program.

        Args:
            command: the program and its arguments.
            env: the program's environment variables; None for the same as in this process.
            stdin: as in `subprocess.Popen`.
            collects: whether the program's standard output is collected. Otherwise the caller must read `stdout`.
            pass_fds: file descriptors that the program inherits.

        Raises:
            OSError: the program cannot be started.
        """
        self._process = subprocess.Popen(
            command,
            stdin=stdin,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            cwd="/",
            env=env,
            umask=0o022,
            pass_fds=pass_fds,
            start_new_session=True,
        )
        self.stdin, self.stdout = self._process.stdin, self._process.stdout
        loop = asyncio.get_running_loop()
        self.ended: asyncio.Future[int] = start_in_thread(self._process.wait)
        """The program's exit code, which is negative if a signal killed it."""

        self._has_printed: asyncio.Future[None] = loop.create_future()
        self._is_silent: asyncio.Future[None] = loop.create_future()
        """Done when all collected pipes are closed. Background processes may keep them open."""

        self._outputs = (Output(), Output())
        pipes = (self.stdout if collects else None, self._process.stderr)
        self._open = {pipe: output for pipe, output in zip(pipes, self._outputs, strict=True) if pipe is not None}
        # The event loop's own pipes are not used, because uvloop closes file descriptors twice, and another thread may
        # have opened a file with the same number in between.
        for pipe in self._open:
            os.set_blocking(pipe.fileno(), False)
            loop.add_reader(pipe.fileno(), self._read, pipe)

    def _read(self, pipe: IO[bytes]) -> None:
        """Read the bytes that a pipe has now, or close the pipe if all programs have closed their end."""
        try:
            piece = os.read(pipe.fileno(), 1 << 16)
        except BlockingIOError:
            return
        self._open[pipe].add(piece)
        if pipe is self.stdout and piece and not self._has_printed.done():
            self._has_printed.set_result(None)
        if not piece:
            self._leave(pipe)

    def _leave(self, pipe: IO[bytes]) -> None:
        asyncio.get_running_loop().remove_reader(pipe.fileno())
        pipe.close()
        del self._open[pipe]
        if not self._open and not self._is_silent.done():
            self._is_silent.set_result(None)

    @property
    def is_silent(self) -> bool:
        """Whether the program and its background processes have closed their output."""
        return self._is_silent.done()

    async def prints(self, seconds: float) -> bool:
        """Return whether the program writes to standard output within a number of seconds, and before it ends."""
        either: set[asyncio.Future[Any]] = {self._has_printed, self.ended}
        await asyncio.wait(either, timeout=seconds, return_when=asyncio.FIRST_COMPLETED)
        return self._has_printed.done()

    async def result(self, timeout: float | None = None) -> Executed:
        """Wait until the program ends, and return its result.

        Args:
            timeout: the timeout in seconds; None or 0 for no timeout.

        Raises:
            RuntimeError: the program took longer than the timeout. The program keeps running.
        """
        await asyncio.wait({self.ended}, timeout=timeout or None)
        if not self.ended.done():
            raise RuntimeError(f"Command timed out after {timeout} seconds")
        await asyncio.wait({self._is_silent}, timeout=_LAST_WORDS)
        code = self.ended.result()
        stdout, stderr = (output.text() for output in self._outputs)
        return Executed(code if code >= 0 else 128 - code, stdout, stderr)

    def kill(self) -> None:
        """Kill the program and every process that is still in its process group, unless the program has ended."""
        if not self.ended.done():
            with suppress(ProcessLookupError):
                os.killpg(self._process.pid, signal.SIGKILL)

    def close(self) -> None:
        """Stop collecting the program's output. A background process that writes more output is killed by SIGPIPE."""
        for pipe in list(self._open):
            self._leave(pipe)


async def run(
    command: Sequence[str], *, env: Mapping[str, str] | None = None, timeout: float | None = None
) -> Executed:
    """Run a program until it ends. If it runs into the timeout or the caller is cancelled, kill it.

    Raises:
        RuntimeError: the program took longer than the timeout, in seconds.
    """
    program = Program(command, env=env)
    try:
        return await program.result(timeout)
    finally:
        program.kill()
        program.close()
