"""A folder as the verifier left it to the rewards that count. Rules: `reward-file/*`, `reward-json/*`.

Which file counts, when a file counts as empty, how its bytes become text and the text becomes numbers.

Reason codes are given by the words of a message, and that of Harbor's ValidationError quotes what was found: keys in
full, values cut in their middle. So this one quotes the same characters, as pydantic does, or `{"reward": "missing"}`
would get another code (rule `run-trial/message-code`). No other message of the scorer quotes what a file holds.
"""

import json
import math
from collections.abc import Generator, Mapping
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
from parity.scorer.values import LITERAL_NAN, Number, Rewards

# Rule: reward-json/constants
_CONSTANTS = {"NaN": LITERAL_NAN, "Infinity": math.inf, "-Infinity": -math.inf}


def read_reward(directory: Path, *, series: Series = OFFICIAL) -> Rewards | None:
    """The rewards in a verifier folder (`/logs/verifier`), or None where reward.json says `null`.

    A literal `NaN` is `LITERAL_NAN`, every other nan an object of its own. Text is decoded with the locale's encoding,
    as Harbor does.

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
    # Rules: reward-file/other-files, reward-file/any-path
    in_json, in_text = directory / "reward.json", directory / "reward.txt"
    # Rule: reward-file/json-wins
    if exists(in_json, series):
        return validate_rewards(_parse_json(in_json))
    if exists(in_text, series):
        # Rule: reward-text/float
        return {"reward": _parse_text(in_text, series)}
    # Rule: reward-file/missing
    raise RewardFileNotFoundError(f"No reward file found at {in_text} or {in_json}")


def validate_rewards(document: object) -> Rewards | None:
    """A JSON document as rewards: an object whose values are, or read as, numbers; or null.

    Raises:
        ValidationError: anything else, naming all keys at fault.
    """
    # Rule: reward-json/null-is-none
    if document is None:
        return None
    # Rule: reward-json/object-only
    if not isinstance(document, dict):
        raise ValidationError(no_object(document))
    # Rules: reward-json/empty-object, reward-json/key-order, reward-json/keys-are-verbatim
    rewards = {key: _reward(value) for key, value in document.items()}
    # Rule: reward-json/bad-value
    if None in rewards.values():
        raise ValidationError(no_numbers({key: document[key] for key, number in rewards.items() if number is None}))
    return rewards  # type: ignore[return-value]


def _reward(value: object) -> Number | None:
    """The value as a number, if it is one or reads as one."""
    # Rule: reward-json/bool-is-float
    if isinstance(value, bool):
        return float(value)
    # Rules: reward-json/int-stays-int, reward-json/big-integers, reward-number/unit-interval
    if isinstance(value, int | float):
        return value
    return lax_number(value) if isinstance(value, str) else None


def _parse_json(path: Path) -> Any:
    text = _text(path)
    try:
        return _parsed(text).send(None)
    # Rules: reward-json/malformed, reward-json/digit-limit
    except ValueError as error:
        raise VerifierOutputParseError(f"Failed to parse {path} as JSON") from error


def _parsed(text: str) -> Generator[Any]:
    # Rules: reward-json/nesting, reward-json/nesting-held, reward-json/duplicate-key, reward-json/float
    # Harbor parses inside a coroutine, and to resume one takes as much of the interpreter's C stack as to resume a
    # generator: JSON may nest three levels less than without on CPython 3.12 and 3.13, and about six less on 3.14.
    yield json.loads(text, parse_constant=_CONSTANTS.__getitem__)


def _parse_text(path: Path, series: Series) -> float:
    text = _text(path)
    try:
        return python_float(text, series)
    # Rule: reward-text/malformed
    except ValueError as error:
        raise VerifierOutputParseError(f"Failed to parse {path} as a number") from error


def _text(path: Path) -> str:
    # Rules: reward-file/empty-is-zero-bytes, reward-file/white-space-is-not-empty, reward-file/device-is-empty,
    #   reward-file/fifo-is-empty
    # The size decides, not the content: a FIFO or a device has size 0 and is never opened.
    if path.stat().st_size == 0:
        raise RewardFileEmptyError(f"Reward file is empty at {path}")
    try:
        # Rules: reward-file/any-size, reward-file/directory-is-an-error, reward-file/unreadable-is-an-error,
        #   reward-file/byte-order-mark-is-a-parse-error
        return path.read_text()
    # Rule: reward-file/undecodable-is-a-parse-error
    except UnicodeDecodeError as error:
        raise VerifierOutputParseError(f"Failed to parse {path} as {error.encoding}") from error


_MOST_BYTES = 50
"""Of a value's `repr` in UTF-8; a longer one loses its middle."""


def no_object(document: object) -> str:
    """Of a document that is no object."""
    # Rule: run-trial/message-code
    return f"rewards: should be an object of numbers, is {_quoted(document)}"


def no_numbers(values: Mapping[str, object]) -> str:
    """Of an object with values that are no numbers, by their keys."""
    # Rule: run-trial/message-code
    return "; ".join(f"rewards.{key}: {_problem(value)}, is {_quoted(value)}" for key, value in values.items())


def _problem(value: object) -> str:
    return "should be a number, unable to parse the string" if isinstance(value, str) else "should be a number"


def _quoted(value: object) -> str:
    """The value as Python writes it, without its middle where it is long; characters are not cut in two."""
    try:
        text = repr(value).encode("utf-8", "surrogatepass")
    except RecursionError:
        return f"a deep {type(value).__name__}"
    if len(text) > _MOST_BYTES:
        half = _MOST_BYTES // 2
        return f"{text[:half].decode(errors='ignore')}...{text[1 - half :].decode(errors='ignore')}"
    return text.decode("utf-8", "surrogatepass")
