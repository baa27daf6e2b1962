"""Sums the counts of a run, for tests."""

from collections import Counter

from parity.suite.run import Run


def outcomes(run: Run, operation: str) -> Counter[tuple[str, str]]:
    """Return how often each outcome was counted for an operation, by source and outcome."""
    sums: Counter[tuple[str, str]] = Counter()
    for question, count in run.counts.items():
        if question.operation == operation:
            sums[question.source, question.outcome] += count
    return sums
