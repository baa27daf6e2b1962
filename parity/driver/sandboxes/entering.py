"""Enter a running local sandbox from the host: commands by one `enter`, files by a `carrier` for each transfer.

The request for a command is in memory that only its own process reads, so that no other user of the host sees the
variables, and nothing of the host's environment reaches the command.
"""

import json
import os
import socket
import time
from collections.abc import Mapping
from contextlib import ExitStack
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from threading import Lock

from parity.driver.sandboxes.forking import Forked, fork
from parity.driver.sandboxes.starting import Startable, end, in_memory, is_readable

DOES_NOT_RUN = "the sandbox does not run"

_BEGINNING = 5
"""Seconds to wait until a command begins. A process inside may stop it before."""

_LONGEST = 1000
"""The most bytes of an error message."""


@dataclass(frozen=True)
class Request:
    """A command to run inside."""

    argv: tuple[str, ...] = ()
    """The program and its arguments; empty for a request that only sets up."""

    env: Mapping[str, str] = field(default_factory=dict)
    cwd: str = "/"
    uid: int = 0
    limits: Mapping[str, int] = field(default_factory=dict)
    """Resource limits, by their names after `RLIMIT_`; for a set-up, those of the sandbox's first process."""

    makes: bool = False
    """Whether the request sets up the sandbox, with capabilities. Never true for a task's commands."""

    settings: Mapping[str, int] = field(default_factory=dict)
    """For a set-up: settings of the sandbox's namespaces, by their paths in `/proc/sys`."""

    mounts: Mapping[str, str] = field(default_factory=dict)
    """For a set-up: mount options of file systems in memory, by path. They also lose setuid bits and devices."""

    folders: tuple[str, ...] = ()
    """For a set-up: folders to make."""

    files: Mapping[str, str] = field(default_factory=dict)
    """For a set-up: path to text of files to write."""


class Entrance:
    """The entrance to one sandbox. Its first command starts a process that joins the sandbox and forks all commands."""

    def __init__(self, sandbox: int, group: Path | None) -> None:
        """Prepare the entrance, without starting a process.

        Args:
            sandbox: descriptor of the sandbox's first process.
            group: the sandbox's cgroup; None for the cgroup of this process.
        """
        self._sandbox: int | None = sandbox
        self._group = str(group / "cgroup.procs") if group else None
        self._begun: tuple[Forked, socket.socket] | None = None
        self._using = Lock()

    def fork(self, *pass_fds: int) -> Forked:
        """Start a command, with descriptors of its request and its report.

        Raises:
            RuntimeError: the sandbox cannot be entered.
        """
        with self._using:
            process, requests = self._begin()
            try:
                return fork("command", pass_fds, inside=requests)
            except RuntimeError as error:
                assert process.stderr is not None
                said = process.stderr.read(_LONGEST) if is_readable(process.stderr.fileno(), 0) else b""
                complaint = said.decode(errors="replace").strip() or error
                raise RuntimeError(f"the sandbox cannot be entered: {complaint}") from None

    def close(self) -> None:
        """End the process in the sandbox. It may be called more than once."""
        with self._using:
            self._sandbox = None
            self._end()

    def _begin(self) -> tuple[Forked, socket.socket]:
        # Its socket is readable only after its end.
        if self._begun is not None and is_readable(self._begun[1].fileno(), 0):
            self._end()
        if self._sandbox is None:
            raise RuntimeError(DOES_NOT_RUN)
        if self._begun is None:
            with ExitStack() as undoing:
                requests, far = map(undoing.enter_context, socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET))
                self._begun = fork("enter", (self._sandbox, far.fileno()), self._group), requests
                undoing.pop_all()
                far.close()
        return self._begun

    def _end(self) -> None:
        if self._begun is not None:
            process, requests = self._begun
            self._begun = None
            requests.close()
            end(process)


class SandboxEntry:
    """A process that enters a sandbox and becomes a command in it."""

    def __init__(self, entrance: Entrance, request: Request) -> None:
        reader, writer = os.pipe()
        self._reader, self._writer = os.fdopen(reader, "rb", 0), os.fdopen(writer, "wb", 0)
        self._request = os.fdopen(in_memory(json.dumps(vars(request), default=dict).encode()), "rb")
        self._said = b""
        self._begin = partial(entrance.fork, self._request.fileno(), writer)

    def start(self) -> Forked:
        """Start the process, and wait a short time until it has become the command or reports an error."""
        process = self._begin()
        self._writer.close()
        deadline = time.monotonic() + _BEGINNING
        while is_readable(self._reader.fileno(), deadline - time.monotonic()) and self._read():
            pass
        return process

    def failure(self) -> str | None:
        """Return why the command was not run, after the process has ended; None if it was run."""
        while is_readable(self._reader.fileno(), 0) and self._read():
            pass
        return self._said[:_LONGEST].decode(errors="replace") or None

    def close(self) -> None:
        """Close the pipes and the request of the process."""
        for file in (self._writer, self._reader, self._request):
            file.close()

    def _read(self) -> bool:
        piece = self._reader.read(_LONGEST)
        self._said += piece
        return bool(piece)


def carrier(sandbox: int, size: int, action: str, path: str) -> Startable:
    """Return a callable that starts a carrier of files for a sandbox.

    Args:
        sandbox: descriptor of the sandbox's first process.
        size: the most bytes of a file inside.
        action: `fetch-folder`, `fetch-file` or `store`.
        path: the absolute path inside.
    """
    return partial(fork, "carrier", (sandbox,), size, action, path)
