"""The rewards that a verifier left, if they are no more than a job can keep.

Harbor has no such bound: it reads any file that the machine's memory takes, and writes every key into the results of
trial and job, which it then reads again to go on.
"""

from pathlib import Path

from parity.driver.sandbox import TooLargeError
from parity.scorer.existence import exists
from parity.scorer.from_disk.verifier_files import file_that_counts
from parity.scorer.reward_file import read_reward
from parity.scorer.series import Series
from parity.scorer.values import Rewards

REWARD_BYTES = 8 << 20
"""Bytes of the file that counts. Larger ones of many keys take minutes, and a job writes them many times."""

_KEYS = 10_000


def read_rewards(folder: Path, series: Series) -> Rewards | None:
    """The rewards in a verifier's folder on the host.

    Raises:
        TooLargeError: the file that counts is larger, or has more keys, than a job can keep.
        Exception: whatever `read_reward` raises.
    """
    path = file_that_counts(folder, series)
    if exists(path, series) and (size := path.stat().st_size) > REWARD_BYTES:
        raise TooLargeError(f"{path.name} has {size:,} bytes, more than the {REWARD_BYTES:,} that a job takes")
    rewards = read_reward(folder, series=series)
    if rewards is not None and len(rewards) > _KEYS:
        raise TooLargeError(f"{path.name} has {len(rewards):,} keys, more than the {_KEYS:,} that a job takes")
    return rewards
