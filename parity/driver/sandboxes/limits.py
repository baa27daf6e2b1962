"""Limits for a local sandbox, from its task's settings. A cgroup limits the memory of all its processes together.

A cgroup also counts memory that no process limit counts: files in memory, System V segments, memfd and shared mappings.
Root can make a cgroup, and so can a process in a delegated cgroup (`systemd-run --user --scope`). Both versions of
cgroups are supported.
"""

import os
import resource
import uuid
from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path

from parity.driver.sandbox import SandboxSpec

FILES = 200_000
"""The largest number of files and directories in a sandbox, which is limited because each takes up host memory."""

PROCESSES = 512
"""The largest number of processes and threads in a sandbox."""

WATCHERS = 16
"""The largest number of inotify instances in a sandbox. The host's user has 128 for all sandboxes by default."""


def refusal(spec: SandboxSpec) -> str | None:
    """Return the reason why no sandbox can have these limits; None if one can."""
    for name, limit in ("cpus", spec.cpus), ("memory_mb", spec.memory_mb):
        if limit is not None and limit < 0:
            return f"has {name} = {limit} in task.toml; give a positive number"
    return None


def size(spec: SandboxSpec) -> int:
    """Return the largest size of all files, in bytes: the task's `storage_mb`, or else half of the host's memory."""
    # As in Harbor's Docker, a negative number is no limit.
    return spec.storage_mb << 20 if spec.storage_mb and spec.storage_mb > 0 else _memory_of_host() // 2


def memory(spec: SandboxSpec) -> int:
    """Return the memory limit, in bytes: the task's `memory_mb`, or else half of the host's memory."""
    return spec.memory_mb << 20 if spec.memory_mb else _memory_of_host() // 2


def _memory_of_host() -> int:
    return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")


def resource_limits(spec: SandboxSpec, *, has_group: bool) -> dict[str, int]:
    """Return the limits for each process. The keys are names of limits without `RLIMIT_`.

    NPROC, SIGPENDING and MSGQUEUE apply to the whole sandbox. The memory of each process is limited only if there is no
    cgroup (`has_group`) that limits the memory of all processes together.
    """
    # A sandbox must not use up the user's limit on open files.
    descriptors = min(4096, resource.getrlimit(resource.RLIMIT_NOFILE)[1] // 2)
    limits = {"NPROC": PROCESSES, "SIGPENDING": 1024, "MSGQUEUE": 1 << 17}
    # If CORE were 0, the kernel would still start the host's program for core dumps, if any; see `core_pattern`.
    limits |= {"NOFILE": descriptors, "FSIZE": size(spec), "CORE": 1}
    if spec.memory_mb and not has_group:
        limits["DATA"] = spec.memory_mb << 20
    return limits


def prlimit(limits: Mapping[str, int]) -> list[str]:
    """Return a command that runs its arguments with these limits, or with this process's limits if they are lower."""
    options = list[str]()
    for name, limit in limits.items():
        hard = resource.getrlimit(getattr(resource, f"RLIMIT_{name}"))[1]
        options.append(f"--{name.lower()}={limit if hard == resource.RLIM_INFINITY else min(limit, hard)}")
    return ["prlimit", *options, "--"]


def kernel_settings(spec: SandboxSpec) -> dict[str, int]:
    """Return settings for the sandbox's namespaces. The keys are paths in `/proc/sys`."""
    pages = memory(spec) // os.sysconf("SC_PAGE_SIZE")
    return {"user/max_inotify_instances": WATCHERS, "user/max_inotify_watches": 16384, "kernel/shmall": pages}


def can_make_groups() -> bool:
    """Return whether this process can make cgroups, which limit the memory of all processes in a sandbox together."""
    group = make_group(memory=1 << 30)
    if group is not None:
        group.rmdir()
    return group is not None


def make_group(*, memory: int) -> Path | None:
    """Make a cgroup that limits the memory and swap of its processes to a number of bytes.

    Returns:
        The cgroup's directory, which `rmdir` removes, or None if no cgroup can be made.
    """
    for parent in parents_of_groups():
        group = parent / f"parity-{os.getpid()}-{uuid.uuid4().hex[:8]}"
        try:
            group.mkdir()
            _limit_memory(group, memory)
        except OSError:
            with suppress(OSError):
                group.rmdir()
        else:
            return group
    return None


def _limit_memory(group: Path, size: int) -> None:
    if (group / "memory.max").exists():
        limit, limit_of_swap, swap = "memory.max", "memory.swap.max", 0
    else:
        limit, limit_of_swap, swap = "memory.limit_in_bytes", "memory.memsw.limit_in_bytes", size
    (group / limit).write_text(str(size))
    if (group / limit_of_swap).exists():  # the file is missing if the kernel does not count swap
        (group / limit_of_swap).write_text(str(swap))


def parents_of_groups(proc: Path = Path("/proc")) -> Iterator[Path]:
    """Yield this process's cgroups in which a cgroup with a memory limit can be made, the innermost first.

    Args:
        proc: a directory with the same files as `/proc`.
    """
    try:
        mounts = [line.split() for line in (proc / "self/mountinfo").read_text().splitlines()]
        groups = [line.split(":", 2) for line in (proc / "self/cgroup").read_text().splitlines()]
    except OSError:
        return
    for number, controllers, path in groups:
        for mount in mounts:
            kind, _, options = mount[mount.index("-") + 1 :][:3]
            root, top = mount[3], Path(mount[4])
            own = top / os.path.relpath(path, root)
            if kind == "cgroup2" and number == "0":
                yield from filter(_hands_memory_down, _upwards(own, top))
            elif kind == "cgroup" and "memory" in controllers.split(",") and "memory" in options.split(","):
                yield from filter(_may_be_joined, [own])


def _upwards(own: Path, top: Path) -> Iterator[Path]:
    """Yield a cgroup and its parents, up to the top of the mount."""
    if own.is_relative_to(top) and ".." not in own.parts:
        yield from (directory for directory in (own, *own.parents) if directory.is_relative_to(top))


def _hands_memory_down(directory: Path) -> bool:
    """Return whether children of this cgroup can limit memory. If it has processes, only the root allows that."""
    try:
        return "memory" in (directory / "cgroup.subtree_control").read_text().split() and _may_be_joined(directory)
    except OSError:
        return False


def _may_be_joined(directory: Path) -> bool:
    """Return whether this process may make cgroups in a cgroup's directory, and move processes into them."""
    return os.access(directory, os.W_OK) and os.access(directory / "cgroup.procs", os.W_OK)
