"""System calls of Linux that `os` and `signal` have only if Python was built on a system that had them.

Portable builds, such as those of uv and conda, are made on old systems.
"""

import ctypes
import os

LIBC = ctypes.CDLL(None, use_errno=True)

_MEMFD_CREATE = {"x86_64": 319, "aarch64": 279}
_PIDFD_SEND_SIGNAL = 424
_PIDFD_OPEN = 434
_CLOSE_ON_EXEC = 1


def memfd_create(name: str) -> int:
    """Create a file in memory, and return a descriptor that programs do not inherit."""
    return _call(_MEMFD_CREATE[os.uname().machine], name.encode(), _CLOSE_ON_EXEC)


def pidfd_open(process: int) -> int:
    """Return a descriptor of the process with this number, which programs do not inherit.

    Raises:
        ProcessLookupError: there is no such process.
    """
    return _call(_PIDFD_OPEN, process, 0)


def pidfd_send_signal(descriptor: int, number: int) -> None:
    """Send a signal to the process that has this descriptor.

    Raises:
        ProcessLookupError: the process has ended.
    """
    _call(_PIDFD_SEND_SIGNAL, descriptor, number, None, 0)


def _call(number: int, *arguments: object) -> int:
    result = int(LIBC.syscall(number, *arguments))
    if result < 0:
        error = ctypes.get_errno()
        raise OSError(error, os.strerror(error))
    return result
