"""Faults that no answer shows: runners that change what they are given."""

from contextlib import suppress
from pathlib import Path

from parity.scorer import Rewards
from tests.faulty.fault import Fault


class DeletesRewardFile(Fault):
    """Deletes the reward file once it has read it, so that no later trial can find it."""

    breaks = "read-reward/leaves-its-input-alone"
    seen_by = "test_which_file_counts"

    def read_reward(self, directory: Path) -> Rewards | None:
        try:
            return super().read_reward(directory)
        finally:
            for name in ("reward.json", "reward.txt"):
                with suppress(OSError):
                    (directory / name).unlink()


class RewritesRewardFile(Fault):
    """Writes back what it has read from reward.txt, without blanks around it."""

    breaks = "read-reward/leaves-its-input-alone"
    seen_by = "test_reward_txt"

    def read_reward(self, directory: Path) -> Rewards | None:
        rewards = super().read_reward(directory)
        path = directory / "reward.txt"
        if path.is_file() and not path.is_symlink():
            path.write_bytes(path.read_bytes().strip())
        return rewards


class MakesTheFolder(Fault):
    """Makes the verifier's folder where there is none."""

    breaks = "read-reward/leaves-its-input-alone"
    seen_by = "test_which_file_counts"

    def read_reward(self, directory: Path) -> Rewards | None:
        with suppress(OSError):
            directory.mkdir()
        return super().read_reward(directory)
