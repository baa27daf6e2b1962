"""Shows the matrix of rules by runners, the most harmful first, and a strip with one tick for each rule."""

from collections.abc import Callable
from itertools import groupby

from parity.judging.harm import HARMS, harm_word
from parity.judging.records import Report, RuleRecord
from parity.report.comparison import Comparison, RuleRow
from parity.report.html.markup import code, escaped, rule_name, sentence, table, verdict
from parity.report.verdicts import VERDICTS, counted, word

_ROOM_FOR_WORDS = 4
"""The most columns with words in cells without a divergence; with more columns, these have only a symbol."""


type Place = Callable[[int, str], str]
"""A function that returns the link to a column's worst case of a rule, from the column's number and the rule's slug."""


def matrix(comparison: Comparison, place: Place, rules_page: str) -> str:
    """Return a table of all rules with their verdicts in all reports, by the worst harm of any runner.

    Args:
        comparison: the reports.
        place: the link to a worst case.
        rules_page: the file that rules link to; empty for none.
    """
    head = ["rule", *(code(column.name, "span") for column in comparison.columns)]
    bodies = []
    for rank, rows in groupby(sorted(comparison.rows, key=lambda row: row.rank), key=lambda row: row.rank):
        cells = "".join(_row(row, place, rules_page) for row in rows)
        title = f'<tr><th scope="rowgroup" colspan="{len(head)}"><span>{_title(rank)}</span></th></tr>'
        bodies.append(f"<tbody data-group>{title}{cells}</tbody>")
    return _legend() + table("Rules by runners", head, bodies, "matrix")


def _title(rank: int) -> str:
    """Return the title of the rows of a rank."""
    if rank == len(HARMS):
        return "nothing diverges"
    harm = [*HARMS][rank]
    return f"{harm_word(harm)}: {HARMS[harm]}"


def filtered(row: RuleRow) -> str:
    """Return the attributes of a rule's row that the filters use."""
    verdicts = " ".join(dict.fromkeys(each or "unknown" for each in row.verdicts))
    return f'data-operation="{escaped(row.rule.operation)}" data-verdicts="{verdicts}"'


def _row(row: RuleRow, place: Place, rules_page: str) -> str:
    wordless = len(row.records) > _ROOM_FOR_WORDS
    cells = "".join(
        f"<td>{_cell(record, place(number, row.rule.slug), wordless=wordless)}</td>"
        for number, record in enumerate(row.records)
    )
    return (
        f"<tr {filtered(row)}>"
        f'<th scope="row">{rule_name(row.rule.slug, rules_page)} '
        f'<span class="count">{escaped(row.rule.operation)}</span>'
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
    """Return a strip with a tick for every rule, by operation, and the number of rules of each verdict."""
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
