"""The releases of `verifiers` that the environment for training works with."""

import re

RELEASES = ("0.1.12", "0.1.14", "0.2.1", "0.3.1")
"""The tested releases, the oldest first."""


def is_too_old(version: str) -> bool:
    """Return whether a release is older than all of these: its environments have no sandbox client."""
    return _numbers(version) < _numbers(RELEASES[0])


def _numbers(version: str) -> list[int]:
    return [int(number) for number in re.findall(r"\d+", version)[:3]]
