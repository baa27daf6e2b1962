"""A reward file that no job could keep is refused by one line."""

import json
from pathlib import Path

import pytest

from parity.driver.rewards import REWARD_BYTES, read_rewards
from parity.driver.sandbox import TooLargeError
from parity.scorer.series import OFFICIAL


def test_a_file_that_is_too_large_is_not_read(tmp_path: Path) -> None:
    """Not even into memory, whatever it holds."""
    with (tmp_path / "reward.json").open("wb") as file:
        file.truncate(5 << 30)

    with pytest.raises(
        TooLargeError, match=r"^reward.json has 5,368,709,120 bytes, more than the 8,388,608 that a job takes$"
    ):
        read_rewards(tmp_path, OFFICIAL)


def test_too_many_keys_are_refused(tmp_path: Path) -> None:
    """Each of them takes a place of its own in the results of trial and job."""
    (tmp_path / "reward.json").write_text(json.dumps(dict.fromkeys(map(str, range(10_001)), 1)))

    with pytest.raises(TooLargeError, match=r"^reward.json has 10,001 keys, more than the 10,000 that a job takes$"):
        read_rewards(tmp_path, OFFICIAL)


def test_only_the_file_that_counts_is_looked_at(tmp_path: Path) -> None:
    """However large the other is."""
    (tmp_path / "reward.json").write_text('{"a": 1}')
    (tmp_path / "reward.txt").write_text("1" * (REWARD_BYTES + 1))

    assert read_rewards(tmp_path, OFFICIAL) == {"a": 1}


def test_the_largest_number_of_keys_is_taken(tmp_path: Path) -> None:
    """Ten thousand."""
    rewards = dict.fromkeys(map(str, range(10_000)), 1)
    (tmp_path / "reward.json").write_text(json.dumps(rewards))

    assert read_rewards(tmp_path, OFFICIAL) == rewards


def test_the_largest_file_is_taken(tmp_path: Path) -> None:
    """Eight megabytes."""
    (tmp_path / "reward.txt").write_text("1".rjust(REWARD_BYTES))

    assert read_rewards(tmp_path, OFFICIAL) == {"reward": 1.0}
