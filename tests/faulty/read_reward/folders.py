"""Faults that depend on the directory of the reward files, or on extreme contents."""

import os
from pathlib import Path

from parity.operations.files.json_nesting import nesting
from parity.runners import CleanRoom
from parity.scorer import RewardFileNotFoundError, Rewards, VerifierOutputParseError
from tests.faulty.fault import breaks, read_bytes
from tests.faulty.read_reward.fault import NAMES, counting_text, missing_where


@breaks("reward-file/other-files", seen_by="test_which_file_counts")
def AnyCaseOfTheName(right: CleanRoom, directory: Path) -> Rewards | None:
    """Ignores case when it looks for the names of the reward files."""
    try:
        return right.read_reward(directory)
    except RewardFileNotFoundError:
        for path in sorted(directory.iterdir() if directory.is_dir() else ()):
            if path.name.lower() in NAMES and path.name not in NAMES:
                return {"reward": 0.125}
        raise


@breaks("reward-file/any-size", seen_by="test_which_file_counts")
def ReadsOneMebibyte(right: CleanRoom, directory: Path) -> Rewards | None:
    """Reads no more than the first MiB of a file."""
    content = read_bytes(directory, "reward.txt") if counting_text(directory) is not None else None
    if content is None or len(content) <= 1 << 20:
        return right.read_reward(directory)
    return {"reward": float(content[: 1 << 20])}


@breaks("reward-file/any-path", seen_by="test_which_file_counts")
def BlankEndsAPath(right: CleanRoom, directory: Path) -> Rewards | None:
    """Passes the path to a shell without quoting it, so it does not find paths with blanks or quotes."""
    if any(character in str(directory) for character in " '\"\n"):
        raise RewardFileNotFoundError
    return right.read_reward(directory)


@breaks("reward-file/device-is-empty", seen_by="test_which_file_counts")
@missing_where
def DevicesAreMissing(path: Path) -> bool:
    """Looks for regular files and FIFOs only, so a device is treated as missing."""
    return os.path.exists(path) and (path.is_char_device() or path.is_socket())


@breaks("reward-file/undecodable-is-a-parse-error", seen_by="test_reward_txt")
def FallsBackToLatin1(right: CleanRoom, directory: Path) -> Rewards | None:
    """Decodes reward.txt as Latin-1 if it is not UTF-8."""
    try:
        return right.read_reward(directory)
    except VerifierOutputParseError as error:
        content = read_bytes(directory, "reward.txt")
        counts = counting_text(directory) is not None
        if content is None or not counts or not isinstance(error.__cause__, UnicodeDecodeError):
            raise
        try:
            return {"reward": float(content.decode("latin-1"))}
        except ValueError:
            raise error from None


@breaks("reward-json/nesting-held", seen_by="test_which_file_counts")
def StopsAtAThousandLevels(right: CleanRoom, directory: Path) -> Rewards | None:
    """Raises a RecursionError if JSON is nested more than a thousand levels deep."""
    content = read_bytes(directory, "reward.json") or b""
    if nesting(content.decode("utf-8", "replace")) > 1000:
        raise RecursionError
    return right.read_reward(directory)
