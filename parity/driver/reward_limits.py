"""Limits on the size of a verifier's rewards, and the reading of rewards within these limits.

Harbor has no such limits. It reads any file that fits into memory, writes every key into the results of the trial and
the job, and reads the results again when it resumes a job. `parity.scorer.reward_file` decides what a file counts as.
"""

from pathlib import Path

from parity.driver.sandbox import TooLargeError
from parity.driver.threads import blocking
from parity.scorer.existence import exists
from parity.scorer.job_directory.verifier_files import file_that_counts
from parity.scorer.reward_file import read_reward
from parity.scorer.series import Series
from parity.scorer.values import Rewards

REWARD_BYTES = 1 << 20
"""The largest size of the reward file that is used, in bytes."""

_KEYS = 1000
_CHARACTERS = 100_000
"""The largest number of characters in all keys together."""


@blocking
def read_rewards(directory: Path, series: Series) -> Rewards | None:
    """Return the rewards in a verifier's directory on the host.

    Raises:
        TooLargeError: the reward file that is used has more bytes or keys than are allowed.
        Exception: any exception that `read_reward` raises.
    """
    path = file_that_counts(directory, series)
    if exists(path, series):
        _limit(path.stat().st_size, REWARD_BYTES, f"{path.name} has", "bytes")
    rewards = read_reward(directory, series=series)
    check_keys(rewards, f"{path.name} has")
    return rewards


def check_keys(rewards: Rewards | None, subject: str) -> None:
    """Check that rewards do not have too many or too long keys.

    Args:
        rewards: the rewards from a file, or from all steps together.
        subject: the beginning of the error message: a subject and a verb.

    Raises:
        TooLargeError: there are too many keys, or they are too long.
    """
    _limit(len(rewards or ()), _KEYS, subject, "keys")
    _limit(sum(map(len, rewards or ())), _CHARACTERS, subject, "characters in keys")


def _limit(number: int, most: int, subject: str, unit: str) -> None:
    if number > most:
        raise TooLargeError(f"{subject} {number:,} {unit}, more than the {most:,} that are allowed")
