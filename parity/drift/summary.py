"""Sorts the vectors that moved by rule: the worst harm first, each rule with its smallest case."""

from collections.abc import Iterable
from dataclasses import dataclass

from parity.drift.vectors import Moved, OperationDrift
from parity.judging.harm import Harm, rank, worst
from parity.operations.rule import Rule


@dataclass(frozen=True)
class RuleDrift:
    """A rule, and its vectors that moved."""

    rule: Rule
    moved: tuple[Moved, ...]

    @property
    def harm(self) -> Harm:
        """The worst harm of its vectors."""
        return worst(moved.divergence.harm for moved in self.moved)

    @property
    def smallest(self) -> Moved:
        """The smallest case with the worst harm."""
        return min((moved for moved in self.moved if moved.divergence.harm == self.harm), key=lambda moved: moved.size)


def by_rule(drifts: Iterable[OperationDrift]) -> list[RuleDrift]:
    """Return the rules that moved, the most harmful first; rules of equal harm in the order of operations."""
    found: dict[str, list[Moved]] = {}
    for drift in drifts:
        for moved in drift.moved:
            found.setdefault(moved.divergence.rule.slug, []).append(moved)
    rules = [RuleDrift(each[0].divergence.rule, tuple(each)) for each in found.values()]
    return sorted(rules, key=lambda rule: rank(rule.harm))
