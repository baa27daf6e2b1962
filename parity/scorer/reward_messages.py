"""What a ValidationError says of a reward.json. Rule: `run-trial/message-code`.

Reason codes are given by the words of a message, and Harbor's quotes what was found: keys in full, values cut in their
middle. So this one quotes the same characters, or `{"reward": "missing"}` would get another code. No other message
of the scorer quotes what a file holds, because none of Harbor's does.
Mirrors the messages of pydantic in what they quote, and in the word "parse".
"""

from collections.abc import Mapping

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
