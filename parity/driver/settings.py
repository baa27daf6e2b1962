"""Settings for a job that do not exist in Harbor's configuration."""

from dataclasses import dataclass

MOST_TRIALS = 1_000_000
"""The largest number of trials in a job."""


@dataclass(frozen=True)
class Options:
    """Options for a job that do not exist in Harbor's configuration."""

    allow_network: bool = False
    """Whether sandboxes have a network if their task requires one. Local sandboxes never have a network."""

    end_processes: bool = False
    """Whether the agent's processes are killed before the tests. Harbor lets them run, and they can change a reward."""
