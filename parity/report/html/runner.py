"""Shows one runner: its identity, the reference, the settings, and the result of each operation."""

from parity.judging.records import OperationRecord, Report
from parity.report.comparison import Column
from parity.report.html.divergence import divergences
from parity.report.html.markup import code, escaped, facts, table
from parity.report.html.rules import strip
from parity.report.verdicts import caveats, outcome


def verdict_of(column: Column, level: int) -> str:
    """Return the verdict on a run, its runner and its settings, under a heading of a level."""
    report = column.report
    caveat_lines = "".join(f'<p class="caveat">{escaped(each)}</p>' for each in caveats(report))
    title = f"{code(column.name, 'bdi')} {escaped(outcome(report))}"
    return f'<h{level} class="headline {_class(report)}">{title}</h{level}>{caveat_lines}{strip(report)}{_who(report)}'


def findings(column: Column, level: int, prefix: str = "") -> str:
    """Return a run's divergences and operations, under headings of a level; ids begin with the prefix."""
    report = column.report
    return (
        f'<section id="{prefix}divergences"><h{level}>Divergences</h{level}>'
        f"{divergences(report, column.name, level + 1, prefix)}</section>"
        f"<section><h{level}>Operations</h{level}>{_operations(report)}</section>"
    )


def _class(report: Report) -> str:
    return {"agrees": "agrees", "diverges": "diverges", "diverges as declared": "declared"}.get(
        report.final.verdict, "not-claimed"
    )


def _who(report: Report) -> str:
    who, runner, settings = report.reference, report.runner, report.settings
    known = ", ".join(escaped(each) for each in (runner.version, runner.language) if each)
    limit = "no limit" if settings.case_timeout is None else f"{settings.case_timeout:g} s"
    return facts(
        [
            (
                "reference",
                f"harbor {escaped(who.harbor)} (wheel <code>{escaped(who.wheel[:16])}</code>), "
                f"{escaped(who.implementation)} {escaped(who.python)}, series {escaped(who.series)}, "
                f"pydantic {escaped(who.pydantic)}, pydantic-core {escaped(who.pydantic_core)}",
            ),
            ("runner", f"{code(runner.name, 'bdi')}{f', {known}' if known else ''} ({code(runner.spec)})"),
            (
                "settings",
                f"profile {escaped(settings.profile)}, seed {settings.seed}, a case {limit}, "
                f"hypothesis {escaped(settings.hypothesis)}, {'complete' if settings.complete else 'incomplete'} run, "
                f"exit code {report.final.exit}",
            ),
            ("kit", f"harbor-parity {escaped(report.kit)}"),
        ]
    )


_COLUMNS = ("operation", "verdict", "cases", "comparisons", "vectors", "not claimed", "declared", "failed tests")


def _operations(report: Report) -> str:
    body = "".join(map(_operation, report.operations))
    notes = "".join(
        f"<p>{escaped(each.name)}: {count:,} generated cases skipped: "
        f"no reference for them here ({code(reason, 'span')})</p>"
        for each in report.operations
        for reason, count in each.unanswered.items()
    )
    return table("Operations", _COLUMNS, [f"<tbody>{body}</tbody>"], "operations") + notes


def _operation(record: OperationRecord) -> str:
    counts = (
        record.cases,
        record.comparisons,
        record.vectors,
        record.not_claimed,
        record.declared,
        record.failures,
    )
    cells = "".join(f'<td class="number">{count:,}</td>' for count in counts)
    return f'<tr><th scope="row"><code>{escaped(record.name)}</code></th><td>{escaped(record.verdict)}</td>{cells}</tr>'
