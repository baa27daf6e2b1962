"""Join a local sandbox with a process of the host; shared by `enter` and `carrier`."""

import ctypes
import os
import resource
import sys
from typing import cast

from parity.driver.sandboxes.kernel import LIBC

PR_SET_DUMPABLE = 4
PR_SET_CHILD_SUBREAPER = 36
PR_SET_NO_NEW_PRIVS = 38


def join(sandbox: int, namespaces: int) -> None:
    """Join namespaces of a sandbox's first process, given by its descriptor, and become the same user of the host.

    Nothing can be imported afterwards: the module might be a file inside.
    """
    for finders in (sys.meta_path, sys.path_hooks, sys.path):
        cast("list[object]", finders).clear()
    write("/proc/self/oom_score_adj", "1000")  # killed first if the host runs out of memory
    if os.geteuid() == 0:
        os.setgroups([])
    os.setns(sandbox, namespaces)
    os.setresgid(0, 0, 0)
    os.setresuid(0, 0, 0)


def bound(limits: dict[str, int], process: int = 0) -> None:
    """Set resource limits of a process, by their names after `RLIMIT_`, unless it has lower ones. 0 is this process."""
    for name, limit in limits.items():
        kind = getattr(resource, f"RLIMIT_{name}")
        hard = resource.prlimit(process, kind)[1]
        limit = limit if hard == resource.RLIM_INFINITY else min(limit, hard)
        resource.prlimit(process, kind, (limit, limit))


def write(path: str, text: str, folder: int | None = None) -> None:
    """Write to a file of the kernel, in a folder given by its descriptor. Faster than `open`."""
    file = os.open(path, os.O_WRONLY, dir_fd=folder)
    try:
        os.write(file, text.encode())
    finally:
        os.close(file)


def call(name: str, *arguments: object) -> None:
    """Call a function of the C library, and raise an OSError if it does not return 0."""
    if getattr(LIBC, name)(*arguments):
        raise OSError(ctypes.get_errno(), f"{name}: {os.strerror(ctypes.get_errno())}")


def prctl(option: int, value: int, pointed: bytes | None = None) -> None:
    """Change an attribute of this process."""
    call("prctl", option, value, pointed, None, None)
