"""The matrix of rules by runners, the most harmful first, and the strip that shows it at one glance."""

from collections.abc import Callable
from itertools import groupby

from parity.judging.harm import HARMS, harm_word
from parity.judging.records import Report, RuleRecord
from parity.report.comparison import Comparison, RuleRow
from parity.report.escaping import escaped
from parity.report.html.markup import code, sentence, table, verdict
from parity.report.verdicts import VERDICTS, counted, word

_ROOM_FOR_WORDS = 4
"""Columns beyond which a cell in which nothing diverges holds a symbol alone."""


type Place = Callable[[int, str], str]
"""From the number of a column, from 0, and a rule's slug to where the column's worst case of it is shown."""


def matrix(comparison: Comparison, place: Place) -> str:
    """Every rule with its verdict in every report: by the worst harm that any runner does, then by operation."""
    head = ["rule", *(code(column.name, "span") for column in comparison.columns)]
    bodies = []
    for rank, rows in groupby(sorted(comparison.rows, key=lambda row: row.rank), key=lambda row: row.rank):
        cells = "".join(_row(row, place) for row in rows)
        title = f'<tr><th scope="rowgroup" colspan="{len(head)}"><span>{_title(rank)}</span></th></tr>'
        bodies.append(f"<tbody data-group>{title}{cells}</tbody>")
    return _legend() + table("Rules by runners", head, bodies, "matrix")


def _title(rank: int) -> str:
    """What the rows of a rank have in common."""
    if rank == len(HARMS):
        return "nothing diverges"
    harm = [*HARMS][rank]
    return f"{harm_word(harm)}: {HARMS[harm]}"


def _row(row: RuleRow, place: Place) -> str:
    verdicts = " ".join(dict.fromkeys(each or "unknown" for each in row.verdicts))
    wordless = len(row.records) > _ROOM_FOR_WORDS
    cells = "".join(
        f"<td>{_cell(record, place(number, row.rule.slug), wordless=wordless)}</td>"
        for number, record in enumerate(row.records)
    )
    return (
        f'<tr data-operation="{escaped(row.rule.operation)}" data-verdicts="{verdicts}">'
        f'<th scope="row">{code(row.rule.slug)} <span class="count">{escaped(row.rule.operation)}</span>'
        f'<span class="sentence">{sentence(row.rule.sentence)}</span></th>{cells}</tr>'
    )


def _cell(record: RuleRecord | None, place: str, *, wordless: bool) -> str:
    if record is None:
        return verdict(None, wordless=wordless)
    vectors = record.vectors
    bad = vectors.divergent + vectors.declared
    counts = [
        f"{bad:,} of {vectors.asked:,} vectors" if bad else f"{vectors.asked:,} vectors" if vectors.asked else "",
        f"{record.drawn:,} drawn" if record.drawn else "",
        f"{vectors.elsewhere:,} vectors break other rules" if vectors.elsewhere else "",
    ]
    text = ", ".join(filter(None, counts))
    count = f'<span class="count">{text}</span>' if text else ""
    if record.harm is None:
        return verdict(record.verdict, word(record), wordless=wordless) + count
    return f'<a href="{escaped(place)}">{verdict(record.verdict, word(record))}</a>{count}'


def _legend() -> str:
    items = "".join(f"<li>{verdict(name)}: {look.meaning}</li>" for name, look in VERDICTS.items())
    return f'<ul class="legend">{items}</ul>'


def strip(report: Report) -> str:
    """A tick for every rule, by operation, and how many there are of each verdict in words."""
    groups = []
    for operation in report.operations:
        rules = [rule for rule in report.rules if rule.operation == operation.name]
        ticks = "".join(f'<i class="{rule.verdict}"></i>' for rule in rules)
        groups.append(f"<span>{ticks}</span>" if ticks else "")
    counts = "".join(f"<li>{verdict(name)} {count:,}</li>" for name, count in counted(report).items() if count)
    return (
        f'<div class="strip" aria-hidden="true">{"".join(groups)}</div>'
        f'<ul class="counts" aria-label="Rules by verdict">{counts}</ul>'
    )
