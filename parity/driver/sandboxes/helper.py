"""Forks what enters local sandboxes: a program of its own, which `forking` starts before the first of them.

It loads once what all of them need, which takes ten times as long as to fork, and neither `logging` nor `threading`,
whose work after each fork would take as long again. It never looks at what a request holds beside its first line, so
that no sandbox's variables lie in the memory that the next one's process begins with; and it neither joins a sandbox
nor reads a file of one.

What enters a sandbox joins it, and forks its commands in the same way. Where it is killed, they become children of the
helper, which takes note of their ends. Until somebody does, a sandbox cannot end; and the host's first process, whose
children they would else become, may do so late or, in a container, never.
"""

import json
import os
import resource
import select
import signal
import socket
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Any, NoReturn

from parity.driver.sandboxes import carrier, enter
from parity.driver.sandboxes.joining import PR_SET_CHILD_SUBREAPER, prctl
from parity.driver.sandboxes.kernel import pidfd_open

_LONGEST = 1 << 16
_NICER = 5
"""How much whatever runs in sandboxes stands back behind the host's own programs."""

_MOST_DESCRIPTORS = 8

type _Actions = Mapping[str, Callable[..., NoReturn]]


class Helper:
    """A socket for requests, and the processes that run.

    A request is a line of JSON, an action and its arguments, with descriptors: those of standard input, output and
    error, a socket for what becomes of it, and those of the action, which come before its arguments. To that socket go
    a process descriptor, and in the end an exit code; or a complaint.
    """

    def __init__(self, requests: socket.socket, actions: _Actions) -> None:
        self._requests, self._actions = requests, actions
        self._running: dict[int, socket.socket] = {}
        """Where to say what became of each process, by its number."""

        # Whenever a child ends, the kernel's signal writes to the second one.
        self._ends = os.pipe()
        os.set_blocking(self._ends[1], False)
        signal.set_wakeup_fd(self._ends[1], warn_on_full_buffer=False)
        signal.signal(signal.SIGCHLD, lambda *_: None)
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGCHLD})  # which the requester may block
        self._poll = select.poll()
        self._poll.register(requests, select.POLLIN)
        self._poll.register(self._ends[0], select.POLLIN)
        self._limit = resource.getrlimit(resource.RLIMIT_NOFILE)
        resource.setrlimit(resource.RLIMIT_NOFILE, (self._limit[1], self._limit[1]))

    def serve(self) -> None:
        """Fork until the requester has closed its socket."""
        while True:
            for descriptor, _ in self._poll.poll():
                if descriptor == self._ends[0]:
                    self._reap()
                elif not self._take():
                    return

    def _take(self) -> bool:
        message, given, _, _ = socket.recv_fds(self._requests, _LONGEST, _MOST_DESCRIPTORS)
        for descriptor in given:  # which a program that a process becomes must not have
            os.set_inheritable(descriptor, False)
        if message:
            try:
                status = socket.socket(fileno=given[3])
                self._fork(message, given, status)
            finally:
                for descriptor in (*given[:3], *given[4:]):
                    os.close(descriptor)
        return bool(message)

    def _fork(self, message: bytes, given: list[int], status: socket.socket) -> None:
        number = None
        try:
            number = os.fork()
            if number == 0:
                self._become(message, given, status)
            descriptor = pidfd_open(number)
        except OSError as error:
            if number:
                os.kill(number, signal.SIGKILL)
                os.waitpid(number, 0)
            status.send(f"no process can be made: {error.strerror}".encode())
            status.close()
            return
        self._running[number] = status
        try:
            socket.send_fds(status, [b"begun"], [descriptor])
        except OSError:  # the requester has gone
            os.kill(number, signal.SIGKILL)
        finally:
            os.close(descriptor)

    def _become(self, message: bytes, given: list[int], status: socket.socket) -> NoReturn:
        """Run the requested action in this forked process, and end it; descriptors of others are closed."""
        try:
            signal.set_wakeup_fd(-1)
            signal.signal(signal.SIGCHLD, signal.SIG_DFL)
            for number, descriptor in enumerate(given[:3]):
                os.dup2(descriptor, number)
            kept = given[4:]
            for opened in (self._requests, status, *self._running.values()):
                opened.close()
            for descriptor in (*given[:3], *self._ends):
                os.close(descriptor)
            os.setsid()
            resource.setrlimit(resource.RLIMIT_NOFILE, self._limit)
            action, *arguments = json.loads(message)
            self._actions[action](*kept, *arguments)
        except BaseException as error:
            os.write(2, f"{type(error).__name__}: {error}\n".encode(errors="replace")[:_LONGEST])
        finally:
            os._exit(1)

    def _reap(self) -> None:
        """Take note of the end of all that have ended."""
        os.read(self._ends[0], _LONGEST)
        with suppress(ChildProcessError):  # there is none
            while (ended := os.waitpid(-1, os.WNOHANG))[0]:
                if (status := self._running.pop(ended[0], None)) is not None:
                    with status, suppress(OSError):  # the requester may have gone
                        status.send(str(os.waitstatus_to_exitcode(ended[1])).encode())


def _enter(sandbox: int, requests: int, *settings: Any) -> NoReturn:
    """Join a sandbox, and fork commands inside it until the requester has closed the socket and all have ended.

    Args:
        sandbox: process descriptor of the sandbox's first process.
        requests: descriptor of the socket that they come from.
        settings: further arguments of `enter.join_sandbox`.
    """
    command = enter.join_sandbox(sandbox, *settings)
    Helper(socket.socket(fileno=requests), {"command": command}).serve()
    # Where the requester was killed, the sandbox ends by itself, but not before somebody took note of their ends.
    with suppress(ChildProcessError):
        while True:
            os.wait()
    os._exit(0)


def main(descriptor: int) -> None:
    """Serve requests.

    Args:
        descriptor: that of the socket that they come from.
    """
    os.nice(_NICER)
    prctl(PR_SET_CHILD_SUBREAPER, 1)
    Helper(socket.socket(fileno=descriptor), {"enter": _enter, "carrier": carrier.main}).serve()
