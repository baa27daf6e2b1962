"""Decorators and functions for the faulty runners that read rewards."""

from collections.abc import Callable
from functools import wraps
from pathlib import Path
from typing import Any

from parity.runners import CleanRoom
from parity.scorer import RewardFileNotFoundError, Rewards, VerifierOutputParseError
from tests.faulty.fault import Answer, json_document, read_bytes

NAMES = ("reward.json", "reward.txt")


def counting_text(directory: Path) -> str | None:
    """Return the text of reward.txt; None if reward.json exists or reward.txt cannot be read."""
    try:
        if (directory / "reward.json").exists():
            return None
    except OSError:
        return None
    content = read_bytes(directory, "reward.txt")
    return None if content is None else content.decode("utf-8", "replace")


def missing_where(is_missing: Callable[[Path], bool]) -> Answer:
    """Make a `read_reward` that reports a missing file if the predicate holds for the path of a reward file.

    The predicate is called for both paths, even if the file does not exist.
    """

    @wraps(is_missing)
    def read_reward(right: CleanRoom, directory: Path) -> Rewards | None:
        for name in NAMES:
            if is_missing(directory / name):
                raise RewardFileNotFoundError(name)
        return right.read_reward(directory)

    return read_reward


def refused_where(is_refused: Callable[[str], object]) -> Answer:
    """Make a `read_reward` that refuses reward.txt if the predicate holds for its text and there is no reward.json."""

    @wraps(is_refused)
    def read_reward(right: CleanRoom, directory: Path) -> Rewards | None:
        text = counting_text(directory)
        if text and is_refused(text):
            raise VerifierOutputParseError(text)
        return right.read_reward(directory)

    return read_reward


def in_rewards(change: Callable[[Rewards], Rewards | None]) -> Answer:
    """Make a `read_reward` that changes the correct rewards, if there are any."""

    @wraps(change)
    def read_reward(right: CleanRoom, directory: Path) -> Rewards | None:
        rewards = right.read_reward(directory)
        return change(rewards) if rewards else rewards

    return read_reward


def each_float(change: Callable[[float], Any]) -> Answer:
    """Make a `read_reward` that changes every float in the correct rewards."""

    @in_rewards
    @wraps(change)
    def changed(rewards: Rewards) -> Rewards:
        return {key: change(number) if isinstance(number, float) else number for key, number in rewards.items()}

    return changed


def each_value(change: Callable[[Any], Any]) -> Answer:
    """Make a `read_reward` that changes every correct reward that was read from reward.json."""

    @wraps(change)
    def read_reward(right: CleanRoom, directory: Path) -> Rewards | None:
        rewards = right.read_reward(directory)
        if not rewards or read_bytes(directory, "reward.json") is None:
            return rewards
        return {key: change(value) for key, value in rewards.items()}

    return read_reward


def each_string(change: Callable[[str, Any], Any]) -> Answer:
    """Make a `read_reward` that changes every reward that is a string in reward.json.

    The function `change` is called with the string and the correct reward.
    """

    @wraps(change)
    def read_reward(right: CleanRoom, directory: Path) -> Rewards | None:
        document = json_document(directory / "reward.json")
        rewards = right.read_reward(directory)
        if not rewards or not isinstance(document, dict):
            return rewards
        strings = {key: value for key, value in document.items() if isinstance(value, str)}
        return {**rewards, **{key: change(value, rewards[key]) for key, value in strings.items()}}

    return read_reward
