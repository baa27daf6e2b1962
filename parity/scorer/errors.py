"""Why a reward file gave no rewards. Kinds are Harbor's own: the class name is what result.json records."""

from typing import ClassVar

from parity.scorer.reason_code import REWARD_EMPTY, REWARD_MISSING, REWARD_PARSE_ERROR


class RewardFileNotFoundError(FileNotFoundError):
    """Neither reward.json nor reward.txt exists."""

    reason_code: ClassVar[str] = REWARD_MISSING
    """The code that the scoring description means for it; no message is needed to find it."""


class RewardFileEmptyError(Exception):
    """The reward file that counts has a size of zero bytes."""

    reason_code: ClassVar[str] = REWARD_EMPTY


class VerifierOutputParseError(Exception):
    """The reward file that counts is not a number (reward.txt) or not JSON (reward.json)."""

    reason_code: ClassVar[str] = REWARD_PARSE_ERROR


class ValidationError(ValueError):
    """reward.json is JSON, but not an object of numbers."""
