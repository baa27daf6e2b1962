"""Faults in choosing the file and in judging its state."""

import os
import stat
from pathlib import Path

from parity.scorer import RewardFileEmptyError, RewardFileNotFoundError, Rewards, VerifierOutputParseError, read_reward
from tests.faulty.fault import Fault, read_bytes

_NAMES = ("reward.json", "reward.txt")


class _FileFault(Fault):
    seen_by = "test_which_file_counts"


class TextWins(_FileFault):
    """Prefers reward.txt, as HarborEnv's documentation has it."""

    breaks = "reward-file/json-wins"

    def read_reward(self, directory: Path) -> Rewards | None:
        content = read_bytes(directory, "reward.txt")
        if content is not None:
            try:
                return {"reward": float(content)}
            except ValueError:
                pass
        return super().read_reward(directory)


class FallsBackToText(_FileFault):
    """Reads reward.txt where reward.json cannot be parsed."""

    breaks = "reward-file/json-wins"

    def read_reward(self, directory: Path) -> Rewards | None:
        try:
            return super().read_reward(directory)
        except (VerifierOutputParseError, RewardFileEmptyError):
            content = read_bytes(directory, "reward.txt")
            if content is None or not (directory / "reward.json").exists():
                raise
            return {"reward": float(content)}


class MissingIsZero(_FileFault):
    """Scores 0.0 where there is no reward file."""

    breaks = "reward-file/missing"

    def read_reward(self, directory: Path) -> Rewards | None:
        try:
            return super().read_reward(directory)
        except RewardFileNotFoundError:
            return {"reward": 0.0}


class DanglingLinkIsOpened(_FileFault):
    """Takes a link for a file, whatever it leads to."""

    breaks = "reward-file/dangling-link-is-absent"

    def read_reward(self, directory: Path) -> Rewards | None:
        for name in _NAMES:
            if os.path.islink(directory / name) and not os.path.exists(directory / name):
                raise FileNotFoundError(name)
        return super().read_reward(directory)


class LinksAreRefused(_FileFault):
    """Does not follow links."""

    breaks = "reward-file/link-is-followed"

    def read_reward(self, directory: Path) -> Rewards | None:
        for name in _NAMES:
            if os.path.islink(directory / name) and os.path.exists(directory / name):
                raise RewardFileNotFoundError(name)
        return super().read_reward(directory)


class DirectoryIsMissing(_FileFault):
    """Asks for a regular file, so that a directory counts as missing."""

    breaks = "reward-file/directory-is-an-error"

    def read_reward(self, directory: Path) -> Rewards | None:
        try:
            return super().read_reward(directory)
        except IsADirectoryError:
            raise RewardFileNotFoundError from None


class FifoIsMissing(_FileFault):
    """Asks for a regular file, so that a FIFO counts as missing."""

    breaks = "reward-file/fifo-is-empty"

    def read_reward(self, directory: Path) -> Rewards | None:
        for name in _NAMES:
            if os.path.exists(directory / name) and stat.S_ISFIFO(os.stat(directory / name).st_mode):
                raise RewardFileNotFoundError(name)
        return super().read_reward(directory)


class UnreadableIsParseError(_FileFault):
    """Reports every file that cannot be read as a parse error."""

    breaks = "reward-file/unreadable-is-an-error"

    def read_reward(self, directory: Path) -> Rewards | None:
        try:
            return super().read_reward(directory)
        except PermissionError as error:
            raise VerifierOutputParseError from error


class OtherSeriesFiles(_FileFault):
    """Judges a folder that may not be searched as another interpreter would."""

    breaks = "reward-file/unsearchable-folder"

    def read_reward(self, directory: Path) -> Rewards | None:
        return read_reward(directory, series=self.other_series)


class EmptyIsParseError(_FileFault):
    """Parses an empty file instead of treating it apart."""

    breaks = "reward-file/empty-is-zero-bytes"

    def read_reward(self, directory: Path) -> Rewards | None:
        try:
            return super().read_reward(directory)
        except RewardFileEmptyError as error:
            raise VerifierOutputParseError from error


class BlankIsEmpty(_FileFault):
    """Strips the text before it asks whether it is empty."""

    breaks = "reward-file/white-space-is-not-empty"
    seen_by = "test_reward_txt"

    def read_reward(self, directory: Path) -> Rewards | None:
        try:
            return super().read_reward(directory)
        except VerifierOutputParseError:
            if not any((read_bytes(directory, name) or b"x").strip() for name in _NAMES if (directory / name).exists()):
                raise RewardFileEmptyError from None
            raise


class DecodeErrorEscapes(_FileFault):
    """Lets the decoder's own error through."""

    breaks = "reward-file/undecodable-is-a-parse-error"
    seen_by = "test_reward_txt"

    def read_reward(self, directory: Path) -> Rewards | None:
        try:
            return super().read_reward(directory)
        except VerifierOutputParseError as error:
            raise error.__cause__ if isinstance(error.__cause__, UnicodeDecodeError) else error from None


class SkipsByteOrderMark(_FileFault):
    """Decodes as `utf-8-sig`."""

    breaks = "reward-file/byte-order-mark-is-a-parse-error"
    seen_by = "test_reward_txt"

    def read_reward(self, directory: Path) -> Rewards | None:
        content = read_bytes(directory, "reward.txt")
        if content is not None and content.startswith(b"\xef\xbb\xbf") and not (directory / "reward.json").exists():
            try:
                return {"reward": float(content.decode("utf-8-sig"))}
            except ValueError:
                pass
        return super().read_reward(directory)
