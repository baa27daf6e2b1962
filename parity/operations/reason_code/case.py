"""The case of `reason_code`: the text of an error."""

from dataclasses import dataclass


@dataclass(frozen=True)
class ErrorText:
    """The text of an error, or None if there is none."""

    text: str | None
