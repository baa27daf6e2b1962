"""Exceptions raised when rewards are read from a verifier's directory.

The class names are the same as in Harbor, because result.json records them.
"""

from typing import ClassVar

from parity.scorer.reason_code import REWARD_EMPTY, REWARD_MISSING, REWARD_PARSE_ERROR


class RewardFileNotFoundError(FileNotFoundError):
    """Neither reward.json nor reward.txt exists."""

    reason_code: ClassVar[str] = REWARD_MISSING
    """The reason code of this exception in the scoring description, whatever its message is."""


class RewardFileEmptyError(Exception):
    """The reward file that is used has a size of zero bytes."""

    reason_code: ClassVar[str] = REWARD_EMPTY


class VerifierOutputParseError(Exception):
    """The reward file that is used does not hold a number (reward.txt) or JSON (reward.json)."""

    reason_code: ClassVar[str] = REWARD_PARSE_ERROR


class ValidationError(ValueError):
    """reward.json holds JSON, but not an object whose values are numbers."""
