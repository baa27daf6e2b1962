"""Workers of pytest-xdist for a run of `tests.forked`: forked before it begins, with what has been imported by then."""

import os
import signal
import sys
from typing import Any

from execnet.gateway_base import Popen2IO
from execnet.gateway_io import Popen2IOMaster


def fork_workers(count: int) -> None:
    """Fork them, and let execnet take them in place of new interpreters. In each of them this ends the process."""
    ready = [_Worker() for _ in range(count)]

    def take(io: Popen2IOMaster, command: list[str], execmodel: Any) -> None:
        io.popen = worker = ready.pop()
        Popen2IO.__init__(io, worker.stdin, worker.stdout, execmodel)

    Popen2IOMaster.__init__ = take  # type: ignore[assignment, method-assign]


class _Worker:
    """What execnet needs of a `subprocess.Popen`."""

    def __init__(self) -> None:
        reads, writes = os.pipe(), os.pipe()
        self._pid = os.fork()
        if not self._pid:
            _serve(reads[0], writes[1])
        os.close(reads[0])
        os.close(writes[1])
        self.stdin, self.stdout = os.fdopen(reads[1], "wb"), os.fdopen(writes[0], "rb")

    def wait(self) -> int:
        """Its exit code, when it has ended."""
        return os.waitstatus_to_exitcode(os.waitpid(self._pid, 0)[1])

    def kill(self) -> None:
        """End it at once."""
        os.kill(self._pid, signal.SIGKILL)


def _serve(stdin: int, stdout: int) -> None:
    os.dup2(stdin, 0)
    os.dup2(stdout, 1)
    os.closerange(3, os.sysconf("SC_OPEN_MAX"))  # else it would not notice the end of the run
    line = sys.stdin.readline()
    if line:  # as in execnet's `popen_bootstrapline`
        exec(eval(line))
    raise SystemExit
