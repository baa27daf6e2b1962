"""How the host enters a running local sandbox: commands by `enter`, files by `carrier`, each in a process of its own.

The request for a command travels in memory that only that process reads, so that no other user of the host sees the
variables, and nothing of the host's environment reaches the command.
"""

import json
import os
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field

from parity.driver.sandboxes.forking import Fork, Forked
from parity.driver.sandboxes.starting import Startable, is_readable
from parity.driver.sandboxes.system_calls import filter_program, number_of

STAND_IN = 65534
"""Who runs the sandboxes of the host's root: without a limit of processes for root, and without its files."""

_BEGINNING = 5
"""Seconds that others wait for a command to begin; something inside may stop it before."""

_LONGEST = 1000
"""Bytes of a complaint."""


@dataclass(frozen=True)
class Request:
    """A command that shall run inside."""

    argv: tuple[str, ...]
    env: Mapping[str, str]
    cwd: str = "/"
    uid: int = 0
    limits: Mapping[str, int] = field(default_factory=dict)
    """Resource limits by their names behind `RLIMIT_`."""

    group: str | None = None
    """The file by which it joins the sandbox's cgroup; None for the one that it is started in."""

    makes: bool = False
    """Whether it sets up the sandbox, which takes capabilities; never with what others wrote."""

    settings: Mapping[str, int] = field(default_factory=dict)
    """Settings of the sandbox's namespaces that one that sets up makes, by their paths in `/proc/sys`."""


class SandboxEntry:
    """A process that enters a sandbox and becomes a command in it."""

    def __init__(self, sandbox: int, request: int) -> None:
        self._reader: int
        self._writer: int | None
        self._reader, self._writer = os.pipe()
        self._said = b""
        self._process = Fork("enter", (sandbox, request, self._writer))

    def start(self) -> Forked:
        """Start it, and wait until it has become the command or says why not, but not for long."""
        process = self._process.start()
        self._close_writer()
        deadline = time.monotonic() + _BEGINNING
        while is_readable(self._reader, deadline - time.monotonic()) and self._read():
            pass
        return process

    def failure(self) -> str | None:
        """Why the command was not run, once the process has ended; None if it was."""
        while is_readable(self._reader, 0) and self._read():
            pass
        return self._said[:_LONGEST].decode(errors="replace") or None

    def close(self) -> None:
        """Forget it."""
        self._close_writer()
        os.close(self._reader)

    def _read(self) -> bool:
        piece = os.read(self._reader, _LONGEST)
        self._said += piece
        return bool(piece)

    def _close_writer(self) -> None:
        writer, self._writer = self._writer, None
        if writer is not None:
            os.close(writer)


@contextmanager
def entry(sandbox: int, request: Request) -> Iterator[SandboxEntry]:
    """The process that enters the sandbox whose first process has this descriptor."""
    calls = {"keyctl": number_of("keyctl"), "filter": filter_program().hex()}
    document = json.dumps({**vars(request), **calls, "stand_in": STAND_IN}, default=dict).encode()
    asked = os.memfd_create("request")
    try:
        with open(asked, "wb", closefd=False) as file:
            file.write(document)
        os.lseek(asked, 0, os.SEEK_SET)
        way = SandboxEntry(sandbox, asked)
        try:
            yield way
        finally:
            way.close()
    finally:
        os.close(asked)


def carrier(sandbox: int, size: int, action: str, path: str) -> Startable:
    """Starts what carries files of the sandbox whose first process has this descriptor.

    Args:
        sandbox: that descriptor.
        size: bytes that one file inside may have.
        action: `fetch-folder`, `fetch-file` or `store`.
        path: where, inside; absolute.
    """
    return Fork("carrier", (sandbox,), (STAND_IN, size, action, path)).start
