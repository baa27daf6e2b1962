"""Faults that only show in what lies around the reward files, or in the far corners of their contents."""

import os
import unicodedata
from contextlib import suppress
from pathlib import Path

from parity.operations.files.json_content import nesting
from parity.runners import CleanRoom
from parity.scorer import RewardFileNotFoundError, Rewards, VerifierOutputParseError
from tests.faulty.fault import breaks, read_bytes
from tests.faulty.read_reward.fault import NAMES, counting_text, in_rewards, missing_where, refused_where


@breaks("reward-file/other-files", seen_by="test_which_file_counts")
def AnyCaseOfTheName(right: CleanRoom, directory: Path) -> Rewards | None:
    """Looks for the file names in any case, as a lookup that ignores case does."""
    try:
        return right.read_reward(directory)
    except RewardFileNotFoundError:
        for path in sorted(directory.iterdir() if directory.is_dir() else ()):
            if path.name.lower() in NAMES and path.name not in NAMES:
                return {"reward": 0.125}
        raise


@breaks("reward-file/other-files", seen_by="test_which_file_counts")
def FindsRewardFilesByPattern(right: CleanRoom, directory: Path) -> Rewards | None:
    """Takes the first file that begins like a reward file, such as one that an editor or a download left."""
    try:
        return right.read_reward(directory)
    except RewardFileNotFoundError:
        if directory.is_dir() and any(path.name not in NAMES for path in directory.glob("reward.*")):
            return {"reward": 0.125}
        raise


@breaks("reward-file/any-size", seen_by="test_which_file_counts")
def ReadsOneMebibyte(right: CleanRoom, directory: Path) -> Rewards | None:
    """Reads no more than the first MiB of a file."""
    content = read_bytes(directory, "reward.txt") if counting_text(directory) is not None else None
    if content is None or len(content) <= 1 << 20:
        return right.read_reward(directory)
    return {"reward": float(content[: 1 << 20])}


@breaks("reward-file/any-size", seen_by="test_which_file_counts")
def LargeFilesAreRefused(right: CleanRoom, directory: Path) -> Rewards | None:
    """Refuses what it does not want to hold in memory."""
    contents = [read_bytes(directory, name) for name in NAMES]
    if any(content is not None and len(content) > 1 << 20 for content in contents):
        raise VerifierOutputParseError("too large")
    return right.read_reward(directory)


@breaks("reward-file/any-path", seen_by="test_which_file_counts")
def BlankEndsAPath(right: CleanRoom, directory: Path) -> Rewards | None:
    """Hands the path to a shell, unquoted."""
    if any(character in str(directory) for character in " '\"\n"):
        raise RewardFileNotFoundError
    return right.read_reward(directory)


@breaks("reward-file/any-path", seen_by="test_which_file_counts")
def AsciiPathsOnly(right: CleanRoom, directory: Path) -> Rewards | None:
    """Cannot name a folder beyond ASCII."""
    str(directory).encode("ascii")
    return right.read_reward(directory)


@breaks("reward-file/any-path", seen_by="test_which_file_counts")
def LinkedFoldersAreRefused(right: CleanRoom, directory: Path) -> Rewards | None:
    """Does not look into a folder that is a link."""
    if directory.is_symlink():
        raise RewardFileNotFoundError
    return right.read_reward(directory)


@breaks("reward-file/device-is-empty", seen_by="test_which_file_counts")
@missing_where
def DevicesAreMissing(path: Path) -> bool:
    """Takes a regular file or a FIFO for a file, and nothing else."""
    return os.path.exists(path) and (path.is_char_device() or path.is_socket())


@breaks("reward-file/device-is-empty", seen_by="test_which_file_counts")
def SocketsAreOpened(right: CleanRoom, directory: Path) -> Rewards | None:
    """Opens a socket, which fails."""
    found = [directory / name for name in NAMES if os.path.exists(directory / name)]
    if found and found[0].is_socket():
        raise OSError
    return right.read_reward(directory)


@breaks("reward-file/link-is-followed", seen_by="test_which_file_counts")
@missing_where
def LinksToFoldersAreMissing(path: Path) -> bool:
    """Follows links to files, and takes a link to a folder for nothing."""
    return path.is_symlink() and path.is_dir()


@breaks("reward-text/digits", seen_by="test_reward_txt")
@refused_where
def OldUnicodeDigits(text: str) -> bool:
    """Knows the digits of Unicode 3.2, as an old table does."""
    return any(each.isdecimal() and unicodedata.ucd_3_2_0.decimal(each, None) is None for each in text)


@breaks("reward-file/undecodable-is-a-parse-error", seen_by="test_reward_txt")
def FallsBackToLatin1(right: CleanRoom, directory: Path) -> Rewards | None:
    """Decodes reward.txt as Latin-1 where it is no UTF-8."""
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


@breaks("reward-json/nesting-held", seen_by="test_golden")
def StopsAtAThousandLevels(right: CleanRoom, directory: Path) -> Rewards | None:
    """Parses by recursion, a thousand levels deep."""
    content = read_bytes(directory, "reward.json") or b""
    if nesting(content.decode("utf-8", "replace")) > 1000:
        raise RecursionError
    return right.read_reward(directory)


@breaks("reward-json/keys-are-verbatim", seen_by="test_reward_json")
@in_rewards
def RewardExcludesOtherKeys(rewards: Rewards) -> Rewards:
    """Drops the other keys where one is called `reward`."""
    return {"reward": rewards["reward"]} if "reward" in rewards else rewards


@breaks("reward-json/keys-are-verbatim", seen_by="test_reward_json")
@in_rewards
def KeepsSixteenKeys(rewards: Rewards) -> Rewards:
    """Holds sixteen keys."""
    return dict(list(rewards.items())[:16])


@breaks("reward-json/keys-are-verbatim", seen_by="test_reward_json")
@in_rewards
def CutsLongKeys(rewards: Rewards) -> Rewards:
    """Cuts a key after 64 characters, as a column of a database does."""
    return {key[:64]: number for key, number in rewards.items()}


@breaks("read-reward/leaves-its-input-alone", seen_by="test_which_file_counts")
def DeletesRewardFile(right: CleanRoom, directory: Path) -> Rewards | None:
    """Deletes the reward file once it has read it, so that no later trial can find it."""
    try:
        return right.read_reward(directory)
    finally:
        for name in NAMES:
            with suppress(OSError):
                (directory / name).unlink()


@breaks("read-reward/leaves-its-input-alone", seen_by="test_reward_txt")
def RewritesRewardFile(right: CleanRoom, directory: Path) -> Rewards | None:
    """Writes back what it has read from reward.txt, without blanks around it."""
    rewards = right.read_reward(directory)
    path = directory / "reward.txt"
    if path.is_file() and not path.is_symlink():
        path.write_bytes(path.read_bytes().strip())
    return rewards


@breaks("read-reward/leaves-its-input-alone", seen_by="test_which_file_counts")
def MakesTheFolder(right: CleanRoom, directory: Path) -> Rewards | None:
    """Makes the verifier's folder where there is none."""
    with suppress(OSError):
        directory.mkdir()
    return right.read_reward(directory)
