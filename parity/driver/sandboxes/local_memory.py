"""The memory of a local sandbox as one sum: a cgroup of its own, where this process may make one.

A cgroup counts what no limit of single processes does: files in memory, System V segments, memfd, shared mappings. One
may be had as root, and in a cgroup that is delegated (`systemd-run --user --scope`), of either version of cgroups. All
of a run lie in one folder, which a process of its own removes when the run has ended, however it ended.
"""

import os
import uuid
from collections.abc import Iterator
from contextlib import suppress
from functools import cache
from pathlib import Path
from threading import Lock

from parity.driver.sandboxes.tidying import Tidying

_PROC = Path("/proc")

# A killed run's sandboxes end a moment after it.
_TIDY_UP = 'for i in $(seq 600); do rmdir "$1"/*/; rmdir "$1"; [ -d "$1" ] || exit; sleep 0.1; done'


def memory_group(size: int) -> Path | None:
    """A cgroup that bounds memory, swapped or not, of the processes that join it; None where none may be had.

    Args:
        size: bytes.
    """
    folder = None
    try:
        if (run := _run_folder()) is None:
            return None
        folder = run / uuid.uuid4().hex
        folder.mkdir()
        _set_limit(folder, size)
    except OSError:
        remove_group(folder)
        return None
    return folder


def remove_group(folder: Path | None) -> None:
    """Remove one after all its processes; what the kernel does not let go yet goes at the end of the run."""
    if folder is not None:
        with suppress(OSError):
            folder.rmdir()


def _set_limit(folder: Path, size: int) -> None:
    if (folder / "memory.max").exists():
        settings = {"memory.max": size, "memory.swap.max": 0}
    else:
        settings = {"memory.limit_in_bytes": size, "memory.memsw.limit_in_bytes": size}
    for name, value in settings.items():
        # A kernel that does not count swap has no file for it.
        if (folder / name).exists() or "sw" not in name:
            (folder / name).write_text(str(value))


_BEGINNING = Lock()


def _run_folder() -> Path | None:
    """Where this process's cgroups lie; one folder, whoever asks first."""
    with _BEGINNING:
        return _begun()


@cache
def _begun() -> Path | None:
    for parent in parents_of_groups():
        folder = parent / f"parity-{os.getpid()}-{uuid.uuid4().hex[:8]}"
        Tidying(_TIDY_UP, str(folder))
        try:
            folder.mkdir()
        except OSError:
            continue
        if (handing := folder / "cgroup.subtree_control").exists():
            handing.write_text("+memory")
        return folder
    return None


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
