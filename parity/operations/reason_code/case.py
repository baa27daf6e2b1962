"""`reason_code`: an error's text to the code that says why a job has no score."""

from dataclasses import dataclass


@dataclass(frozen=True)
class ErrorText:
    """What an error says, or None where there is no error text."""

    text: str | None
