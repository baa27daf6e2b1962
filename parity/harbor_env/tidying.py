"""Clean up by a shell after this process has ended, however it ended.

The shell receives no signals of this process's group or terminal, and no sandbox can reach it.
"""

import atexit
import os
import subprocess
import time
from collections.abc import Mapping
from contextlib import suppress

_TIMEOUT = 2
"""Seconds that this process waits at its end for all shells together."""

_SHELLS: set["subprocess.Popen[bytes]"] = set()


class Tidying:
    """A shell that runs a script, with an argument as `$1`, after this process has ended.

    It must be made before there is anything to clean up, because this process may be killed at any moment.
    """

    def __init__(self, script: str, argument: str, env: Mapping[str, str] | None = None) -> None:
        self._shell = subprocess.Popen(
            ["sh", "-c", f"trap '' HUP INT QUIT TERM; read -r cancelled && exit; {script}", "sh", argument],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            bufsize=0,
            cwd="/",
            env={"PATH": os.defpath} if env is None else env,
            start_new_session=True,
        )
        assert self._shell.stdin is not None
        self._pipe = self._shell.stdin
        _SHELLS.add(self._shell)

    @property
    def pipe(self) -> int:
        """Return a descriptor. The shell waits until every program that inherits it has ended, too."""
        return self._pipe.fileno()

    def cancel(self) -> None:
        """End the shell without its script, because nothing is left to clean up."""
        _SHELLS.discard(self._shell)
        with suppress(BrokenPipeError), self._pipe:  # it was killed
            self._pipe.write(b"\n")
        self._shell.wait()


@atexit.register
def _begin() -> None:
    """Start the scripts of all shells, and wait a short time for them."""
    end = time.monotonic() + _TIMEOUT
    for shell in _SHELLS:
        assert shell.stdin is not None
        shell.stdin.close()
    for shell in _SHELLS:
        with suppress(subprocess.TimeoutExpired):
            shell.wait(max(0.0, end - time.monotonic()))
