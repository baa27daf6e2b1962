"""Faults in the choice of the reward file, and in the treatment of missing, empty and unreadable files."""

import os
from pathlib import Path

from parity.runners import CleanRoom
from parity.scorer import RewardFileEmptyError, RewardFileNotFoundError, Rewards, VerifierOutputParseError, read_reward
from tests.faulty.fault import breaks, other_series, read_bytes
from tests.faulty.read_reward.fault import NAMES, missing_where


@breaks("reward-file/json-wins", seen_by="test_which_file_counts")
def TextWins(right: CleanRoom, directory: Path) -> Rewards | None:
    """Prefers reward.txt to reward.json, as HarborEnv's documentation demands."""
    content = read_bytes(directory, "reward.txt")
    if content is not None:
        try:
            return {"reward": float(content)}
        except ValueError:
            pass
    return right.read_reward(directory)


@breaks("reward-file/json-wins", seen_by="test_which_file_counts")
def FallsBackToText(right: CleanRoom, directory: Path) -> Rewards | None:
    """Reads reward.txt if reward.json cannot be parsed."""
    try:
        return right.read_reward(directory)
    except (VerifierOutputParseError, RewardFileEmptyError):
        content = read_bytes(directory, "reward.txt")
        if content is None or not (directory / "reward.json").exists():
            raise
        return {"reward": float(content)}


@breaks("reward-file/missing", seen_by="test_which_file_counts")
def MissingIsZero(right: CleanRoom, directory: Path) -> Rewards | None:
    """Returns a reward of 0.0 if there is no reward file."""
    try:
        return right.read_reward(directory)
    except RewardFileNotFoundError:
        return {"reward": 0.0}


@breaks("reward-file/dangling-link-is-absent", seen_by="test_which_file_counts")
def DanglingLinkIsOpened(right: CleanRoom, directory: Path) -> Rewards | None:
    """Treats a dangling symlink as an existing file."""
    for name in NAMES:
        if os.path.islink(directory / name) and not os.path.exists(directory / name):
            raise FileNotFoundError(name)
    return right.read_reward(directory)


@breaks("reward-file/link-is-followed", seen_by="test_which_file_counts")
@missing_where
def LinksAreRefused(path: Path) -> bool:
    """Does not follow symlinks."""
    return os.path.islink(path) and os.path.exists(path)


@breaks("reward-file/directory-is-an-error", seen_by="test_which_file_counts")
def DirectoryIsMissing(right: CleanRoom, directory: Path) -> Rewards | None:
    """Looks for regular files only, so a directory is treated as missing."""
    try:
        return right.read_reward(directory)
    except IsADirectoryError:
        raise RewardFileNotFoundError from None


@breaks("reward-file/fifo-is-empty", seen_by="test_which_file_counts")
@missing_where
def FifoIsMissing(path: Path) -> bool:
    """Looks for regular files only, so a FIFO is treated as missing."""
    return os.path.exists(path) and path.is_fifo()


@breaks("reward-file/unreadable-is-an-error", seen_by="test_which_file_counts")
def UnreadableIsParseError(right: CleanRoom, directory: Path) -> Rewards | None:
    """Reports every file that cannot be read as a parse error."""
    try:
        return right.read_reward(directory)
    except PermissionError as error:
        raise VerifierOutputParseError from error


@breaks("reward-file/unsearchable-folder", seen_by="test_which_file_counts")
def OtherSeriesFiles(right: CleanRoom, directory: Path) -> Rewards | None:
    """Treats a directory that may not be searched as the other interpreter series does."""
    return read_reward(directory, series=other_series())


@breaks("reward-file/empty-is-zero-bytes", seen_by="test_which_file_counts")
def EmptyIsParseError(right: CleanRoom, directory: Path) -> Rewards | None:
    """Parses an empty file instead of reporting that it is empty."""
    try:
        return right.read_reward(directory)
    except RewardFileEmptyError as error:
        raise VerifierOutputParseError from error


@breaks("reward-file/white-space-is-not-empty", seen_by="test_reward_txt")
def BlankIsEmpty(right: CleanRoom, directory: Path) -> Rewards | None:
    """Strips white space before it checks whether the file is empty."""
    try:
        return right.read_reward(directory)
    except VerifierOutputParseError:
        if not any((read_bytes(directory, name) or b"x").strip() for name in NAMES if (directory / name).exists()):
            raise RewardFileEmptyError from None
        raise
