"""The base class of the suite's findings: exceptions that read as reports."""

from __future__ import annotations


class SuiteFinding(AssertionError):
    """A finding of the suite; the message is the whole report."""

    def __init__(self, text: str) -> None:
        super().__init__(text)
        self.text = text


class GoldenFinding(SuiteFinding):
    """A disagreement of recorded answers and the reference; it says nothing about the runner."""
