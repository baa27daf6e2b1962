"""What moved between two releases, as text."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from parity.drift.releases import Release
from parity.drift.summary import RuleDrift, by_rule
from parity.drift.vectors import OperationDrift
from parity.judging.divergence import describe
from parity.judging.harm import harm_word, harms_in_words


def drift_lines(old: Release, new: Release, drifts: Sequence[OperationDrift]) -> Iterator[str]:
    """The rules that moved, the worst first, a line for each operation, and the total."""
    rules = by_rule(drifts)
    for rule in rules:
        yield from _rule_lines(old, new, rule)
        yield ""
    yield from _operation_lines(drifts)
    yield _total(old, new, drifts, rules)


def _rule_lines(old: Release, new: Release, found: RuleDrift) -> Iterator[str]:
    yield f"{harm_word(found.harm)}: {found.rule.slug}: {found.rule.sentence}"
    smallest = replace(found.smallest.divergence, runner_name=new.label)
    (_, case), (_, expected), *others = describe(smallest, "", found.smallest.vector)[:-1]
    rows = [("smallest case", case), (old.label, expected), *others]
    width = max(len(label) for label, _ in rows)
    yield from (f"  {label:<{width}}  {text}" for label, text in rows)
    if len(found.moved) > 1:
        yield f"  and {len(found.moved) - 1:,} more of its vectors"


def _operation_lines(drifts: Sequence[OperationDrift]) -> Iterator[str]:
    width = max(len(drift.name) for drift in drifts)
    for drift in drifts:
        if drift.answered:
            harms = harms_in_words(rule.harm for rule in by_rule([drift]))
            counts = f"{len(drift.moved):,} of {drift.answered:,} vectors" + (f": {harms}" if harms else "")
            yield f"{drift.name:<{width}}  {counts}"
        for (label, reason), vectors in drift.lacking.items():
            yield f"{drift.name:<{width}}  {vectors:,} vectors not claimed by {label}: {reason}"


def _total(old: Release, new: Release, drifts: Sequence[OperationDrift], rules: Sequence[RuleDrift]) -> str:
    answered, moved = sum(drift.answered for drift in drifts), sum(len(drift.moved) for drift in drifts)
    if not moved:
        return f"{new.label} answers all {answered:,} vectors of both as {old.label} does"
    harms = harms_in_words(rule.harm for rule in rules)
    return f"{new.label} answers {moved:,} of {answered:,} vectors otherwise than {old.label}: {harms}"
