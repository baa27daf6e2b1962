"""Drafts or revises a file of declared divergences from the divergences of a run.

Golden vectors come first. Only a rule and harm that no vector shows gets a case, the plainest one that was generated.
Cases are generated with several seeds, because one seed rarely reveals everything.
"""

from collections import defaultdict
from collections.abc import Collection
from dataclasses import dataclass, field

from parity.operations.goldens import vector_of
from parity.operations.rules import OPERATION_OF, RULES
from parity.operations.wire import Json
from parity.suite.declared.changes import Answered, changes
from parity.suite.declared.declaration import NO_ANSWER, Declaration, Effect, Row, effect_of
from parity.suite.divergence import Divergence, first_line

MOST_ROUNDS = 8
"""Maximum number of seeds with which cases are generated."""

_IDLE_ROUNDS = 2
"""Number of successive seeds without a new rule and harm after which no further seed is tried."""


@dataclass
class Draft:
    """The divergences of a run that drafts a file of declarations instead of judging the runner."""

    earlier: tuple[Declaration, ...] = ()
    """The entries to revise."""

    answered: Answered = field(default_factory=Answered)
    """How golden vectors and the cases of earlier entries diverge."""

    _plainest: dict[tuple[str, Effect], Divergence] = field(default_factory=dict)
    _starts: list[int] = field(default_factory=list)
    """The number of rules and harms at the start of each round. A round runs the generated cases with one seed."""

    def add(self, divergence: Divergence) -> None:
        """Record a divergence. A generated case that is a golden vector counts as this vector."""
        rule, effect, vector = divergence.rule.slug, effect_of(divergence), divergence.vector
        if vector is None:
            if divergence.wire_form is None:  # the file cannot hold it
                return
            same = vector_of(OPERATION_OF[rule], divergence.case)
            rule, vector = (same.rule, same.id) if same else (rule, None)
        if vector:
            self.answered.vectors[vector] = effect
        plainest = self._plainest.setdefault((rule, effect), divergence)
        if divergence.simplicity < plainest.simplicity:
            self._plainest[rule, effect] = divergence

    @property
    def crashing(self) -> Collection[str]:
        """The rules under which the runner gave no answer."""
        return {rule for rule, effect in self._plainest if effect == NO_ANSWER}

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

    def entries(self) -> tuple[list[tuple[Declaration, str]], list[str]]:
        """Return the entries of the file, each with a comment, and a note on each earlier row that has changed."""
        rows = [dict(entry.rules) for entry in self.earlier]
        drafted: dict[str, Row] = {}
        notes = []
        for change in changes(self.earlier, RULES, self.answered):
            if change.entry is None:
                drafted[change.rule] = change.row
                continue
            notes += [f'{change.rule}: {line} (under "{change.entry.reason}")' for line in change.gone]
            place = next(place for place, entry in enumerate(self.earlier) if entry is change.entry)
            rows[place][change.rule] = self._with_generated(change.rule, change.entry.rules[change.rule], change.row)
        declared = _declared([*rows, drafted], cases=False)
        rows = [{rule: _without_cases(rule, row, declared) for rule, row in each.items()} for each in rows]
        new: defaultdict[str, dict[Effect, Json]] = defaultdict(dict)
        for rule, effect in self._plainest.keys() - _declared([*rows, drafted], cases=True):
            new[rule][effect] = self._plainest[rule, effect].wire_form
        for rule, cases in new.items():
            vectors = drafted[rule].vectors if rule in drafted else {}
            drafted[rule] = Row.model_construct(vectors=vectors, cases=cases)
        revised = [
            Declaration.model_construct(class_=entry.class_, reason=entry.reason, rules=kept)
            for entry, own in zip(self.earlier, rows, strict=True)
            if (kept := {rule: row for rule, row in own.items() if row.vectors or row.cases})
        ]
        drafts = [
            Declaration.model_construct(class_="to-fix", reason="", rules={rule: drafted[rule]})
            for rule in RULES
            if rule in drafted
        ]
        return [(entry, self._comment(entry)) for entry in (*revised, *drafts)], notes

    def _with_generated(self, rule: str, before: Row, row: Row) -> Row:
        """Return a row with a generated case for each effect that its vectors and cases no longer show."""
        gone = {*before.vectors, *before.cases} - {*row.vectors, *row.cases}
        cases = {effect: self._plainest[rule, effect].wire_form for effect in gone if (rule, effect) in self._plainest}
        return Row.model_construct(vectors=row.vectors, cases={**row.cases, **cases})

    def _comment(self, entry: Declaration) -> str:
        """Return how the answers differ, for an entry without a reason."""
        keys = [(rule, effect) for rule, row in entry.rules.items() for effect in (*row.vectors, *row.cases)]
        divergences = [self._plainest[key] for key in keys if key in self._plainest]
        return first_line(divergences[0]) if divergences and not entry.reason.strip() else ""


def _declared(rows: list[dict[str, Row]], *, cases: bool) -> set[tuple[str, Effect]]:
    """Return each rule and effect that has golden vectors, or also a case."""
    return {
        (rule, effect)
        for each in rows
        for rule, row in each.items()
        for effect in (*row.vectors, *(row.cases if cases else ()))
    }


def _without_cases(rule: str, row: Row, declared: set[tuple[str, Effect]]) -> Row:
    cases = {effect: case for effect, case in row.cases.items() if (rule, effect) not in declared}
    return Row.model_construct(vectors=row.vectors, cases=cases)
