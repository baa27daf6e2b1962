"""The settings of a job that Harbor's configuration does not have."""

from dataclasses import dataclass

MOST_TRIALS = 1_000_000
"""The most trials of a job."""


@dataclass(frozen=True)
class Options:
    """Options of a job that Harbor's configuration does not have."""

    allow_network: bool = False
    """Whether tasks that ask for a network get it, which local sandboxes refuse. Otherwise no sandbox has one."""

    end_processes: bool = False
    """Whether the agent's processes are killed before the tests. Harbor keeps them, and they can change a reward."""
