"""Tables of the releases of Harbor: their answers that differ from 0.13.1's."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from parity.drift.shown import vectors_by_harm
from parity.drift.table import OtherAnswer, Table, read_table
from parity.judging.divergence import shortened, show_answer
from parity.judging.harm import Harm, harms_in_words, rank, worst
from parity.operations import OPERATIONS
from parity.operations.goldens import read_entries, recorded_answer
from parity.operations.operation import decode_answer
from parity.operations.rules import RULES
from parity.operations.wire import Json, canonical
from parity.scorer.series import OFFICIAL
from tests.readme.tables import table

_WIDTH = 100
_MILD: tuple[Harm, ...] = ("last-bits", "form")


@dataclass(frozen=True)
class _Other:
    """An answer that differs from 0.13.1's, and its vector."""

    operation: str
    vector: str
    answer: OtherAnswer

    @property
    def size(self) -> int:
        return len(canonical(_entries(self.operation)[self.vector]["input"]))


def releases() -> str:
    """Return a table with the number of different answers of each release, and the operations that it lacks."""
    kept = read_table()
    rows = []
    for name, known in kept.releases.items():
        rules = _by_rule(kept, name)
        moved = sum(map(len, rules.values()))
        harms = harms_in_words(_worst(others) for others in rules.values()) or "none"
        lacks = ", ".join(f"`{lack.operation}`{_part(lack.vectors)}" for lack in known.lacks) or "nothing"
        rows.append(f"| {name} | {moved:,} | {harms} | {lacks} |")
    return table("| release | vectors that move | rules that move | not claimed |", rows)


def moved_rules() -> str:
    """Return a table of rules by which scores change: the releases, the vectors, and the smallest case."""
    kept = read_table()
    found: dict[tuple[str, Harm], dict[str, list[_Other]]] = {}
    for name in kept.releases:
        for slug, others in _by_rule(kept, name).items():
            found.setdefault((slug, _worst(others)), {})[name] = others
    order = list(RULES)
    rows = []
    graver = [key for key in found if key[1] not in _MILD]
    for slug, harm in sorted(graver, key=lambda key: (rank(key[1]), order.index(key[0]))):
        by_release = found[slug, harm]
        distinct = {(each.vector, each.answer.harm): each for those in by_release.values() for each in those}
        smallest = min(
            (other for other in distinct.values() if other.answer.harm == harm), key=lambda other: other.size
        )
        vectors = vectors_by_harm(other.answer.harm for other in distinct.values())
        rows.append(f"| `{slug}` | {kept.named(by_release)} | {vectors} | {_shown(smallest)} |")
    return table("| rule | releases | vectors | smallest case of the worst | 0.13.1 | instead |", rows)


def _by_rule(kept: Table, release: str) -> dict[str, list[_Other]]:
    rules: dict[str, list[_Other]] = {}
    for operation, vector, answer in kept.others():
        if release in answer.releases:
            rules.setdefault(answer.rule, []).append(_Other(operation, vector, answer))
    return rules


def _worst(others: Iterable[_Other]) -> Harm:
    return worst(other.answer.harm for other in others)


def _part(vectors: Sequence[str] | None) -> str:
    return "" if vectors is None else f" ({len(vectors)} vectors)"


def _shown(other: _Other) -> str:
    """Return the case, or the vector's id if that is shorter, and both answers, or their difference."""
    operation = OPERATIONS[other.operation]
    entry = _entries(other.operation)[other.vector]
    case = operation.describe(operation.decode(entry["input"]))
    cells = [case if len(case) <= _WIDTH else other.vector]
    if other.answer.answer is None:
        return f"{_code(cells[0])} | | {other.answer.summary.replace('|', '&#124;')}"
    cells += [_answer(operation, recorded_answer(entry, OFFICIAL)), _answer(operation, other.answer.answer)]
    return " | ".join(_code(shortened(cell, _WIDTH)) for cell in cells)


def _answer(operation: Any, answer: Json) -> str:
    return show_answer(decode_answer(operation, answer))


def _code(text: str) -> str:
    """Return a text as code in a cell of a table, whatever its characters."""
    fence = "``" if "`" in text else "`"
    return f"{fence} {text} {fence}".replace("|", "\\|") if fence == "``" else f"`{text}`".replace("|", "\\|")


_entries = cache(read_entries)
