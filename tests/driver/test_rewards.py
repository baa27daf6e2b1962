"""A reward file that a job could not keep is refused in one line."""

import json
from pathlib import Path

import pytest

from parity.driver.rewards import REWARD_BYTES, read_rewards
from parity.driver.sandbox import TooLargeError
from parity.scorer.series import OFFICIAL


def test_a_file_that_is_too_large_is_not_read(tmp_path: Path) -> None:
    """A file that is too large is refused without being read."""
    with (tmp_path / "reward.json").open("wb") as file:
        file.truncate(5 << 30)

    with pytest.raises(
        TooLargeError, match=r"^reward.json has 5,368,709,120 bytes, more than the 8,388,608 that a job takes$"
    ):
        read_rewards(tmp_path, OFFICIAL)


def test_too_many_keys_are_refused(tmp_path: Path) -> None:
    """A file with too many keys is refused."""
    (tmp_path / "reward.json").write_text(json.dumps(dict.fromkeys(map(str, range(10_001)), 1)))

    with pytest.raises(TooLargeError, match=r"^reward.json has 10,001 keys, more than the 10,000 that a job takes$"):
        read_rewards(tmp_path, OFFICIAL)


def test_only_the_file_that_counts_is_looked_at(tmp_path: Path) -> None:
    """Only the file that counts is limited; the other may have any size."""
    (tmp_path / "reward.json").write_text('{"a": 1}')
    (tmp_path / "reward.txt").write_text("1" * (REWARD_BYTES + 1))

    assert read_rewards(tmp_path, OFFICIAL) == {"a": 1}


def test_the_largest_number_of_keys_is_taken(tmp_path: Path) -> None:
    """A file with the largest number of keys is accepted."""
    rewards = dict.fromkeys(map(str, range(10_000)), 1)
    (tmp_path / "reward.json").write_text(json.dumps(rewards))

    assert read_rewards(tmp_path, OFFICIAL) == rewards


def test_the_largest_file_is_taken(tmp_path: Path) -> None:
    """A file with the largest size is accepted."""
    (tmp_path / "reward.txt").write_text("1".rjust(REWARD_BYTES))

    assert read_rewards(tmp_path, OFFICIAL) == {"reward": 1.0}
