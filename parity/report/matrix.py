"""Rules by runners as plain text."""

from collections.abc import Iterator

from parity.report.comparison import Comparison, Row
from parity.report.escaping import visible
from parity.report.verdicts import VERDICTS, counted, outcome, rules_in_words, shown

_ROOM_FOR_NAMES = 4
"""Columns beyond which runners are numbered."""

_WIDEST_NAME = 32


def text_matrix(comparison: Comparison, *, every_rule: bool = False) -> str:
    """The rules that do not agree in every report, or all of them, and a line for each runner."""
    lines = [*_table(comparison, every_rule=every_rule)]
    return "\n".join([*lines, *([""] if lines else []), *_summaries(comparison), ""])


def is_notable(row: Row) -> bool:
    """Whether some runner does not agree."""
    return any(verdict != "agrees" for verdict in row.verdicts)


def _table(comparison: Comparison, *, every_rule: bool) -> Iterator[str]:
    rows = [row for row in comparison.rows if every_rule or is_notable(row)]
    if not rows:
        return
    heads = _heads(comparison)
    widest = max(len(f"{look.symbol} {look.word}") for look in map(shown, [*VERDICTS, None]))
    widths = [max(len(head), widest) for head in heads]
    first = max(len(row.rule.slug) for row in rows) + 2

    def line(start: str, cells: list[str]) -> str:
        padded = [f"{cell:<{width}}" for cell, width in zip(cells, widths, strict=True)]
        return "  ".join([f"{start:<{first}}", *padded]).rstrip()

    yield line("rule", heads)
    for operation in comparison.operations:
        of_this = [row for row in rows if row.rule.operation == operation]
        if of_this:
            yield operation
        for row in of_this:
            yield line(f"  {row.rule.slug}", [f"{shown(each).symbol} {shown(each).word}" for each in row.verdicts])


def _heads(comparison: Comparison) -> list[str]:
    if len(comparison.columns) > _ROOM_FOR_NAMES:
        return [f"[{number}]" for number in range(1, len(comparison.columns) + 1)]
    return [_short(column.name) for column in comparison.columns]


def _short(name: str) -> str:
    name = visible(name)
    return name if len(name) <= _WIDEST_NAME else f"{name[: _WIDEST_NAME - 1]}…"


def _summaries(comparison: Comparison) -> Iterator[str]:
    numbered = len(comparison.columns) > _ROOM_FOR_NAMES
    for number, column in enumerate(comparison.columns, 1):
        counts = [f"{VERDICTS[name].word} {count}" for name, count in counted(column.report).items() if count]
        start = f"[{number}] " if numbered else ""
        total = rules_in_words(len(column.report.rules))
        yield f"{start}{visible(column.name)} {outcome(column.report)} ({total}: {', '.join(counts)})"
    for note in comparison.notes:
        yield f"note: {visible(note)}"
