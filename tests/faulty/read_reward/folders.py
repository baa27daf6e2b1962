"""Faults that only show in what lies around the reward files, or in the far corners of their contents."""

import os
import stat
import unicodedata
from pathlib import Path

from parity.operations.files.json_content import nesting
from parity.scorer import RewardFileNotFoundError, Rewards, VerifierOutputParseError
from tests.faulty.fault import Fault, read_bytes
from tests.faulty.read_reward.fault import counting_text

_NAMES = ("reward.json", "reward.txt")


class _FolderFault(Fault):
    seen_by = "test_which_file_counts"


class AnyCaseOfTheName(_FolderFault):
    """Looks for the file names in any case, as a lookup that ignores case does."""

    breaks = "reward-file/other-files"

    def read_reward(self, directory: Path) -> Rewards | None:
        try:
            return super().read_reward(directory)
        except RewardFileNotFoundError:
            for path in sorted(directory.iterdir() if directory.is_dir() else ()):
                if path.name.lower() in _NAMES and path.name not in _NAMES:
                    return {"reward": 0.125}
            raise


class FindsRewardFilesByPattern(_FolderFault):
    """Takes the first file that begins like a reward file, such as one that an editor or a download left."""

    breaks = "reward-file/other-files"

    def read_reward(self, directory: Path) -> Rewards | None:
        try:
            return super().read_reward(directory)
        except RewardFileNotFoundError:
            if directory.is_dir() and any(path.name not in _NAMES for path in directory.glob("reward.*")):
                return {"reward": 0.125}
            raise


class ReadsOneMebibyte(_FolderFault):
    """Reads no more than the first MiB of a file."""

    breaks = "reward-file/any-size"

    def read_reward(self, directory: Path) -> Rewards | None:
        content = read_bytes(directory, "reward.txt") if counting_text(directory) is not None else None
        if content is None or len(content) <= 1 << 20:
            return super().read_reward(directory)
        return {"reward": float(content[: 1 << 20])}


class LargeFilesAreRefused(_FolderFault):
    """Refuses what it does not want to hold in memory."""

    breaks = "reward-file/any-size"

    def read_reward(self, directory: Path) -> Rewards | None:
        contents = [read_bytes(directory, name) for name in _NAMES]
        if any(content is not None and len(content) > 1 << 20 for content in contents):
            raise VerifierOutputParseError("too large")
        return super().read_reward(directory)


class BlankEndsAPath(_FolderFault):
    """Hands the path to a shell, unquoted."""

    breaks = "reward-file/any-path"

    def read_reward(self, directory: Path) -> Rewards | None:
        if any(character in str(directory) for character in " '\"\n"):
            raise RewardFileNotFoundError
        return super().read_reward(directory)


class AsciiPathsOnly(_FolderFault):
    """Cannot name a folder beyond ASCII."""

    breaks = "reward-file/any-path"

    def read_reward(self, directory: Path) -> Rewards | None:
        str(directory).encode("ascii")
        return super().read_reward(directory)


class LinkedFoldersAreRefused(_FolderFault):
    """Does not look into a folder that is a link."""

    breaks = "reward-file/any-path"

    def read_reward(self, directory: Path) -> Rewards | None:
        if directory.is_symlink():
            raise RewardFileNotFoundError
        return super().read_reward(directory)


class DevicesAreMissing(_FolderFault):
    """Takes a regular file or a FIFO for a file, and nothing else."""

    breaks = "reward-file/device-is-empty"

    def read_reward(self, directory: Path) -> Rewards | None:
        for name in _NAMES:
            if os.path.exists(directory / name):
                mode = os.stat(directory / name).st_mode
                if stat.S_ISCHR(mode) or stat.S_ISSOCK(mode):
                    raise RewardFileNotFoundError
        return super().read_reward(directory)


class SocketsAreOpened(_FolderFault):
    """Opens a socket, which fails."""

    breaks = "reward-file/device-is-empty"

    def read_reward(self, directory: Path) -> Rewards | None:
        for name in _NAMES:
            if os.path.exists(directory / name):
                if stat.S_ISSOCK(os.stat(directory / name).st_mode):
                    raise OSError
                break
        return super().read_reward(directory)


class LinksToFoldersAreMissing(_FolderFault):
    """Follows links to files, and takes a link to a folder for nothing."""

    breaks = "reward-file/link-is-followed"

    def read_reward(self, directory: Path) -> Rewards | None:
        for name in _NAMES:
            if (directory / name).is_symlink() and (directory / name).is_dir():
                raise RewardFileNotFoundError
        return super().read_reward(directory)


class OldUnicodeDigits(Fault):
    """Knows the digits of Unicode 3.2, as an old table does."""

    breaks = "reward-text/digits"
    seen_by = "test_reward_txt"

    def read_reward(self, directory: Path) -> Rewards | None:
        text = counting_text(directory) or ""
        if any(each.isdecimal() and unicodedata.ucd_3_2_0.decimal(each, None) is None for each in text):
            raise VerifierOutputParseError
        return super().read_reward(directory)


class FallsBackToLatin1(Fault):
    """Decodes reward.txt as Latin-1 where it is no UTF-8."""

    breaks = "reward-file/undecodable-is-a-parse-error"
    seen_by = "test_reward_txt"

    def read_reward(self, directory: Path) -> Rewards | None:
        try:
            return super().read_reward(directory)
        except VerifierOutputParseError as error:
            content = read_bytes(directory, "reward.txt")
            counts = counting_text(directory) is not None
            if content is None or not counts or not isinstance(error.__cause__, UnicodeDecodeError):
                raise
            try:
                return {"reward": float(content.decode("latin-1"))}
            except ValueError:
                raise error from None


class StopsAtAThousandLevels(Fault):
    """Parses by recursion, a thousand levels deep."""

    breaks = "reward-json/nesting-held"
    seen_by = "test_almost_json"

    def read_reward(self, directory: Path) -> Rewards | None:
        content = read_bytes(directory, "reward.json") or b""
        if nesting(content.decode("utf-8", "replace")) > 1000:
            raise RecursionError
        return super().read_reward(directory)


class RewardExcludesOtherKeys(Fault):
    """Drops the other keys where one is called `reward`."""

    breaks = "reward-json/keys-are-verbatim"
    seen_by = "test_reward_json"

    def read_reward(self, directory: Path) -> Rewards | None:
        rewards = super().read_reward(directory)
        return {"reward": rewards["reward"]} if rewards and "reward" in rewards else rewards


class KeepsSixteenKeys(Fault):
    """Holds sixteen keys."""

    breaks = "reward-json/keys-are-verbatim"
    seen_by = "test_reward_json"

    def read_reward(self, directory: Path) -> Rewards | None:
        rewards = super().read_reward(directory)
        return rewards and dict(list(rewards.items())[:16])


class CutsLongKeys(Fault):
    """Cuts a key after 64 characters, as a column of a database does."""

    breaks = "reward-json/keys-are-verbatim"
    seen_by = "test_reward_json"

    def read_reward(self, directory: Path) -> Rewards | None:
        rewards = super().read_reward(directory)
        return rewards and {key[:64]: number for key, number in rewards.items()}
