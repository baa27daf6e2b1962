"""Lets a shell tidy up when this process has ended, however it ends."""

import atexit
import os
import subprocess
from contextlib import suppress

_TIMEOUT = 2
"""Seconds that this process waits for it at its end."""


def tidied_at_end(script: str, folder: str) -> None:
    """Start a shell that runs a script, with a folder as `$1`, when this process is gone.

    To be called before there is such a folder: this process may be killed at any moment.
    """
    shell = subprocess.Popen(
        ["sh", "-c", f"read -r end; {script}", "sh", folder],
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        cwd="/",
        env={"PATH": os.defpath},
        # What is sent to this process's group or terminal is for this process alone.
        start_new_session=True,
    )
    atexit.register(_end, shell)


def _end(shell: "subprocess.Popen[bytes]") -> None:
    """Let it begin, and wait if it has little to do."""
    with suppress(subprocess.TimeoutExpired):
        shell.communicate(timeout=_TIMEOUT)
