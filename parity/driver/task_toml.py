"""The text of a task.toml to its values, by TOML 1.0, as Harbor reads it."""

import tomllib
from tomllib import TOMLDecodeError
from typing import Any

import tomli

__all__ = ["TOMLDecodeError", "read_toml"]


def read_toml(text: str) -> dict[str, Any]:
    """The values in a text.

    Raises:
        TOMLDecodeError: it is not TOML 1.0.
        ValueError, RecursionError: it holds a number of too many digits, or is too deep.
    """
    tomllib.loads(text)  # newer releases of tomli take TOML 1.1, which Harbor refuses
    return tomli.loads(text)
