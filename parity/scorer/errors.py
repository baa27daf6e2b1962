"""Errors of reading rewards from a verifier's directory. The class names are Harbor's: result.json records them."""

from typing import ClassVar

from parity.scorer.reason_code import REWARD_EMPTY, REWARD_MISSING, REWARD_PARSE_ERROR


class RewardFileNotFoundError(FileNotFoundError):
    """Neither reward.json nor reward.txt exists."""

    reason_code: ClassVar[str] = REWARD_MISSING
    """The reason code of this error in the scoring description, whatever the message says."""


class RewardFileEmptyError(Exception):
    """The reward file that counts has a size of zero bytes."""

    reason_code: ClassVar[str] = REWARD_EMPTY


class VerifierOutputParseError(Exception):
    """The reward file that counts is not a number (reward.txt) or not JSON (reward.json)."""

    reason_code: ClassVar[str] = REWARD_PARSE_ERROR


class ValidationError(ValueError):
    """reward.json is JSON, but not an object of numbers."""
