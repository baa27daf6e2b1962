"""Shows rules by runners as plain text or Markdown."""

import re
from collections.abc import Iterator

from parity.judging.harm import rules_in_words
from parity.report.comparison import Comparison, RuleRow
from parity.report.verdicts import VERDICTS, counted, outcome, shown, word
from parity.scorer.printable import printable

_ROOM_FOR_NAMES = 4
"""The most columns that have the names of runners; with more columns, runners are numbered."""

_WIDEST_NAME = 32


def text_matrix(comparison: Comparison, *, every_rule: bool = False) -> str:
    """Return the rules that do not agree in every report, or all rules, and a line for each runner.

    An operation without divergences, and with one verdict for all its rules, takes one line.
    """
    lines = [*_table(comparison, every_rule=every_rule)]
    return "\n".join([*lines, *([""] if lines else []), *map(printable, _summaries(comparison)), ""])


def markdown_matrix(comparison: Comparison, *, every_rule: bool = False) -> str:
    """Return the matrix as Markdown: a table and a list of the runners. Markdown's special characters are escaped."""
    entries = list(_entries(comparison, every_rule=every_rule))
    rows = [("rule", _heads(comparison)), ("---", ["---"] * len(comparison.columns))] if entries else []
    rows += [(label.strip(), cells or [""] * len(comparison.columns)) for label, cells in entries]
    table = [f"| {' | '.join(_plain(each) for each in [label, *cells])} |" for label, cells in rows]
    return "\n".join([*table, "", *(f"- {_plain(printable(each))}" for each in _summaries(comparison)), ""])


def _plain(text: str) -> str:
    return text if text == "---" else re.sub(r"([\\`*_|<>\[\]&#~])", r"\\\1", text)


def _table(comparison: Comparison, *, every_rule: bool) -> list[str]:
    entries = list(_entries(comparison, every_rule=every_rule))
    if not entries:
        return []
    lines = [("rule", _heads(comparison)), *entries]
    first = max(len(label) for label, _ in lines)
    widths = [max(map(len, cells)) for cells in zip(*(cells for _, cells in lines if cells), strict=True)]
    padded = (
        [f"{label:<{first}}", *(f"{cell:<{width}}" for cell, width in zip(cells, widths, strict=False))]
        for label, cells in lines
    )
    return ["  ".join(cells).rstrip() for cells in padded]


def _entries(comparison: Comparison, *, every_rule: bool) -> Iterator[tuple[str, list[str]]]:
    """Yield the label and the cells of each line; a heading has no cells."""
    for operation in comparison.operations:
        rows = comparison.rows_of(operation)
        shown_rows = [row for row in rows if every_rule or any(verdict != "agrees" for verdict in row.verdicts)]
        if shown_rows and not every_rule and _are_alike(rows):
            yield printable(operation), _cells(rows[0])
        elif shown_rows:
            yield printable(operation), []
            yield from ((f"  {printable(row.rule.slug)}", _cells(row)) for row in shown_rows)


def _are_alike(rows: list[RuleRow]) -> bool:
    """Return whether nothing diverges, and each runner has the same verdict on all the rules."""
    verdicts = {row.verdicts for row in rows}
    return len(verdicts) == 1 and not {"diverges", "declared"}.intersection(*verdicts)


def _cells(row: RuleRow) -> list[str]:
    return [
        f"{shown(verdict).symbol} {word(record)}" for verdict, record in zip(row.verdicts, row.records, strict=True)
    ]


def _heads(comparison: Comparison) -> list[str]:
    if _numbered(comparison):
        return [f"[{number}]" for number in range(1, len(comparison.columns) + 1)]
    return [_short(column.name) for column in comparison.columns]


def _numbered(comparison: Comparison) -> bool:
    """Return whether columns are numbered, because names do not fit or are the same when shortened."""
    names = {_short(column.name) for column in comparison.columns}
    return len(comparison.columns) > _ROOM_FOR_NAMES or len(names) < len(comparison.columns)


def _short(name: str) -> str:
    name = printable(name)
    return name if len(name) <= _WIDEST_NAME else f"{name[: _WIDEST_NAME - 1]}…"


def _summaries(comparison: Comparison) -> Iterator[str]:
    numbered = _numbered(comparison)
    for number, column in enumerate(comparison.columns, 1):
        counts = [f"{VERDICTS[name].word} {count}" for name, count in counted(column.report).items() if count]
        start = f"[{number}] " if numbered else ""
        total = rules_in_words(len(column.report.rules))
        yield f"{start}{column.short} {outcome(column.report)} ({total}: {', '.join(counts)})"
    for note in comparison.notes:
        yield f"note: {note}"
