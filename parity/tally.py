"""What a session did, operation by operation; made to be sent between processes and added up."""

from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from parity.flags import FLAGS
from parity.operations import OPERATIONS


@dataclass
class OperationTally:
    """Counts of one operation."""

    cases: int = 0
    """Drawn cases; one may hold several questions."""

    comparisons: int = 0
    """Questions that both sides answered."""

    not_claimed: int = 0
    """Questions that the runner declined."""

    unanswered: Counter[str] = field(default_factory=Counter)
    """Questions that the reference itself could not answer here, by reason."""

    vectors: int = 0
    """Golden vectors that the runner answered."""

    flags: Counter[str] = field(default_factory=Counter)
    """Drawn cases that carried each flag."""

    rules_broken: Counter[str] = field(default_factory=Counter)
    """Reported divergences by rule."""

    failures: int = 0
    """Tests of the suite that failed, for whatever reason; counted where they are reported, not where they run."""

    def add(self, other: "OperationTally") -> None:
        """Take over what another process counted."""
        self.cases += other.cases
        self.comparisons += other.comparisons
        self.not_claimed += other.not_claimed
        self.vectors += other.vectors
        self.unanswered += other.unanswered
        self.flags += other.flags
        self.rules_broken += other.rules_broken


@dataclass
class Tally:
    """Counts of all operations."""

    operations: dict[str, OperationTally] = field(
        default_factory=lambda: {name: OperationTally() for name in OPERATIONS}
    )

    def add(self, sent: dict[str, Any]) -> None:
        """Add what `to_plain` made in another process."""
        for name, counts in sent.items():
            counted = {key: Counter(value) for key, value in counts.items() if isinstance(value, dict)}
            self.operations[name].add(OperationTally(**{**counts, **counted}))

    def to_plain(self) -> dict[str, Any]:
        """As plain dicts of numbers."""
        return {
            name: {key: dict(value) if isinstance(value, Counter) else value for key, value in vars(counts).items()}
            for name, counts in self.operations.items()
        }

    def note_failure(self, nodeid: str) -> None:
        """Count a failed test for its operation, or for all where it belongs to none."""
        concerned = [name for name in self.operations if name in nodeid] or list(self.operations)
        for name in concerned:
            self.operations[name].failures += 1

    def missing_flags(self, operation: str) -> list[str]:
        """Flags of an operation that no drawn case carried."""
        carried = self.operations[operation].flags
        return [flag for flag in FLAGS[operation] if not carried[flag]]
