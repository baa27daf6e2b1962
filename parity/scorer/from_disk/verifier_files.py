"""The rewards in a verifier's folder, with a limit to the size of the file that counts; the other is not looked at."""

import os
from pathlib import Path

from parity.scorer.errors import RewardFileEmptyError, VerifierOutputParseError
from parity.scorer.existence import exists
from parity.scorer.from_disk.files import LIMIT, FolderError, too_large
from parity.scorer.reward_file import read_reward
from parity.scorer.series import Series
from parity.scorer.values import Rewards

INVALID = (OSError, ValueError, RecursionError, RewardFileEmptyError, VerifierOutputParseError)
"""What Harbor raises where a verifier's folder has no valid rewards."""


def file_that_counts(folder: Path, series: Series) -> Path:
    """reward.json, or else reward.txt, whether or not that is there.

    Raises:
        OSError: it cannot be known, in series 3.12.
    """
    in_json = folder / "reward.json"
    return in_json if exists(in_json, series) else folder / "reward.txt"


def read_rewards(folder: Path, *, series: Series) -> Rewards | None:
    """The rewards that Harbor reads from a verifier's folder; None where reward.json says `null`.

    A pipe or a device has no size, so it is empty, and is never opened.

    Raises:
        FolderError: the file that counts is too large to be read.
        OSError, ValueError, RecursionError, RewardFileEmptyError, VerifierOutputParseError: as `read_reward`.
    """
    path = file_that_counts(folder, series)
    if exists(path, series) and (size := os.stat(path).st_size) > LIMIT:
        raise too_large(path, size, LIMIT)
    return read_reward(folder, series=series)


def rewards_if_any(folder: Path, *, series: Series) -> Rewards | None:
    """The same, but None where there are none, or the file is too large to be read."""
    try:
        return read_rewards(folder, series=series)
    except (*INVALID, FolderError):
        return None
