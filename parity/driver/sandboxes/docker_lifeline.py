"""Ties containers to the life of this process, by a watcher that nothing inside a container can see, stop or kill.

The watcher is a process of its own, in a session of its own, so that what is sent to this one's group or terminal does
not reach it. It lives as long as there are containers, and a little longer where this process ends before them.
"""

import os
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

_PROGRAM = Path(__file__).with_name("docker_watcher.py")
_TIMEOUT = 10
"""Seconds for the end of a watcher that has nothing left to do."""


class Lifeline:
    """The containers that shall end with this process."""

    def __init__(self) -> None:
        self._names: set[str] = set()
        self._pipe = -1
        self._watcher: subprocess.Popen[bytes] | None = None

    def hold(self, name: str) -> int:
        """Let a container that is about to be created end with this process.

        Returns:
            A descriptor that whoever creates it has to inherit: the watcher begins when it is closed everywhere, and so
            finds also a container that was only being created.

        Raises:
            OSError: there can be no watcher.
        """
        self._names.add(name)
        if self._watcher is None:
            self._start()
        elif self._watcher.poll() is not None:  # it was killed
            os.close(self._pipe)
            self._start()
        else:
            os.write(self._pipe, f"+{name}\n".encode())
        return self._pipe

    def release(self, name: str) -> None:
        """Forget a container, which is gone; more than once is as good as once."""
        if name not in self._names:
            return
        self._names.remove(name)
        with suppress(BrokenPipeError):  # the watcher was killed
            os.write(self._pipe, f"-{name}\n".encode())
        if not self._names:
            self._end()

    def _start(self) -> None:
        reader, self._pipe = os.pipe()
        try:
            self._watcher = subprocess.Popen(
                [sys.executable, "-I", "-S", str(_PROGRAM)],
                stdin=reader,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                cwd="/",
                start_new_session=True,
            )
        except BaseException:
            os.close(self._pipe)
            raise
        finally:
            os.close(reader)
        os.write(self._pipe, "".join(f"+{name}\n" for name in self._names).encode())

    def _end(self) -> None:
        watcher, self._watcher = self._watcher, None
        os.close(self._pipe)
        assert watcher is not None
        try:
            watcher.wait(_TIMEOUT)
        except subprocess.TimeoutExpired:
            watcher.kill()
            watcher.wait()
