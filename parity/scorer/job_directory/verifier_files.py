"""Read the rewards in a verifier's directory. The reward file that is used has a size limit; the other is not read."""

import os
from pathlib import Path

from parity.scorer.errors import RewardFileEmptyError, VerifierOutputParseError
from parity.scorer.existence import exists
from parity.scorer.job_directory.files import LIMIT, FileError, too_large
from parity.scorer.reward_file import read_reward
from parity.scorer.series import Series
from parity.scorer.values import Rewards

INVALID = (OSError, ValueError, RecursionError, RewardFileEmptyError, VerifierOutputParseError)
"""Exceptions that Harbor raises if a verifier's directory has no valid rewards."""


def file_that_counts(directory: Path, series: Series) -> Path:
    """Return the path of reward.json if that file exists, else the path of reward.txt, which need not exist.

    Raises:
        OSError: the system refuses to tell whether reward.json exists; only in series 3.12.
    """
    in_json = directory / "reward.json"
    # Rule: reward-file/json-wins
    return in_json if exists(in_json, series) else directory / "reward.txt"


def read_rewards(directory: Path, *, series: Series) -> Rewards | None:
    """Return the rewards that Harbor reads from a verifier's directory, or None if reward.json is `null`.

    A pipe or a device counts as empty, because its size is 0, and is never opened.

    Raises:
        FileError: the reward file that is used is too large.
        OSError, ValueError, RecursionError, RewardFileEmptyError, VerifierOutputParseError: as for `read_reward`.
    """
    path = file_that_counts(directory, series)
    if exists(path, series) and (size := os.stat(path).st_size) > LIMIT:
        raise too_large(path, size, LIMIT)
    return read_reward(directory, series=series)


def rewards_if_any(directory: Path, *, series: Series) -> Rewards | None:
    """Call `read_rewards`, but return None if there are no valid rewards or the file is too large."""
    try:
        return read_rewards(directory, series=series)
    except (*INVALID, FileError):
        return None
