"""Why a reward file gave no rewards. Kinds are Harbor's own: the class name is what result.json records."""


class RewardFileNotFoundError(FileNotFoundError):
    """Neither reward.json nor reward.txt exists."""


class RewardFileEmptyError(Exception):
    """The reward file that counts has a size of zero bytes."""


class VerifierOutputParseError(Exception):
    """The reward file that counts is not a number (reward.txt) or not JSON (reward.json)."""


class ValidationError(ValueError):
    """reward.json is JSON, but not an object of numbers."""
