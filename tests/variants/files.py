"""Ways to find the reward file: other tests for a file, other places, and other answers without one."""

import json
import os
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from parity.runners import CleanRoom
from parity.scorer import RewardFileEmptyError, RewardFileNotFoundError, Rewards, VerifierOutputParseError
from tests.faulty.fault import read_bytes
from tests.variants.variant import variant

_NAMES = ("reward.json", "reward.txt")
_file = variant("read_reward")


def _absent(right: CleanRoom, directory: Path, is_there: Callable[[Path], bool]) -> Rewards | None:
    """Answer as if a file for which the test fails were absent."""
    if is_there(directory / "reward.json"):
        return right.read_reward(directory)
    if not os.path.exists(directory / "reward.json"):
        if os.path.exists(directory / "reward.txt") and not is_there(directory / "reward.txt"):
            raise RewardFileNotFoundError
        return right.read_reward(directory)
    content = read_bytes(directory, "reward.txt")
    if content is None or not is_there(directory / "reward.txt"):
        raise RewardFileNotFoundError
    try:
        return {"reward": float(content.decode())}
    except ValueError:
        raise VerifierOutputParseError from None


def _has_content(path: Path) -> bool:
    try:
        return path.stat().st_size > 0
    except OSError:
        return False


_TESTS: dict[str, Callable[[Path], bool]] = {
    "IsFile": os.path.isfile,
    "IsNoLink": lambda path: os.path.exists(path) and not os.path.islink(path),
    "HasContent": _has_content,
    "IsReadable": lambda path: os.access(path, os.R_OK) and not path.is_dir(),
    "HasNoOtherLinks": lambda path: os.path.exists(path) and os.stat(path).st_nlink == 1,
    "IsBelow4KiB": lambda path: os.path.exists(path) and os.stat(path).st_size <= 4096,
    "IsBelow64KiB": lambda path: os.path.exists(path) and os.stat(path).st_size <= 65536,
    "IsBelow1MiB": lambda path: os.path.exists(path) and os.stat(path).st_size < 1 << 20,
}
for _name, _test in _TESTS.items():
    variant("read_reward", f"File{_name}")(partial(_absent, is_there=_test))


def _falls_back(*errors: type[Exception]) -> Callable[[CleanRoom, Path], Rewards | None]:
    """Return a reader that reads reward.txt if reward.json raises one of these errors."""

    def read_reward(right: CleanRoom, directory: Path) -> Rewards | None:
        try:
            return right.read_reward(directory)
        except errors:
            content = read_bytes(directory, "reward.txt")
            if content is None or read_bytes(directory, "reward.json") is None:
                raise
            try:
                return {"reward": float(content)}
            except ValueError:
                raise VerifierOutputParseError from None

    return read_reward


variant("read_reward", "EmptyFallsBack")(_falls_back(RewardFileEmptyError))
variant("read_reward", "MalformedFallsBack")(_falls_back(VerifierOutputParseError))
variant("read_reward", "InvalidFallsBack")(_falls_back(ValueError, VerifierOutputParseError, RewardFileEmptyError))


def _if_unused(is_unused: Callable[[Any], bool]) -> Callable[[CleanRoom, Path], Rewards | None]:
    """Return a reader that reads reward.txt if the rewards in reward.json are of no use."""

    def read_reward(right: CleanRoom, directory: Path) -> Rewards | None:
        rewards = right.read_reward(directory)
        content = read_bytes(directory, "reward.txt")
        if content is None or read_bytes(directory, "reward.json") is None or not is_unused(rewards):
            return rewards
        try:
            return {"reward": float(content)}
        except ValueError:
            return rewards

    return read_reward


variant("read_reward", "NullFallsBack")(_if_unused(lambda rewards: rewards is None))
variant("read_reward", "NothingFallsBack")(_if_unused(lambda rewards: not rewards))
variant("read_reward", "NoRewardKeyFallsBack")(_if_unused(lambda rewards: "reward" not in (rewards or {})))
variant("read_reward", "ZeroFallsBack")(_if_unused(lambda rewards: not any((rewards or {}).values())))


@_file
def BothAreMerged(right: CleanRoom, directory: Path) -> Rewards | None:
    """Adds the keys of reward.json to the number in reward.txt."""
    rewards = right.read_reward(directory)
    content = read_bytes(directory, "reward.txt")
    try:
        return rewards if content is None or rewards is None else {"reward": float(content), **rewards}
    except ValueError:
        return rewards


@_file
def NewestWins(right: CleanRoom, directory: Path) -> Rewards | None:
    """Reads the text if it is not older than the JSON."""
    try:
        json_time, text_time = (os.stat(directory / name).st_mtime_ns for name in _NAMES)
        content = read_bytes(directory, "reward.txt")
        if content is not None and text_time >= json_time:
            return {"reward": float(content)}
    except (OSError, ValueError):
        pass
    return right.read_reward(directory)


@_file
def TextFirst(right: CleanRoom, directory: Path) -> Rewards | None:
    """Reads reward.txt if both files exist."""
    content = read_bytes(directory, "reward.txt")
    if content is None or read_bytes(directory, "reward.json") is None:
        return right.read_reward(directory)
    try:
        return {"reward": float(content)}
    except ValueError:
        raise VerifierOutputParseError from None


@_file
def JsonInText(right: CleanRoom, directory: Path) -> Rewards | None:
    """Reads JSON in reward.txt, too."""
    try:
        return right.read_reward(directory)
    except VerifierOutputParseError:
        content = read_bytes(directory, "reward.txt")
        if content is None or os.path.lexists(directory / "reward.json"):
            raise
        try:
            document = json.loads(content)
        except ValueError:
            raise VerifierOutputParseError from None
        if not isinstance(document, dict):
            raise
        return document


@_file
def AnySuffix(right: CleanRoom, directory: Path) -> Rewards | None:
    """Reads any file that begins with `reward`."""
    return _searched(right, directory, "reward*")


@_file
def AnyDirectory(right: CleanRoom, directory: Path) -> Rewards | None:
    """Looks for the files in directories below, too."""
    return _searched(right, directory, "*/reward.*")


@_file
def ParentDirectory(right: CleanRoom, directory: Path) -> Rewards | None:
    """Looks for the files in the directory above, too."""
    return _searched(right, directory, "../reward.*")


@_file
def ScoreFile(right: CleanRoom, directory: Path) -> Rewards | None:
    """Looks for files of other names, too."""
    return _searched(right, directory, "[srSR][ce][ow][ra][er]*")


def _searched(right: CleanRoom, directory: Path, pattern: str) -> Rewards | None:
    try:
        return right.read_reward(directory)
    except RewardFileNotFoundError:
        try:
            others = [path for path in directory.glob(pattern) if path.name not in _NAMES or "/" in pattern]
        except OSError:
            others = []
        if not any(path.is_file() for path in others):
            raise
        return {"reward": 1.0}


def _replaces(error: type[Exception], answer: Callable[[], Any]) -> Callable[[CleanRoom, Path], Any]:
    def read_reward(right: CleanRoom, directory: Path) -> Any:
        try:
            return right.read_reward(directory)
        except error:
            return answer()

    return read_reward


def _missing() -> None:
    raise RewardFileNotFoundError


def _unparsed() -> None:
    raise VerifierOutputParseError


def _empty() -> None:
    raise RewardFileEmptyError


_REPLACED: dict[str, tuple[type[Exception], Callable[[], Any]]] = {
    "MissingIsZero": (RewardFileNotFoundError, lambda: {"reward": 0.0}),
    "MissingIsNone": (RewardFileNotFoundError, lambda: None),
    "MissingIsEmpty": (RewardFileNotFoundError, dict),
    "EmptyIsZero": (RewardFileEmptyError, lambda: {"reward": 0.0}),
    "EmptyIsNone": (RewardFileEmptyError, lambda: None),
    "EmptyIsMissing": (RewardFileEmptyError, _missing),
    "EmptyIsUnparsed": (RewardFileEmptyError, _unparsed),
    "UnparsedIsNone": (VerifierOutputParseError, lambda: None),
    "UnparsedIsZero": (VerifierOutputParseError, lambda: {"reward": 0.0}),
    "InvalidIsUnparsed": (ValueError, _unparsed),
    "InvalidIsNone": (ValueError, lambda: None),
    "SystemErrorsAreMissing": (OSError, _missing),
    "SystemErrorsAreUnparsed": (OSError, _unparsed),
    "DirectoriesAreEmpty": (IsADirectoryError, _empty),
    "DeepIsUnparsed": (RecursionError, _unparsed),
}
for _name, (_error, _answer) in _REPLACED.items():
    variant("read_reward", f"{_name}Variant")(_replaces(_error, _answer))
