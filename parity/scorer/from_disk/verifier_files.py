"""Read the rewards in a verifier's folder, with a size limit for the file that counts. The other file is not read."""

import os
from pathlib import Path

from parity.scorer.errors import RewardFileEmptyError, VerifierOutputParseError
from parity.scorer.existence import exists
from parity.scorer.from_disk.files import LIMIT, FolderError, too_large
from parity.scorer.reward_file import read_reward
from parity.scorer.series import Series
from parity.scorer.values import Rewards

INVALID = (OSError, ValueError, RecursionError, RewardFileEmptyError, VerifierOutputParseError)
"""Errors that Harbor raises if a verifier's folder has no valid rewards."""


def file_that_counts(folder: Path, series: Series) -> Path:
    """Return the path of reward.json if it exists, else that of reward.txt, which may not exist.

    Raises:
        OSError: the existence cannot be known, in series 3.12.
    """
    in_json = folder / "reward.json"
    return in_json if exists(in_json, series) else folder / "reward.txt"


def read_rewards(folder: Path, *, series: Series) -> Rewards | None:
    """Return the rewards that Harbor reads from a verifier's folder, or None if reward.json is `null`.

    A pipe or a device counts as empty, because its size is 0, and is never opened.

    Raises:
        FolderError: the file that counts is too large to be read.
        OSError, ValueError, RecursionError, RewardFileEmptyError, VerifierOutputParseError: as for `read_reward`.
    """
    path = file_that_counts(folder, series)
    if exists(path, series) and (size := os.stat(path).st_size) > LIMIT:
        raise too_large(path, size, LIMIT)
    return read_reward(folder, series=series)


def rewards_if_any(folder: Path, *, series: Series) -> Rewards | None:
    """Return the same as `read_rewards`, or None if there are no valid rewards or the file is too large."""
    try:
        return read_rewards(folder, series=series)
    except (*INVALID, FolderError):
        return None
