"""Read the rewards from a verifier's directory. Rules: `reward-file/*`, `reward-json/*`.

This module chooses the reward file that is used, treats some files as empty, decodes the file, and converts strings to
numbers.

Reason codes depend on the words in an error message, and Harbor's ValidationError quotes the reward file: keys in full,
values with their middle cut out. The messages here quote the same characters, because `{"reward": "missing"}` would
otherwise get a different code (rule `run-trial/message-code`). No other message of the scorer quotes a file's content.
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
    """Return the rewards in a verifier's directory (`/logs/verifier`), or None if reward.json is `null`.

    Each literal `NaN` is the object `LITERAL_NAN`; any other nan is a separate object. Files are decoded
    with the locale's encoding, as in Harbor.

    Args:
        directory: the directory; it need not exist.
        series: the interpreter series, which determines the behaviour of `float()` and `Path.exists()`.

    Raises:
        RewardFileNotFoundError: neither reward.json nor reward.txt exists.
        RewardFileEmptyError: the reward file that is used has no bytes.
        VerifierOutputParseError: the reward file cannot be decoded, or does not hold a number or JSON.
        ValidationError: reward.json does not hold an object of numbers.
        OSError: the reward file that is used is a directory or may not be read.
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
    """Convert a JSON document to rewards; null becomes None.

    Raises:
        ValidationError: the document is neither null nor an object of numbers, booleans, and strings that pydantic
            reads as numbers. The message lists all keys with a wrong value.
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
    # Harbor parses inside a coroutine, so this parses inside a generator. Both take the same amount of the
    # interpreter's C stack: three levels of JSON nesting on CPython 3.12 and 3.13, about six on 3.14.
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
"""Size limit for a quoted value: bytes of its `repr` in UTF-8. The middle of a longer `repr` is cut out."""


def no_object(document: object) -> str:
    """Return the error message for a document that is not an object."""
    # Rule: run-trial/message-code
    return f"rewards: should be an object of numbers, is {_quoted(document)}"


def no_numbers(values: Mapping[str, object]) -> str:
    """Return the error message for values that are not numbers, by their reward keys."""
    # Rule: run-trial/message-code
    return "; ".join(f"rewards.{key}: {_problem(value)}, is {_quoted(value)}" for key, value in values.items())


def _problem(value: object) -> str:
    return "should be a number, unable to parse the string" if isinstance(value, str) else "should be a number"


def _quoted(value: object) -> str:
    """Return the `repr` of a value. The middle of a long one is cut out, without splitting a character."""
    try:
        text = repr(value).encode("utf-8", "surrogatepass")
    except RecursionError:
        return f"a deep {type(value).__name__}"
    if len(text) > _MOST_BYTES:
        half = _MOST_BYTES // 2
        return f"{text[:half].decode(errors='ignore')}...{text[1 - half :].decode(errors='ignore')}"
    return text.decode("utf-8", "surrogatepass")
