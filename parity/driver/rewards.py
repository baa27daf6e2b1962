"""Read a verifier's rewards, with limits on what a job can keep.

Harbor has no such limit. It reads any file that fits into memory, writes every key into the results of trial and job,
and reads them again when it resumes.
"""

from pathlib import Path

from parity.driver.sandbox import TooLargeError
from parity.scorer.existence import exists
from parity.scorer.from_disk.verifier_files import file_that_counts
from parity.scorer.reward_file import read_reward
from parity.scorer.series import Series
from parity.scorer.values import Rewards

REWARD_BYTES = 8 << 20
"""The most bytes of the file that counts. A larger file with many keys takes minutes, and is written often."""

_KEYS = 10_000


def read_rewards(folder: Path, series: Series) -> Rewards | None:
    """Return the rewards in a verifier's folder on the host.

    Raises:
        TooLargeError: the file that counts has more bytes or keys than a job can keep.
        Exception: any error of `read_reward`.
    """
    path = file_that_counts(folder, series)
    if exists(path, series) and (size := path.stat().st_size) > REWARD_BYTES:
        raise TooLargeError(f"{path.name} has {size:,} bytes, more than the {REWARD_BYTES:,} that a job takes")
    rewards = read_reward(folder, series=series)
    if rewards is not None and len(rewards) > _KEYS:
        raise TooLargeError(f"{path.name} has {len(rewards):,} keys, more than the {_KEYS:,} that a job takes")
    return rewards
