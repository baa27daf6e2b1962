"""How the host enters a running local sandbox: commands by the program `enter`, files by the program `carrier`.

The request for a command travels in memory that only the program reads, so that no other user of the host sees the
variables, and nothing of the host's environment reaches the command.
"""

import json
import os
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from parity.driver.sandboxes.starting import is_readable
from parity.driver.sandboxes.streaming import Program
from parity.driver.sandboxes.system_calls import filter_program, number_of

STAND_IN = 65534
"""Who runs the sandboxes of the host's root: without a limit of processes for root, and without its files."""

_BEGINNING = 5
"""Seconds that others wait for a command to begin; something inside may stop it before."""

_LONGEST = 1000
"""Bytes of a complaint."""

_PROGRAM = Path(__file__).with_name("enter.py")
_CARRIER = Path(__file__).with_name("carrier.py")


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


class Entry:
    """A program that enters, ready to be started."""

    def __init__(self, sandbox: int, request: int) -> None:
        self._reader: int
        self._writer: int | None
        self._reader, self._writer = os.pipe()
        self._said = b""
        self.pass_fds = (sandbox, request, self._writer)
        self.argv = (sys.executable, "-I", "-S", str(_PROGRAM), *map(str, self.pass_fds))

    def begun(self) -> None:
        """Wait, once the program was started, until it has become the command or says why not, but not for long."""
        self._close_writer()
        deadline = time.monotonic() + _BEGINNING
        while is_readable(self._reader, deadline - time.monotonic()) and self._read():
            pass

    def failure(self) -> str | None:
        """Why the command was not run, once the program has ended; None if it was."""
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
def entry(sandbox: int, request: Request) -> Iterator[Entry]:
    """A way into the sandbox whose first process has this descriptor."""
    calls = {"keyctl": number_of("keyctl"), "filter": filter_program().hex()}
    document = json.dumps({**vars(request), **calls, "stand_in": STAND_IN}, default=dict).encode()
    asked = os.memfd_create("request")
    try:
        with open(asked, "wb", closefd=False) as file:
            file.write(document)
        os.lseek(asked, 0, os.SEEK_SET)
        way = Entry(sandbox, asked)
        try:
            yield way
        finally:
            way.close()
    finally:
        os.close(asked)


def carrier(sandbox: int, size: int, action: str, path: str) -> Program:
    """The program that carries files of the sandbox whose first process has this descriptor.

    Args:
        sandbox: that descriptor.
        size: bytes that one file inside may have.
        action: `fetch-folder`, `fetch-file` or `store`.
        path: where, inside; absolute.
    """
    numbers = (sandbox, STAND_IN, size)
    return Program((sys.executable, "-I", "-S", str(_CARRIER), *map(str, numbers), action, path), (sandbox,))
