"""Runs a program over pipes: starts it, exchanges lines with it, and ends it together with its child processes.

Waits and buffers are bounded: every line has a time limit and a size limit. Standard error is read continuously, but
only its last lines are kept.
"""

import contextlib
import os
import re
import select
import shutil
import signal
import subprocess
from collections.abc import Iterator, Sequence
from threading import Thread
from time import monotonic
from typing import IO, NoReturn

from parity.operations.printable import printable

MOST_BYTES = 16 * 1024 * 1024
"""Size limit for a line, in bytes."""

_CHUNK = 256 * 1024
_KEPT_BYTES = 64 * 1024
_STDERR_LINES = 5
_SHOWN_CHARACTERS = 500
_NAMES_ERROR = re.compile(r"[\w.:$\"'\[ -]*(Error|Exception|Rejection)\b|panic: |fatal error: |thread '.*' panicked")
"""The beginning of a line that names an error. Except in Python, the error's stack comes below it."""

_GRACE = 5.0
_NOTHING = memoryview(b"")
_FLUSH = "; does it flush after every line?"


class PipeError(Exception):
    """The program cannot be used. The message is one line with the reason."""


class Lost(Exception):
    """The program returned no answer, and was killed. The message is the reason."""

    def __init__(self, reason: str, *, hung: bool = False) -> None:
        super().__init__(reason)
        self.hung = hung


class RunnerProgram:
    """A running program, in its own process group.

    Raises:
        PipeError: the program cannot be started.
    """

    def __init__(self, command: Sequence[str]) -> None:
        self._process = _start(command)
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        assert self._process.stderr is not None
        self._in, self._out = self._process.stdin.fileno(), self._process.stdout.fileno()
        os.set_blocking(self._in, False)
        self._stderr = _LastLines(self._process.stderr)
        self._is_killed = False
        self._buffer = bytearray()
        self._searched = 0
        """The number of bytes at the beginning of the buffer that contain no line end."""

        self._unsent = _NOTHING
        """The part of the lines to send that is not written to the pipe yet."""

        self._has_spoken = False
        self._has_answered = False
        """Whether the program has written a line after its hello, which proves that it flushes its lines."""

        self._poll = select.poll()
        self._poll.register(self._out, select.POLLIN)

    def exchange(self, line: bytes, seconds: float) -> bytes:
        """Send a line and return the answer, both without line ends.

        Raises:
            Lost: the program returned no line, or wrote one before the question was sent.
        """
        (answer,) = self.exchange_all([line], seconds)
        return answer

    def exchange_all(self, lines: Sequence[bytes], seconds: float) -> Iterator[bytes]:
        """Send lines without waiting for answers in between, and yield the answers, all without line ends.

        Args:
            lines: the lines to send.
            seconds: the time limit for each answer, counted from the previous answer.

        Raises:
            Lost: an answer is missing, or the program wrote a line before the first line was sent.
        """
        if self._has_spoken:  # the program may write its hello before it has read the kit's
            self._refuse_unrequested()
        deadline = monotonic() + seconds
        self._start_sending(b"".join([line + b"\n" for line in lines]))
        for unanswered in range(len(lines), 0, -1):
            # The last answer is accepted only after its whole question is sent.
            while (end := self._buffer.find(b"\n", self._searched)) < 0 or (unanswered == 1 and self._unsent):
                self._searched = len(self._buffer) if end < 0 else end
                self._wait(deadline, seconds)
            answer, self._searched = bytes(self._buffer[:end]), 0
            self._has_spoken, self._has_answered = True, self._has_spoken
            del self._buffer[: end + 1]
            yield answer
            deadline = monotonic() + seconds

    def end(self) -> str | None:
        """Close the program's input, wait until it ends, and kill what is left of its process group.

        Return the mistake that the program made at its end, or None.
        """
        deadline = monotonic() + _GRACE
        try:
            if self._process.stdin:
                self._process.stdin.close()
            is_closed = self._read_to_end(deadline)
            if not self._ends_before(deadline):
                return f"it did not end within {_GRACE:g} s of the end of its input"
            if self._buffer:
                return f"after its last answer it wrote {excerpt(self._buffer)}, which answers no question"
            return None if is_closed else "it left a process behind that holds its output"
        finally:
            self.kill()

    def kill(self) -> None:
        """Kill the program at once, with its whole process group."""
        if not self._is_killed:  # after that, another process group may have the same number
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(self._process.pid, signal.SIGKILL)
            # The system may be unable to end the process.
            self._is_killed = self._ends_before(monotonic() + _GRACE)
        for stream in (self._process.stdin, self._process.stdout):
            if stream is not None:
                with contextlib.suppress(OSError):
                    stream.close()

    def _start_sending(self, data: bytes) -> None:
        self._unsent = memoryview(data)
        self._send_more()
        if self._unsent:
            self._poll.register(self._in, select.POLLOUT)

    def _send_more(self) -> None:
        """Write as much of the unsent lines as fits into the pipe."""
        try:
            self._unsent = self._unsent[os.write(self._in, self._unsent) :]
        except BlockingIOError:
            return
        except BrokenPipeError:  # the program no longer reads; its output will show the reason
            self._unsent = _NOTHING

    def _wait(self, deadline: float, seconds: float) -> None:
        """Wait until something can be read or written, and then read or write it.

        Raises:
            Lost: nothing could be read or written before the deadline, or the program ended.
        """
        remaining = deadline - monotonic()
        ready = self._poll.poll(max(remaining, 0.0) * 1000)
        if not ready or remaining < 0:  # a program may write forever without ending a line
            partial = f", but began one: {excerpt(self._buffer)}" if self._buffer else ""
            hint = "" if self._buffer or self._has_answered else _FLUSH
            self._fail(f"it gave no answer within {seconds:g} s{partial}{hint}", hung=True)
        for descriptor, _ in ready:
            if descriptor == self._out:
                self._read_answers()
            else:
                self._send_more()
                if not self._unsent:
                    self._poll.unregister(self._in)

    def _read_answers(self) -> None:
        """Read from standard output.

        Raises:
            Lost: the program ended, or wrote too much.
        """
        chunk = os.read(self._out, _CHUNK)
        if not chunk:
            self._fail_ended()
        self._buffer += chunk
        if len(self._buffer) > MOST_BYTES and self._buffer.find(b"\n", 0, MOST_BYTES + 1) < 0:
            self._fail(f"it wrote more than {MOST_BYTES // 1024**2} MiB without the end of a line")
        if len(self._buffer) > MOST_BYTES + _CHUNK:
            self._fail(f"it wrote more than {MOST_BYTES // 1024**2} MiB before it had read the question")

    def _refuse_unrequested(self) -> None:
        if not self._buffer and self._poll.poll(0):
            self._read_answers()
        if self._buffer:
            self._fail(f"before it was asked, it wrote {excerpt(self._buffer)}")

    def _read_to_end(self, deadline: float) -> bool:
        """Read standard output until it is closed or the deadline is over, and return whether it is closed."""
        while (remaining := deadline - monotonic()) > 0 and self._poll.poll(remaining * 1000):
            chunk = os.read(self._out, _CHUNK)
            if not chunk:
                return True
            if len(self._buffer) < _KEPT_BYTES:
                self._buffer += chunk
        return False

    def _ends_before(self, deadline: float) -> bool:
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(max(deadline - monotonic(), 0.0))
        return self._process.returncode is not None

    def _fail_ended(self) -> NoReturn:
        partial = f" in the middle of a line: {excerpt(self._buffer)}" if self._buffer else ""
        if not self._ends_before(monotonic() + _GRACE):
            self._fail(f"it closed its standard output{partial}")
        code = self._process.returncode
        ended = f"was ended by {_signal_name(-code)}" if code < 0 else f"ended with exit code {code}"
        self._fail(f"it {ended}{partial}")

    def _fail(self, reason: str, *, hung: bool = False) -> NoReturn:
        self.kill()
        stderr = self._stderr.in_one_line()
        raise Lost(f"{reason}; on standard error: {stderr}" if stderr else reason, hung=hung)


class _LastLines(Thread):
    """Reads a stream to its end, and keeps its last lines."""

    def __init__(self, stream: IO[bytes]) -> None:
        super().__init__(daemon=True)
        self._stream = stream
        self._kept = b""
        self.start()

    def run(self) -> None:
        with self._stream:
            while chunk := self._stream.read(_CHUNK):
                self._kept = (self._kept + chunk)[-_KEPT_BYTES:]

    def in_one_line(self) -> str:
        """Return the last lines of a program that was killed, joined to one line; empty if there are none.

        If a line above the last one names an error, they begin with that line, and a long stack below it is cut.
        """
        self.join(_GRACE)  # a process that has left the group may hold the stream open
        lines = [line for line in self._kept.decode(errors="backslashreplace").splitlines() if line.strip()]
        above = [number for number, line in enumerate(lines) if _NAMES_ERROR.match(line)]
        if above and above[-1] < len(lines) - 1:
            lines = lines[above[-1] :]
            excerpt = lines if len(lines) <= _STDERR_LINES else [*lines[:3], "…", *lines[-2:]]
        else:
            excerpt = lines[-_STDERR_LINES:]
        return " | ".join(printable(_shorten(line.strip())) for line in excerpt)


def excerpt(line: bytes | bytearray) -> str:
    """Return the beginning of a line, in printable characters."""
    line = line.removesuffix(b"\n")
    text = printable(line[:200].decode(errors="backslashreplace"))
    more = f" … ({len(line):,} bytes)" if len(line) > 200 else ""
    return f"{text!r}{more}" if text != text.strip() or not text else f"{text}{more}"


def _shorten(line: str) -> str:
    return line if len(line) <= _SHOWN_CHARACTERS else f"{line[:_SHOWN_CHARACTERS]}…"


def _signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"


def _start(command: Sequence[str]) -> "subprocess.Popen[bytes]":
    """Start the program with pipes as its standard streams.

    Raises:
        PipeError: the program cannot be started.
    """
    name = printable(command[0])
    try:
        return subprocess.Popen(
            command,
            bufsize=0,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=True,
        )
    except FileNotFoundError:
        is_there = shutil.which(command[0])
        why = "the interpreter in its first line is missing" if is_there else f"no such program{_no_shell(command)}"
        raise PipeError(f"{name}: {why}") from None
    except (OSError, ValueError) as error:
        why = f"cannot be started: {getattr(error, 'strerror', None) or error}"
        if isinstance(error, PermissionError) and os.path.isdir(command[0]):
            why = "it is a directory; name a program in it"
        elif isinstance(error, PermissionError) and os.path.isfile(command[0]):
            why = "it may not be executed; chmod +x it, or name its interpreter first"
        raise PipeError(f"{name}: {why}") from None


def _no_shell(command: Sequence[str]) -> str:
    """Return a hint if the command uses the syntax of a shell, else an empty string."""
    if not any(each.startswith("~") or set("$&|;<>=`") & set(each) for each in command):
        return ""
    return "; no shell is involved, so for ~, $VAR or && use sh -c '…'"
