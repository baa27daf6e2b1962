"""How the host enters a running local sandbox: commands by `enter`, files by `carrier`, each in a process of its own.

The request for a command travels in memory that only that process reads, so that no other user of the host sees the
variables, and nothing of the host's environment reaches the command.
"""

import json
import os
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import partial

from parity.driver.sandboxes.forking import Forked, fork
from parity.driver.sandboxes.starting import Startable, in_memory, is_readable
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

    argv: tuple[str, ...] = ()
    """None for one that only sets up."""

    env: Mapping[str, str] = field(default_factory=dict)
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

    root: str = ""
    """Options of the root's file system, which one that sets up gives it, without setuid bits and devices."""

    folders: tuple[str, ...] = ()
    """Folders that one that sets up makes."""

    files: Mapping[str, str] = field(default_factory=dict)
    """Texts of files that it makes, by their paths."""


class SandboxEntry:
    """A process that enters the sandbox whose first process has this descriptor, and becomes a command in it."""

    def __init__(self, sandbox: int, request: Request) -> None:
        calls = {"keyctl": number_of("keyctl"), "filter": filter_program().hex()}
        document = json.dumps({**vars(request), **calls, "stand_in": STAND_IN}, default=dict).encode()
        reader, writer = os.pipe()
        self._reader, self._writer = os.fdopen(reader, "rb", 0), os.fdopen(writer, "wb", 0)
        self._request = os.fdopen(in_memory(document), "rb")
        self._said = b""
        self._begin = partial(fork, "enter", (sandbox, self._request.fileno(), writer))

    def start(self) -> Forked:
        """Start it, and wait until it has become the command or says why not, but not for long."""
        process = self._begin()
        self._writer.close()
        deadline = time.monotonic() + _BEGINNING
        while is_readable(self._reader.fileno(), deadline - time.monotonic()) and self._read():
            pass
        return process

    def failure(self) -> str | None:
        """Why the command was not run, once the process has ended; None if it was."""
        while is_readable(self._reader.fileno(), 0) and self._read():
            pass
        return self._said[:_LONGEST].decode(errors="replace") or None

    def close(self) -> None:
        """Forget it."""
        for file in (self._writer, self._reader, self._request):
            file.close()

    def _read(self) -> bool:
        piece = self._reader.read(_LONGEST)
        self._said += piece
        return bool(piece)


def carrier(sandbox: int, size: int, action: str, path: str) -> Startable:
    """Starts what carries files of the sandbox whose first process has this descriptor.

    Args:
        sandbox: that descriptor.
        size: bytes that one file inside may have.
        action: `fetch-folder`, `fetch-file` or `store`.
        path: where, inside; absolute.
    """
    return partial(fork, "carrier", (sandbox,), STAND_IN, size, action, path)
