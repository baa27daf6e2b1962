"""Removes containers when the process that started them has ended: a program of its own, for `docker_lifeline`.

    python -I -S docker_watcher.py

It reads which containers there are, a line for each that comes (`+NAME`) or goes (`-NAME`), from a pipe that nothing
inside a container can reach. When the pipe ends, however suddenly, it removes those that are left, and ends.
"""

import signal
import subprocess
import sys
import time
from collections.abc import Iterable

_TIMEOUT = 60
"""Seconds for one removal."""

_LONGEST = 3600
"""Seconds that an engine may fail to remove a container."""

_IGNORED = ("SIGHUP", "SIGINT", "SIGQUIT", "SIGTERM", "SIGPIPE", "SIGTSTP", "SIGTTIN", "SIGTTOU")


def main() -> None:
    """Wait for the end of the input, and remove what is left then."""
    for name in _IGNORED:
        signal.signal(getattr(signal, name), signal.SIG_IGN)
    left = _left(sys.stdin.buffer)
    end, wait = time.monotonic() + _LONGEST, 0.2
    while left and time.monotonic() < end:
        left = [name for name in left if not _is_removed(name)]
        if left:
            time.sleep(wait)
            wait = min(2 * wait, 30)


def _left(lines: Iterable[bytes]) -> list[str]:
    """Names of the containers that came and did not go."""
    held: dict[str, None] = {}
    for line in lines:
        if not line.endswith(b"\n"):
            break  # a name that was written by half was never started
        name = line[1:-1].decode()
        if line.startswith(b"+"):
            held[name] = None
        else:
            held.pop(name, None)
    return list(held)


def _is_removed(name: str) -> bool:
    try:
        removed = subprocess.run(
            ["docker", "rm", "--force", "--volumes", name],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            timeout=_TIMEOUT,
        )
    except subprocess.TimeoutExpired:
        return False
    return removed.returncode == 0 or b"No such container" in removed.stderr


if __name__ == "__main__":
    main()
