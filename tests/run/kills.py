"""A job that is killed, and a search for everything that its processes have left on the host."""

import os
import time
from dataclasses import dataclass
from pathlib import Path

from tests.run.processes import left_running

_GROUPS_SECONDS = 120
"""Seconds to wait for the control groups of a killed run to be removed."""


@dataclass(frozen=True)
class Killing:
    """A job that is killed and started again several times."""

    kind: str
    """The kind of sandbox that the job uses."""

    directory: Path
    """The directory with the job's tasks and results, and with temporary files in `tmp`."""

    mark: str
    """A word in the environment of all processes of the job, and in the names of its tasks and containers."""


def left_over(killing: Killing, groups: frozenset[str]) -> list[str]:
    """Return everything that an ended run has left: processes, containers, mounts, keys, files, control groups.

    Args:
        killing: the job that was killed.
        groups: the empty control groups that existed before the job.
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
    """Return the control groups without processes whose name has the process id of a run that has ended."""
    directories = (
        Path(directory) for directory, _, _ in os.walk("/sys/fs/cgroup") if "parity-" in os.path.basename(directory)
    )
    ended = (directory for directory in directories if not Path("/proc", directory.name.split("-")[1]).exists())
    return frozenset(str(directory) for directory in ended if _is_empty(directory / "cgroup.procs"))


def _is_empty(processes: Path) -> bool:
    try:
        return not processes.read_text()
    except OSError:  # the group was removed meanwhile, or belongs to another user
        return False
