"""Shows how many drawn cases carried each flag, and why such cases are hard."""

from parity.judging.records import Report
from parity.operations.rules import FLAGS
from parity.report.comparison import Comparison
from parity.report.escaping import escaped
from parity.report.html.markup import code, sentence, table


def flags(comparison: Comparison) -> str:
    """Return a table of all flags of all operations, with a column for each report."""
    head = ["flag", *(code(column.name, "span") for column in comparison.columns)]
    bodies = []
    for operation in comparison.operations:
        counts = [_counts(column.report, operation) for column in comparison.columns]
        names = dict.fromkeys(flag for each in counts for flag in each)
        rows = "".join(_row(operation, flag, [each.get(flag) for each in counts]) for flag in names)
        if rows:
            title = f'<tr><th scope="rowgroup" colspan="{len(head)}"><code>{escaped(operation)}</code></th></tr>'
            bodies.append(f"<tbody data-group>{title}{rows}</tbody>")
    return table("Drawn cases by flag", head, bodies, "matrix")


def _counts(report: Report, operation: str) -> dict[str, int]:
    return next((each.flags for each in report.operations if each.name == operation), {})


def _row(operation: str, flag: str, counts: list[int | None]) -> str:
    why = FLAGS.get(operation, {}).get(flag, "")
    cells = "".join(f'<td class="number">{"" if count is None else f"{count:,}"}</td>' for count in counts)
    return (
        f'<tr data-operation="{escaped(operation)}"><th scope="row">{code(flag)}'
        f'<span class="sentence">{sentence(why)}</span></th>{cells}</tr>'
    )
