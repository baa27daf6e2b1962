"""What bounds a local sandbox, from what its task says."""

import os

from parity.driver.sandbox import SandboxSpec

FILES = 200_000
"""Files and folders that a sandbox may have, as each costs memory of the host."""

PROCESSES = 512
"""Processes and threads of one sandbox together."""

_SIZE_MB = 512
_SHARE_OF_MEMORY = 8


def size(spec: SandboxSpec) -> int:
    """Bytes of files: what the task says, up to a share of the host's memory, in which they lie."""
    memory = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    return min((spec.storage_mb or _SIZE_MB) << 20, max(memory // _SHARE_OF_MEMORY, _SIZE_MB << 20))


def resource_limits(spec: SandboxSpec) -> dict[str, int]:
    """Limits of each process by their names behind `RLIMIT_`; `NPROC` counts all of the sandbox."""
    limits = {"NPROC": PROCESSES, "NOFILE": 4096, "FSIZE": size(spec), "CORE": 0}
    if spec.memory_mb:
        limits["DATA"] = spec.memory_mb << 20
    return limits
