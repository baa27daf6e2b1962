"""Compares the golden vectors and cases that diverge in a run with those that are declared."""

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from parity.operations.goldens import vector_names
from parity.operations.wire import Json
from parity.suite.declared.declaration import Declaration, Effect, Row, StaleDeclaration
from parity.suite.declared.writing import row_text

_MOST_NAMES = 4
"""Number of golden vectors that are named in one line."""


@dataclass
class Answered:
    """How golden vectors and declared cases diverge in a run."""

    vectors: dict[str, Effect | None] = field(default_factory=dict)
    """The effect by the id of each vector that was asked; None if the answers agree."""

    cases: list[tuple[Declaration, str, Effect, tuple[str, Effect] | None]] = field(default_factory=list)
    """Each declared case that was asked: its entry, rule and effect, and the rule and effect that it diverges by now.

    The latter is None if the answers agree.
    """


@dataclass(frozen=True)
class Change:
    """A change that makes a row declare exactly what diverges."""

    rule: str
    entry: Declaration | None
    """The entry with the row; None if no entry is known to have the reason."""

    row: Row
    """The row as it has to be. It may be empty."""

    new: Sequence[str]
    """Lines about vectors that are not declared."""

    gone: Sequence[str]
    """Lines about vectors and cases that no longer diverge as declared."""

    def finding(self) -> StaleDeclaration:
        """Return the finding that prints what has changed, and the row as it has to be."""
        text = row_text(self.rule, self.row)
        if self.entry is None:
            remedy = f"declare it under its reason:\n{text}"
        elif self.row.vectors or self.row.cases:
            remedy = f"change {self.entry.place(self.rule)} to:\n{text}"
        elif len(self.entry.rules) == 1:
            remedy = f"remove the entry at {self.entry.place()}"
        else:
            remedy = f"remove the row at {self.entry.place(self.rule)}"
        lines = [f"NOT AS DECLARED: {self.rule}", *self.gone, *self.new, f"if this is intended, {remedy}"]
        place = self.entry.place(self.rule) if self.entry else ""
        return StaleDeclaration("\n  ".join("\n".join(lines).splitlines()), self.rule, place)


def changes(entries: Sequence[Declaration], rules: Collection[str], answered: Answered) -> Iterator[Change]:
    """Yield the changes to entries, rule by rule. Vectors and cases that were not asked stay declared.

    A vector that is not declared yet goes into the entry that declares its rule and effect, if exactly one does.

    Args:
        entries: all entries of a run.
        rules: the slugs of the rules to compare.
        answered: how vectors and cases diverge.
    """
    listed = {vector for entry in entries for _, _, vector in entry.vectors()}
    for rule in rules:
        effects = {name: answered.vectors.get(f"{rule}/{name}") for name in vector_names(rule)}
        new = {name: effect for name, effect in effects.items() if effect and f"{rule}/{name}" not in listed}
        homes = {name: _home(entries, rule, effect) for name, effect in new.items()}
        for entry in entries:
            if rule in entry.rules:
                own = {name: effect for name, effect in new.items() if homes[name] is entry}
                yield from _change(rule, entry, own, answered)
        if others := {name: effect for name, effect in new.items() if homes[name] is None}:
            yield Change(rule, None, _row(_by_effect(others), {}), _new_lines(others), ())


def _home(entries: Sequence[Declaration], rule: str, effect: Effect) -> Declaration | None:
    """Return the entry that declares a rule and effect, if there is exactly one."""
    rows = [(entry, entry.rules[rule]) for entry in entries if rule in entry.rules]
    homes = [entry for entry, row in rows if effect in row.vectors or effect in row.cases]
    return homes[0] if len(homes) == 1 else None


def _change(rule: str, entry: Declaration, new: Mapping[str, Effect], answered: Answered) -> Iterator[Change]:
    """Yield the change to a row, if there is one."""
    before, now = entry.rules[rule], dict(new)
    gone: defaultdict[tuple[Effect, Effect | None], list[str]] = defaultdict(list)
    for effect, names in before.vectors.items():
        for name in names:
            actual = answered.vectors.get(f"{rule}/{name}", effect)
            if actual:
                now[name] = actual
            if actual != effect:
                gone[effect, actual].append(name)
    cases = dict(before.cases)
    lines = [f"{_declared(*effects)}: {_named(names)}" for effects, names in gone.items()]
    for declared, slug, effect, key in answered.cases:
        if declared is entry and slug == rule and key != (rule, effect):
            case = cases.pop(effect)
            lines.append(f"{_declared(effect, key and ' '.join(key))}: its case")
            if key and key[0] == rule:
                cases.setdefault(key[1], case)
    if lines or new:
        yield Change(rule, entry, _row(_by_effect(now), cases), _new_lines(new), lines)


def _new_lines(new: Mapping[str, Effect]) -> list[str]:
    return [f"not declared, but diverges as {effect}: {_named(names)}" for effect, names in _by_effect(new).items()]


def _declared(effect: Effect, actual: str | None) -> str:
    now = f"diverges as {actual}" if actual else "no longer diverges"
    return f"declared as {effect}, but {now}"


def _named(names: Sequence[str]) -> str:
    more = f" and {len(names) - _MOST_NAMES} more" if len(names) > _MOST_NAMES else ""
    return f"{', '.join(names[:_MOST_NAMES])}{more}"


def _by_effect(effects: Mapping[str, Effect]) -> dict[Effect, list[str]]:
    names: defaultdict[Effect, list[str]] = defaultdict(list)
    for name, effect in effects.items():
        names[effect].append(name)
    return names


def _row(vectors: Mapping[Effect, Sequence[str]], cases: Mapping[Effect, Json]) -> Row:
    return Row.model_construct(vectors={effect: tuple(names) for effect, names in vectors.items()}, cases=cases)
