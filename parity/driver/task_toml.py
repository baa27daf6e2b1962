"""Read the values from the text of a task.toml, by TOML 1.0, as Harbor does."""

import tomllib
from tomllib import TOMLDecodeError
from typing import Any

import tomli

__all__ = ["LONGEST", "TOMLDecodeError", "TooLongError", "read_toml"]

LONGEST = 1 << 20
"""The most characters that are read. Longer texts would take minutes and block everything else."""


class TooLongError(ValueError):
    """A text with more characters than are read. The message is one line."""


def read_toml(text: str) -> dict[str, Any]:
    """Return the values in a text.

    Raises:
        TOMLDecodeError: the text is not TOML 1.0.
        TooLongError: it has more characters than `LONGEST`.
        ValueError, RecursionError: a number in it has too many digits, or it is nested too deeply.
    """
    if len(text) > LONGEST:
        raise TooLongError(f"it has more than {LONGEST:,} characters")
    tomllib.loads(text)  # newer releases of tomli read TOML 1.1, which Harbor refuses
    return tomli.loads(text)
