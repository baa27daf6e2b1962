"""Base classes for the suite's findings: exceptions whose messages are complete reports."""

from __future__ import annotations


class SuiteFinding(AssertionError):
    """A finding that the suite reports; the message is the complete report."""

    def __init__(self, text: str) -> None:
        super().__init__(text)
        self.text = text


class GoldenFinding(SuiteFinding):
    """A disagreement between recorded answers and the reference. It does not depend on the runner."""

    def __init__(self, text: str, operations: tuple[str, ...] = ()) -> None:
        """Make a finding about the recorded answers of some operations; of those that the test asks by default."""
        super().__init__(text)
        self.operations = operations
