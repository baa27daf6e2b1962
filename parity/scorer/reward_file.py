"""A folder as the verifier left it to the rewards that count. Rules: `reward-file/*`, `reward-json/*`.

Which file counts, when a file counts as empty, how its bytes become text and the text becomes numbers.
"""

import json
from pathlib import Path
from typing import Any

from parity.scorer.errors import (
    RewardFileEmptyError,
    RewardFileNotFoundError,
    ValidationError,
    VerifierOutputParseError,
)
from parity.scorer.existence import exists
from parity.scorer.number_text import lax_number, python_float
from parity.scorer.series import OFFICIAL, Series
from parity.scorer.values import Number, Rewards


def read_reward(directory: Path, *, series: Series = OFFICIAL) -> Rewards | None:
    """The rewards in a verifier folder (`/logs/verifier`), or None where reward.json says `null`.

    Text is decoded with the locale's encoding, as Harbor does.

    Args:
        directory: the folder; it need not exist.
        series: whose Unicode digits and file existence rules to follow.

    Raises:
        RewardFileNotFoundError: neither file exists.
        RewardFileEmptyError: the file that counts has no bytes.
        VerifierOutputParseError: its text is undecodable, not a number, or not JSON.
        ValidationError: reward.json is not an object of numbers.
        OSError: the file that counts is a directory or may not be read.
        RecursionError: reward.json is nested too deeply for the interpreter.
    """
    in_json, in_text = directory / "reward.json", directory / "reward.txt"
    if exists(in_json, series):
        return validate_rewards(_parse_json(in_json))
    if exists(in_text, series):
        return {"reward": _parse_text(in_text, series)}
    raise RewardFileNotFoundError(f"No reward file found at {in_text} or {in_json}")


def validate_rewards(document: object) -> Rewards | None:
    """A JSON document as rewards: an object whose values are, or read as, numbers; or null.

    Raises:
        ValidationError: anything else, naming the first key at fault.
    """
    if document is None:
        return None
    if not isinstance(document, dict):
        raise ValidationError(f"rewards must be an object, not {type(document).__name__}")
    return {key: _reward(key, value) for key, value in document.items()}


def _reward(key: str, value: object) -> Number:
    if isinstance(value, bool):
        return float(value)
    if isinstance(value, int | float):
        return value
    number = lax_number(value) if isinstance(value, str) else None
    if number is None:
        shown = f"{value:.40}" if isinstance(value, str) else type(value).__name__
        raise ValidationError(f"reward {key!r} must be a number, not {shown!r}")
    return number


def _parse_json(path: Path) -> Any:
    text = _text(path)
    try:
        return json.loads(text)
    except ValueError as error:
        raise VerifierOutputParseError(f"Failed to parse {path} as JSON: {error}") from error


def _parse_text(path: Path, series: Series) -> float:
    text = _text(path)
    try:
        return python_float(text, series)
    except ValueError as error:
        raise VerifierOutputParseError(f"Failed to parse {path} as a number: {error}") from error


def _text(path: Path) -> str:
    # The size decides, not the content: a FIFO or a device has size 0 and is never opened.
    if path.stat().st_size == 0:
        raise RewardFileEmptyError(f"Reward file is empty at {path}")
    try:
        return path.read_text()
    except UnicodeDecodeError as error:
        raise VerifierOutputParseError(f"Failed to parse {path}: not {error.encoding}") from error
