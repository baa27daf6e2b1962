"""The counts of a session, operation by operation. They can be sent between processes and added up."""

import json
from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any, Self

from parity.operations import OPERATIONS
from parity.operations.rules import OPERATION_OF
from parity.operations.wire import Json, canonical
from parity.suite.harm import Harm, worst

_MOST_HUNG = 3
"""Number of rules with a hang after which the runner is asked no further vectors of an operation."""


class _Counts:
    def add(self, other: Self) -> None:
        """Add the counts of another test or process."""
        for name in vars(other):
            setattr(self, name, getattr(self, name) + getattr(other, name))


@dataclass
class OperationTally(_Counts):
    """The counts of one operation."""

    cases: int = 0
    """Generated cases; a case may contain several questions."""

    comparisons: int = 0
    """Questions that both sides answered."""

    not_claimed: int = 0
    """Questions that the runner declined."""

    unanswered: Counter[str] = field(default_factory=Counter)
    """Questions that the reference itself could not answer here, by reason."""

    vectors: int = 0
    """Golden vectors that the runner answered."""

    vectors_left_out: int = 0
    """Golden vectors that need file modes, which root ignores."""

    hung: Counter[str] = field(default_factory=Counter)
    """Golden vectors on which the runner hung, by rule."""

    after_hangs: Counter[str] = field(default_factory=Counter)
    """Golden vectors that the runner was not asked because it had already hung, by rule."""

    declared: int = 0
    """Divergent cases that a declaration covers."""

    skipped: int = 0
    """Questions that the runner was not asked, because it is declared to crash on them."""

    unjudged: Counter[str] = field(default_factory=Counter)
    """Declared cases that the reference could not answer here, by name and reason."""

    failures: int = 0
    """Tests of the suite that failed or did not get to their end, for any reason."""

    def leaves_out(self, rule: str) -> bool:
        """Return whether a rule's vectors are left out, because the runner hung in that rule or in several others."""
        return rule in self.hung or len(self.hung) >= _MOST_HUNG


@dataclass
class RuleTally(_Counts):
    """The counts of one rule, including the counts of its golden vectors."""

    asked: int = 0
    """Vectors that the runner answered."""

    divergent: int = 0
    """Vectors with a divergent answer that no declaration covers."""

    declared: int = 0
    """Vectors with a divergent answer that a declaration covers."""

    shown: int = 0
    """Vectors, also of other rules, with an undeclared divergence that is shown under this rule."""

    not_claimed: int = 0
    """Vectors that the runner declined."""

    drawn: int = 0
    """Generated or replayed cases that diverge because of the rule."""

    drawn_declared: int = 0
    """Generated and declared cases that break the rule as declared."""

    skipped: int = 0
    """Vectors that the runner was not asked, because it is declared to crash on them."""

    harms: Counter[Harm] = field(default_factory=Counter)
    """Divergences that no declaration covers, by harm."""

    declared_harms: Counter[Harm] = field(default_factory=Counter)
    """Divergences that a declaration covers, by harm."""

    @property
    def diverges(self) -> bool:
        """Whether the runner breaks the rule in a way that no declaration covers."""
        return bool(self.divergent or self.drawn)

    @property
    def harm(self) -> Harm | None:
        """The worst undeclared harm; the worst declared one if all are declared; None if nothing diverges."""
        harms = self.harms or self.declared_harms
        return worst(harms) if harms else None


@dataclass(frozen=True)
class Undecided:
    """A test that failed for another reason than a difference between runner and reference."""

    why: str
    """The error, in one line."""

    operations: tuple[str, ...]
    """The operations that it concerns; empty if it concerns all."""


@dataclass
class Tally:
    """What a test, a process or a run found: counts of operations and rules, and the reported divergences.

    A test counts where it finds something. So its tally does not depend on what becomes of the test's report.
    """

    operations: dict[str, OperationTally] = field(
        default_factory=lambda: {name: OperationTally() for name in OPERATIONS}
    )
    rules: defaultdict[str, RuleTally] = field(default_factory=lambda: defaultdict(RuleTally))
    reported: list[dict[str, Json]] = field(default_factory=list)
    """The reported divergences, as entries of `parity.suite.findings`."""

    shapes: dict[str, str] = field(default_factory=dict)
    """A sentence for each operation whose answers all have the wrong shape; see `parity.suite.shapes`."""

    complaints: list[str] = field(default_factory=list)
    """The reports of declarations that are not exactly what the runner does."""

    ended: set[str] = field(default_factory=set)
    """The tests that got to their end, or that the suite itself leaves out, by node id."""

    left_out: dict[str, None] = field(default_factory=dict)
    """The reasons why the suite left out tests, each once."""

    undecided: dict[str, Undecided] = field(default_factory=dict)
    """The tests that failed for another reason than a difference between runner and reference, by node id."""

    @property
    def disagrees(self) -> bool:
        """Whether the runner differs from the reference, or from what is declared of it."""
        return bool(self.broken() or self.shapes or self.complaints)

    def add(self, sent: dict[str, Any]) -> None:
        """Add the tally of another test or process, in the form that `to_plain` returns."""
        for name, counts in sent["operations"].items():
            self.operations[name].add(OperationTally(**_counted(counts)))
        for slug, counts in sent["rules"].items():
            self.rules[slug].add(RuleTally(**_counted(counts)))
        self.reported += map(json.loads, sent["reported"])
        self.shapes |= sent["shapes"]
        self.complaints += sent["complaints"]
        self.ended.update(sent["ended"])
        self.left_out |= dict.fromkeys(sent["left_out"])
        self.undecided |= {test: Undecided(why, tuple(names)) for test, (why, names) in sent["undecided"].items()}

    def to_plain(self) -> dict[str, Any]:
        """Return the tally as plain dicts of numbers and ASCII strings."""
        return {
            "operations": {name: _plain(counts) for name, counts in self.operations.items()},
            "rules": {slug: _plain(counts) for slug, counts in self.rules.items()},
            "reported": [canonical(record) for record in self.reported],
            "shapes": self.shapes,
            "complaints": self.complaints,
            "ended": sorted(self.ended),
            "left_out": [*self.left_out],
            "undecided": {test: [each.why, [*each.operations]] for test, each in self.undecided.items()},
        }

    def vectors_of(self, rule: str) -> tuple[int, int]:
        """Return the number of a rule's golden vectors that diverge undeclared, and of those that were answered."""
        counts = self.rules.get(rule, RuleTally())
        return counts.divergent, counts.asked

    def vectors_shown(self, rule: str) -> tuple[int, int]:
        """Return the number of golden vectors that are shown under a rule, and of its own that the runner answered."""
        counts = self.rules.get(rule, RuleTally())
        return counts.shown, counts.asked

    def note_vector(self, rule: str, harm: Harm | None, *, claimed: bool, declared: bool = False) -> None:
        """Count the runner's answer to a golden vector.

        Args:
            rule: the slug of the vector's rule.
            harm: the harm of the divergence; None if the answer does not diverge.
            claimed: whether the runner gave an answer.
            declared: whether a declaration covers the divergence.
        """
        counts = self.rules[rule]
        if not claimed:
            counts.not_claimed += 1
            return
        counts.asked += 1
        if harm:
            counts.divergent += not declared
            counts.declared += declared
            (counts.declared_harms if declared else counts.harms)[harm] += 1

    def note_drawn(self, slug: str, harm: Harm, *, declared: bool = False) -> None:
        """Count a diverging case (generated, replayed or declared) for the rule that it breaks."""
        counts = self.rules[slug]
        counts.drawn += not declared
        counts.drawn_declared += declared
        (counts.declared_harms if declared else counts.harms)[harm] += 1

    def broken(self, operation: str | None = None) -> dict[str, Harm]:
        """Return the rules of one operation, or of all, that have undeclared divergences, each with its worst harm.

        The summary, the report and all pages use this one count of broken rules.
        """
        return {
            slug: rule.harm
            for slug, rule in self.rules.items()
            if rule.diverges and rule.harm and operation in (None, OPERATION_OF[slug].name)
        }

    def note_failure(self, concerned: Iterable[str]) -> None:
        """Count a test that failed for the operations that it concerns; for all operations if it names none."""
        for name in tuple(concerned) or self.operations:
            self.operations[name].failures += 1


def _plain(counts: OperationTally | RuleTally) -> dict[str, Any]:
    return {key: dict(value) if isinstance(value, Counter) else value for key, value in vars(counts).items()}


def _counted(counts: dict[str, Any]) -> dict[str, Any]:
    return {key: Counter(value) if isinstance(value, dict) else value for key, value in counts.items()}
