"""Start the processes that enter local sandboxes, by a helper process that forks them; see `helper`."""

import atexit
import json
import os
import resource
import select
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Sequence
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import IO
from weakref import finalize

import parity
from parity.driver.sandboxes.kernel import pidfd_send_signal
from parity.driver.sandboxes.starting import read_all

_PACKAGES = Path(parity.__file__).parents[1]
# Appended last, so that no file in that folder replaces a module of Python's own.
_SOURCE = """
import sys
sys.path.append(sys.argv[1])
from parity.driver.sandboxes.helper import main
main(int(sys.argv[2]))
"""
_LONGEST = 1000
_LAST_MOMENT = 5
"""Seconds to wait until a process that has closed its sockets is gone."""

_STANDARD = ("stdin", "stdout", "stderr")


def fork(
    action: str,
    pass_fds: Sequence[int],
    *arguments: object,
    stdin: int = subprocess.DEVNULL,
    stdout: int = subprocess.PIPE,
    bufsize: int = 0,
    inside: socket.socket | None = None,
) -> "Forked":
    """Start a process by the helper; `starting.program` does the same by this process.

    The action is `enter` or `carrier`. Its arguments begin with the passed descriptors.

    Args:
        action: the action.
        pass_fds: descriptors to pass.
        arguments: further arguments of the action.
        stdin: the standard input, as in `subprocess.Popen`.
        stdout: the standard output, as in `subprocess.Popen`.
        bufsize: the buffering of pipes, as in `subprocess.Popen`.
        inside: the socket of an `enter` that starts the process instead, for the action `command`. Such a process is
            never killed.

    Raises:
        RuntimeError: the helper, or that `enter`, has ended or cannot start a process.
    """
    given = dict(zip(_STANDARD, (stdin, stdout, subprocess.PIPE), strict=True))
    ours: dict[str, IO[bytes]] = {}
    with ExitStack() as undoing, ExitStack() as theirs:
        numbers = [_end_of(name, kind, bufsize, ours, undoing, theirs) for name, kind in given.items()]
        status, far = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        undoing.enter_context(status)
        with far:
            request = json.dumps([action, *arguments]).encode()
            helper = None
            if (asked := inside) is None:
                helper = _helper()
                asked = helper.requests
            with suppress(OSError):  # it has ended
                socket.send_fds(asked, [request], [*numbers, far.fileno(), *pass_fds])
        said, descriptors, _, _ = socket.recv_fds(status, _LONGEST, 1)
        if not descriptors:
            complaint = said.decode(errors="replace") or (helper.last_words() if helper else "")
            raise RuntimeError(complaint or "the helper that enters sandboxes has ended")
        os.set_inheritable(descriptors[0], False)
        undoing.pop_all()
    return Forked(ours, status, descriptors[0], goes_on=inside is not None)


def _end_of(
    name: str, kind: int, bufsize: int, ours: dict[str, IO[bytes]], undoing: ExitStack, theirs: ExitStack
) -> int:
    """Return the process's end of a standard stream. If the stream is a pipe, our end is kept."""
    if kind == subprocess.DEVNULL:
        end = os.open(os.devnull, os.O_RDWR)
    else:
        reader, writer = os.pipe()
        end, own, mode = (reader, writer, "wb") if name == "stdin" else (writer, reader, "rb")
        ours[name] = undoing.enter_context(os.fdopen(own, mode, bufsize))
    theirs.callback(os.close, end)
    return end


class Forked:
    """A process that the helper has started, with the interface of `subprocess.Popen`."""

    def __init__(self, pipes: dict[str, IO[bytes]], status: socket.socket, descriptor: int, *, goes_on: bool) -> None:
        self.stdin, self.stdout, self.stderr = map(pipes.get, _STANDARD)
        self.returncode: int | None = None
        self._status, self._descriptor, self._goes_on = status, descriptor, goes_on
        self._asking = threading.Lock()
        # Closed only at the end of this object, because another thread may be waiting.
        finalize(self, _close, status, descriptor)

    def kill(self) -> None:
        """Kill the process, if it is running. If it must not be killed, it keeps running, but `wait` returns as after a
        kill.
        """
        with self._asking:
            self._kill()

    def _kill(self) -> None:
        if self.returncode is None and self._goes_on:
            self._status.shutdown(socket.SHUT_RDWR)
        elif self.returncode is None:
            with suppress(ProcessLookupError):
                pidfd_send_signal(self._descriptor, signal.SIGKILL)

    def wait(self, timeout: float | None = None) -> int:
        """Wait until the process ends, and return its exit code, or the negative number of a signal.

        Raises:
            subprocess.TimeoutExpired: the process has not ended within these seconds.
        """
        poll = select.poll()
        poll.register(self._status, select.POLLIN)
        while self.returncode is None:
            if not poll.poll(None if timeout is None else timeout * 1000) and timeout is not None:
                raise subprocess.TimeoutExpired("the process", timeout)
            with self._asking:
                if self.returncode is None:
                    self._end()
        return self.returncode

    def _end(self) -> None:
        said = self._status.recv(_LONGEST)
        if not said:  # the helper has ended
            self._kill()
        self.returncode = int(said) if said else -signal.SIGKILL


def _close(status: socket.socket, descriptor: int) -> None:
    status.close()
    os.close(descriptor)


class _Helper:
    def __init__(self) -> None:
        # The kernel lets nobody send descriptors while the user has more of them in sockets than the sender's soft
        # limit. Sandboxes have a lower limit than this process and the helper, so they cannot cause that.
        hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
        resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
        self.requests, far = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        with far:
            number = far.fileno()
            self._process = subprocess.Popen(
                [sys.executable, "-I", "-S", "-c", _SOURCE, str(_PACKAGES), str(number)],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.PIPE,
                pass_fds=[number],
                cwd="/",
                # No other variable of the host; without this one, some builds of Python do not find their own library.
                env={name: os.environ[name] for name in ("LD_LIBRARY_PATH",) if name in os.environ},
                # Ctrl-C is for this process alone.
                start_new_session=True,
            )
        atexit.register(self._stop, os.getpid())

    def runs(self) -> bool:
        return self._process.poll() is None

    def last_words(self) -> str:
        """Return the last line that the helper wrote before it ended, if any."""
        assert self._process.stderr is not None
        said = read_all(self._process.stderr.fileno(), _LAST_MOMENT) or b""
        return said.decode(errors="replace").strip().rpartition("\n")[2]

    def _stop(self, process: int) -> None:
        if process == os.getpid():
            with self._process:  # wait for it, and close its pipe
                self.requests.close()


_BEGINNING = threading.Lock()
_HELPERS: dict[int, _Helper] = {}
"""The helper of each process, by its number: a forked process needs its own."""


def _helper() -> _Helper:
    process = os.getpid()
    with _BEGINNING:
        if process not in _HELPERS or not _HELPERS[process].runs():
            _HELPERS[process] = _Helper()
        return _HELPERS[process]
