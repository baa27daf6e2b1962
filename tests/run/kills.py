"""A job that is killed, and what its processes have left on the host."""

import os
import time
from dataclasses import dataclass
from pathlib import Path

from tests.run.processes import left_running

_GROUPS_SECONDS = 120
"""Seconds to wait for control groups, whose processes end a while after their run."""


@dataclass(frozen=True)
class Killing:
    """A job that is run again and again."""

    kind: str
    """The kind of its sandboxes."""

    directory: Path
    """The directory of its tasks and jobs, and of temporary files in `tmp`."""

    mark: str
    """A word in the environment of all its processes, and in the names of its tasks and so of its containers."""


def left_over(killing: Killing, groups: frozenset[str]) -> list[str]:
    """Return everything that an ended run has left: processes, containers, mounts, keys, files, control groups.

    Args:
        killing: the job.
        groups: the empty control groups that existed before.
    """
    left = left_running(killing.mark, docker=killing.kind == "docker")
    for table in (Path("/proc/self/mountinfo"), Path("/proc/keys")):
        lines = table.read_text().splitlines() if table.exists() else []
        left += [line for line in lines if killing.mark in line or str(killing.directory) in line]
    left += [str(path) for path in (killing.directory / "tmp").iterdir()]
    stale, end = empty_groups() - groups, time.monotonic() + _GROUPS_SECONDS
    while stale and time.monotonic() < end:
        time.sleep(0.1)
        stale &= empty_groups()
    return left + sorted(stale)


def empty_groups() -> frozenset[str]:
    """Return the control groups of ended runs, which have no processes; their names have the number of their run."""
    directories = (
        Path(directory) for directory, _, _ in os.walk("/sys/fs/cgroup") if "parity-" in os.path.basename(directory)
    )
    ended = (directory for directory in directories if not Path("/proc", directory.name.split("-")[1]).exists())
    return frozenset(str(directory) for directory in ended if _is_empty(directory / "cgroup.procs"))


def _is_empty(processes: Path) -> bool:
    try:
        return not processes.read_text()
    except OSError:  # removed meanwhile, or of another user
        return False
