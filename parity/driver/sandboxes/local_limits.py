"""Limits of a local sandbox, from its task's settings."""

import os

from parity.driver.sandbox import SandboxSpec

FILES = 200_000
"""The most files and folders of a sandbox, because each takes memory of the host."""

PROCESSES = 512
"""The most processes and threads of a sandbox."""

WATCHERS = 16
"""The most inotify instances of a sandbox. All sandboxes share those of the host's user: 128 by default."""

_SIZE_MB = 512
_SHARE_OF_MEMORY = 8


def size(spec: SandboxSpec) -> int:
    """Return the most bytes of files: the task's limit, but no more than a share of the host's memory, which holds
    them.
    """
    memory = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    return min((spec.storage_mb or _SIZE_MB) << 20, max(memory // _SHARE_OF_MEMORY, _SIZE_MB << 20))


def resource_limits(spec: SandboxSpec, *, counted: bool) -> dict[str, int]:
    """Return the limits of each process, by their names after `RLIMIT_`. `NPROC` counts the whole sandbox.

    Args:
        spec: the sandbox's specification.
        counted: whether a cgroup limits the memory of all processes together.
    """
    limits = {"NPROC": PROCESSES, "NOFILE": 4096, "FSIZE": size(spec), "CORE": 0}
    if spec.memory_mb and not counted:
        limits["DATA"] = spec.memory_mb << 20
    return limits


def kernel_settings(spec: SandboxSpec) -> dict[str, int]:
    """Return settings of the sandbox's own namespaces, by their paths in `/proc/sys`."""
    settings = {"user/max_inotify_instances": WATCHERS, "user/max_inotify_watches": 16384}
    if spec.memory_mb:
        settings["kernel/shmall"] = (spec.memory_mb << 20) // os.sysconf("SC_PAGE_SIZE")
    return settings
