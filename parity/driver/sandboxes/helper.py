"""Fork the processes that enter local sandboxes, in a separate program that `forking` starts before the first of them.

It imports once what all of them need, which takes ten times as long as a fork. It imports neither `logging` nor
`threading`, which would do work for as long after each fork. It reads only the first line of a request; otherwise one
sandbox's variables would be in the memory of the next sandbox's process. It neither joins a sandbox nor reads its
files.

A process that enters a sandbox joins it, and forks its commands in the same way. If that process is killed, the
commands become children of the helper, which waits until they end. A sandbox can end only after some process has waited
for its commands. Otherwise that would be the host's first process, which may do it late or, in a container, never.
"""

import json
import os
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
"""The niceness that is added to all processes in sandboxes."""

_MOST_DESCRIPTORS = 8

type _Actions = Mapping[str, Callable[..., NoReturn]]


class Helper:
    """A server that forks processes on request.

    A request is a line of JSON, an action and its arguments, with these descriptors: standard input, output and error,
    a socket for the result, and the descriptors of the action, which precede its arguments. The socket receives a
    process descriptor and at the end an exit code, or else an error message.
    """

    def __init__(self, requests: socket.socket, actions: _Actions) -> None:
        self._requests, self._actions = requests, actions
        self._running: dict[int, socket.socket] = {}
        """Number of each running process to the socket for its result."""

        # Whenever a child ends, its signal writes to the second descriptor.
        self._ends = os.pipe()
        os.set_blocking(self._ends[1], False)
        signal.set_wakeup_fd(self._ends[1], warn_on_full_buffer=False)
        signal.signal(signal.SIGCHLD, lambda *_: None)
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGCHLD})  # the requester may have blocked it
        self._poll = select.poll()
        self._poll.register(requests, select.POLLIN)
        self._poll.register(self._ends[0], select.POLLIN)

    def serve(self) -> None:
        """Fork processes until the requester closes its socket."""
        while True:
            for descriptor, _ in self._poll.poll():
                if descriptor == self._ends[0]:
                    self._reap()
                elif not self._take():
                    return

    def _take(self) -> bool:
        message, given, _, _ = socket.recv_fds(self._requests, _LONGEST, _MOST_DESCRIPTORS)
        for descriptor in given:  # a program that a process becomes must not inherit it
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
        """Run the requested action in this forked process, and exit. Descriptors of other processes are closed."""
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
            action, *arguments = json.loads(message)
            self._actions[action](*kept, *arguments)
        except BaseException as error:
            os.write(2, f"{type(error).__name__}: {error}\n".encode(errors="replace")[:_LONGEST])
        finally:
            os._exit(1)

    def _reap(self) -> None:
        """Report the exit codes of all processes that have ended."""
        os.read(self._ends[0], _LONGEST)
        with suppress(ChildProcessError):  # no children are left
            while (ended := os.waitpid(-1, os.WNOHANG))[0]:
                if (status := self._running.pop(ended[0], None)) is not None:
                    with status, suppress(OSError):  # the requester may have gone
                        status.send(str(os.waitstatus_to_exitcode(ended[1])).encode())


def _enter(sandbox: int, requests: int, *settings: Any) -> NoReturn:
    """Join a sandbox, and fork commands inside until the requester closes the socket and all commands have ended.

    Args:
        sandbox: process descriptor of the sandbox's first process.
        requests: descriptor of the socket for requests.
        settings: further arguments of `enter.join_sandbox`.
    """
    command = enter.join_sandbox(sandbox, *settings)
    Helper(socket.socket(fileno=requests), {"command": command}).serve()
    # If the requester was killed, the sandbox ends by itself, but only after its commands have been waited for.
    with suppress(ChildProcessError):
        while True:
            os.wait()
    os._exit(0)


def main(descriptor: int) -> None:
    """Serve requests.

    Args:
        descriptor: descriptor of the socket for requests.
    """
    os.nice(_NICER)
    prctl(PR_SET_CHILD_SUBREAPER, 1)
    Helper(socket.socket(fileno=descriptor), {"enter": _enter, "carrier": carrier.main}).serve()
