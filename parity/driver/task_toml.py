"""The text of a task.toml to its values, by TOML 1.0, as Harbor reads it."""

import tomllib
from tomllib import TOMLDecodeError
from typing import Any

import tomli

__all__ = ["LONGEST", "TOMLDecodeError", "TooLongError", "read_toml"]

LONGEST = 1 << 20
"""Characters of a text that is read; the time for more is minutes, in which nothing else happens."""


class TooLongError(ValueError):
    """A text of more characters than are read; one line that says so."""


def read_toml(text: str) -> dict[str, Any]:
    """The values in a text.

    Raises:
        TOMLDecodeError: it is not TOML 1.0.
        TooLongError: it has more characters than `LONGEST`.
        ValueError, RecursionError: it holds a number of too many digits, or is too deep.
    """
    if len(text) > LONGEST:
        raise TooLongError(f"it has more than {LONGEST:,} characters")
    tomllib.loads(text)  # newer releases of tomli take TOML 1.1, which Harbor refuses
    return tomli.loads(text)
