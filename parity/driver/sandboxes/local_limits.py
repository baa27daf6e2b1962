"""What bounds a local sandbox, from what its task says."""

import os

from parity.driver.sandbox import SandboxSpec

FILES = 200_000
"""Files and folders that a sandbox may have, as each costs memory of the host."""

PROCESSES = 512
"""Processes and threads of one sandbox together."""

WATCHERS = 16
"""Instances of inotify of one sandbox; the host's user, who has 128 by default, has them for all sandboxes."""

_SIZE_MB = 512
_SHARE_OF_MEMORY = 8


def size(spec: SandboxSpec) -> int:
    """Bytes of files: what the task says, up to a share of the host's memory, in which they lie."""
    memory = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    return min((spec.storage_mb or _SIZE_MB) << 20, max(memory // _SHARE_OF_MEMORY, _SIZE_MB << 20))


def resource_limits(spec: SandboxSpec, *, counted: bool) -> dict[str, int]:
    """Limits of each process by their names behind `RLIMIT_`; `NPROC` counts all of the sandbox.

    Args:
        spec: what the sandbox is made for.
        counted: whether something else counts the memory of all processes.
    """
    limits = {"NPROC": PROCESSES, "NOFILE": 4096, "FSIZE": size(spec), "CORE": 0}
    if spec.memory_mb and not counted:
        limits["DATA"] = spec.memory_mb << 20
    return limits


def kernel_settings(spec: SandboxSpec) -> dict[str, int]:
    """Settings of the sandbox's own namespaces, by their paths in `/proc/sys`."""
    settings = {"user/max_inotify_instances": WATCHERS, "user/max_inotify_watches": 16384}
    if spec.memory_mb:
        settings["kernel/shmall"] = (spec.memory_mb << 20) // os.sysconf("SC_PAGE_SIZE")
    return settings
