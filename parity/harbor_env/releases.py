"""The releases of `verifiers` that the environment for training works with."""

import re

RELEASES = ("0.1.12", "0.1.14", "0.2.1", "0.3.1")
"""Those that it is tested with, the oldest first."""


def is_too_old(version: str) -> bool:
    """Whether a release comes before all of these: there, an environment has no sandbox client of its own."""
    return _numbers(version) < _numbers(RELEASES[0])


def _numbers(version: str) -> list[int]:
    return [int(number) for number in re.findall(r"\d+", version)[:3]]
