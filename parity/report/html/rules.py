"""The matrix of rules by runners, and the strip that shows it at one glance."""

from parity.judging.records import Report, RuleRecord
from parity.report.comparison import Comparison, RuleRow
from parity.report.escaping import escaped
from parity.report.html.markup import code, sentence, table, verdict
from parity.report.verdicts import VERDICTS, counted, word

_ROOM_FOR_WORDS = 4
"""Columns beyond which a cell holds a symbol alone."""


def matrix(comparison: Comparison) -> str:
    """Every rule with its verdict in every report, by operation."""
    wordless = len(comparison.columns) > _ROOM_FOR_WORDS
    head = ["rule", *(code(column.name, "span") for column in comparison.columns)]
    bodies = []
    for operation in comparison.operations:
        rows = comparison.rows_of(operation)
        if rows:
            title = f'<tr><th scope="rowgroup" colspan="{len(head)}"><code>{escaped(operation)}</code></th></tr>'
            cells = "".join(_row(row, wordless=wordless) for row in rows)
            bodies.append(f"<tbody data-group>{title}{cells}</tbody>")
    return _legend() + table("Rules by runners", head, bodies, "matrix")


def _row(row: RuleRow, *, wordless: bool) -> str:
    verdicts = " ".join(dict.fromkeys(each or "unknown" for each in row.verdicts))
    cells = "".join(f"<td>{_cell(record, wordless=wordless)}</td>" for record in row.records)
    return (
        f'<tr data-operation="{escaped(row.rule.operation)}" data-verdicts="{verdicts}">'
        f'<th scope="row">{code(row.rule.slug)}<span class="sentence">{sentence(row.rule.sentence)}</span></th>'
        f"{cells}</tr>"
    )


def _cell(record: RuleRecord | None, *, wordless: bool) -> str:
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
    return verdict(record.verdict, word(record), wordless=wordless) + (
        f'<span class="count">{text}</span>' if text else ""
    )


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
