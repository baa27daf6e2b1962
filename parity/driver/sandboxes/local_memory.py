"""The memory of a local sandbox as one sum: a cgroup of its own, where this process may make one.

A cgroup counts what no limit of single processes does: files in memory, System V segments, memfd, shared mappings. One
may be had as root, and in a cgroup that is delegated (`systemd-run --user --scope`), of either version of cgroups. All
of a run lie in one folder, which a process of its own removes when the run has ended, however it ended.
"""

import atexit
import os
import subprocess
import uuid
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from threading import Lock

from parity.driver.sandboxes.bubblewrap import SHELL

_PROC = Path("/proc")
_TIMEOUT = 2
"""Seconds at the end of this process."""

# A killed run's sandboxes end a moment after it.
_TIDY_UP = 'read -r; for i in {1..600}; do rmdir "$1"/*/; rmdir "$1"; [ -d "$1" ] || exit; sleep 0.1; done 2>/dev/null'


class MemoryGroup:
    """A cgroup for one sandbox's processes, which count from when they join it."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self.joined_by = folder / "cgroup.procs"
        """The file to write a process's number to."""

    def remove(self) -> None:
        """Remove it after all its processes; what the kernel does not let go yet goes at the end of the run."""
        with suppress(OSError):
            self._folder.rmdir()


def memory_group(size: int) -> MemoryGroup | None:
    """A cgroup that bounds memory, swapped or not; None where none may be had.

    Args:
        size: bytes.
    """
    folder = None
    try:
        if (run := _run()) is None:
            return None
        folder = run.folder / uuid.uuid4().hex
        folder.mkdir()
        _set_limit(folder, size)
    except OSError:
        if folder is not None:
            MemoryGroup(folder).remove()
        return None
    return MemoryGroup(folder)


def _set_limit(folder: Path, size: int) -> None:
    if (folder / "memory.max").exists():
        settings = {"memory.max": size, "memory.swap.max": 0}
    else:
        settings = {"memory.limit_in_bytes": size, "memory.memsw.limit_in_bytes": size}
    for name, value in settings.items():
        # A kernel that does not count swap has no file for it.
        if (folder / name).exists() or "sw" not in name:
            (folder / name).write_text(str(value))


@dataclass(frozen=True)
class _Run:
    folder: Path
    tidying: subprocess.Popen[bytes]
    """What removes the folder once this process is gone, and with it its end of a pipe."""


_BEGINNING = Lock()


def _run() -> _Run | None:
    """Where this process's cgroups lie; one folder, whoever asks first."""
    with _BEGINNING:
        return _begun()


@cache
def _begun() -> _Run | None:
    for parent in parents_of_groups():
        folder = parent / f"parity-{os.getpid()}-{uuid.uuid4().hex[:8]}"
        # First, for this process may be killed at any moment.
        tidying = _tidying(folder)
        try:
            folder.mkdir()
        except OSError:
            tidying.communicate()
            continue
        if (handing := folder / "cgroup.subtree_control").exists():
            handing.write_text("+memory")
        atexit.register(_end, tidying)
        return _Run(folder, tidying)
    return None


def _tidying(folder: Path) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [SHELL, "-c", _TIDY_UP, "bash", str(folder)],
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        cwd="/",
        env={"PATH": os.defpath},
        # Ctrl-C is for this process alone.
        start_new_session=True,
    )


def _end(tidying: subprocess.Popen[bytes]) -> None:
    """Let it begin, and wait if it has little to do."""
    with suppress(subprocess.TimeoutExpired):
        tidying.communicate(timeout=_TIMEOUT)


def parents_of_groups(proc: Path = _PROC) -> Iterator[Path]:
    """Cgroups of this process in which one that counts memory may be made, the nearest first.

    Args:
        proc: a folder as `/proc`.
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
    """A cgroup and those around it, as far as they are seen here."""
    if own.is_relative_to(top) and ".." not in own.parts:
        yield from (folder for folder in (own, *own.parents) if folder.is_relative_to(top))


def _hands_memory_down(folder: Path) -> bool:
    """Whether cgroups below count memory. Those that hold processes cannot let them, but for the outermost."""
    try:
        return "memory" in (folder / "cgroup.subtree_control").read_text().split() and _may_be_joined(folder)
    except OSError:
        return False


def _may_be_joined(folder: Path) -> bool:
    """Whether this process may make cgroups in one, and move processes that are below it."""
    return os.access(folder, os.W_OK) and os.access(folder / "cgroup.procs", os.W_OK)
