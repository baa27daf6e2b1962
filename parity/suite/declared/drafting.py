"""Drafts a file of declared divergences from the divergences of a run.

There is one entry for each rule, kind and harm, with the plainest case as its witness. An entry keeps the class and the
reason that an earlier file has for the same rule, kind and harm. Cases are generated with several seeds, because one
seed rarely reveals everything.
"""

from collections import defaultdict
from collections.abc import Collection
from dataclasses import dataclass, field

from parity.operations import OPERATIONS
from parity.operations.rules import RULES
from parity.suite.declared.declaration import Declaration, answer_json
from parity.suite.difference_kind import DIFFERENCE_KINDS
from parity.suite.divergence import Divergence, Key, first_line
from parity.suite.harm import rank

MOST_ROUNDS = 8
"""Maximum number of seeds with which cases are generated."""

_IDLE_ROUNDS = 2
"""Number of successive seeds without a new rule, kind and harm after which no further seed is tried."""


@dataclass
class Draft:
    """The divergences of a run that drafts a file of declarations instead of judging the runner."""

    earlier: tuple[Declaration, ...] = ()
    """The entries to revise."""

    _plainest: dict[Key, Divergence] = field(default_factory=dict)
    _vectors: defaultdict[Key, set[str]] = field(default_factory=lambda: defaultdict(set))
    _asked: defaultdict[str, set[str]] = field(default_factory=lambda: defaultdict(set))
    """The ids of the golden vectors that the runner was asked, by operation."""

    _witnesses: dict[Key, Divergence | None] = field(default_factory=dict)
    """The current divergence of the witness of each earlier entry, by the entry's key; None if the witness agrees."""

    _starts: list[int] = field(default_factory=list)
    """The number of entries at the start of each round. A round runs the generated cases with one seed."""

    def revise(self, entry: Declaration, divergence: Divergence | None) -> None:
        """Record the current divergence of the witness of an earlier entry; None if the witness agrees."""
        self._witnesses[entry.key] = divergence
        if divergence:
            self.add(divergence)

    def add(self, divergence: Divergence, vector: str | None = None) -> None:
        """Record a divergence and, if its case is a golden vector, the id of the vector."""
        key = divergence.classified
        if vector:
            self._vectors[key].add(vector)
        known = self._plainest.setdefault(key, divergence)
        if divergence.simplicity < known.simplicity:
            self._plainest[key] = divergence

    def note_vector(self, operation: str, vector: str) -> None:
        """Record that the runner was asked a golden vector."""
        self._asked[operation].add(vector)

    @property
    def crashing(self) -> Collection[str]:
        """The rules under which the runner gave no answer."""
        return {rule for rule, kind, _ in self._plainest if kind == "no-answer"}

    def skips_round(self, number: int) -> bool:
        """Return whether a round is left out, because the rounds before it found nothing new.

        Args:
            number: the number, from 0, of a round that is about to start or is already running.
        """
        if number >= len(self._starts):
            self._starts.append(len(self._plainest))
        return number >= _IDLE_ROUNDS and self._starts[number] == self._starts[number - _IDLE_ROUNDS]

    @property
    def rounds(self) -> str:
        """A phrase with the number of seeds, for a message."""
        last = next((number for number in range(len(self._starts)) if self.skips_round(number)), None)
        if last is None:
            return f" from {len(self._starts)} seeds; the last one still found more" if self._starts else ""
        return f" from {last} seeds"

    def entries(self) -> tuple[list[Declaration], list[str]]:
        """Return the entries of the file, and a note for the user on each earlier entry that is dropped."""
        earlier = {entry.key: entry for entry in self.earlier}
        unasked = {key: entry for key, entry in earlier.items() if key not in self._witnesses}
        drafted = {key: self._entry(divergence, earlier.get(key)) for key, divergence in self._plainest.items()}
        dropped = [
            f"dropped {entry.name}, because {self._now(entry)}: {entry.class_}: {entry.reason}"
            for key, entry in earlier.items()
            if key not in drafted and key not in unasked
        ]
        return sorted((unasked | drafted).values(), key=_place), dropped

    def _entry(self, divergence: Divergence, earlier: Declaration | None) -> Declaration:
        operation = OPERATIONS[divergence.operation]
        reference = operation.with_stable_order(divergence.case, divergence.reference)
        return Declaration.model_construct(
            rule=divergence.rule.slug,
            kind=divergence.kind,
            harm=divergence.harm,
            class_=earlier.class_ if earlier else "to-fix",
            reason=earlier.reason if earlier else first_line(divergence),
            witness=divergence.wire_form,
            reference=answer_json(operation, reference),
            runner=answer_json(operation, divergence.runner),
            vectors=self._vectors_of(divergence, earlier),
        )

    def _vectors_of(self, divergence: Divergence, earlier: Declaration | None) -> frozenset[str] | None:
        """Return the vectors that diverged, and the earlier entry's that were not asked; None if neither is known."""
        before, asked = earlier.vectors if earlier else None, self._asked[divergence.operation]
        if before is None and not asked:
            return None
        return frozenset(self._vectors[divergence.classified] | ((before or frozenset()) - asked))

    def _now(self, entry: Declaration) -> str:
        divergence = self._witnesses[entry.key]
        return f"its witness diverges as {' '.join(divergence.classified)}" if divergence else "its witness agrees"


def _place(entry: Declaration) -> tuple[int, int, int]:
    return list(RULES).index(entry.rule), rank(entry.harm), list(DIFFERENCE_KINDS).index(entry.kind)
