"""What the suite finds, as an exception that reads as a report."""

from __future__ import annotations


class SuiteFinding(AssertionError):
    """Something that the suite found and reports in its own words."""

    def __init__(self, text: str) -> None:
        super().__init__(text)
        self.text = text


class GoldenFinding(SuiteFinding):
    """Recorded answers and the reference do not agree, which says nothing of the runner."""
