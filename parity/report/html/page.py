"""Puts the page together: head, policy, filters and sections. One shows the runner.

The content security policy forbids all requests, and all scripts except the page's own, by its hash. So markup in a
text has no effect, even if a mistake leaves it unescaped.
"""

from base64 import b64encode
from collections.abc import Iterator, Sequence
from hashlib import sha256
from pathlib import Path

from parity.judging.records import OperationRecord, Report
from parity.judging.verdict import conformance
from parity.report.comparison import Column, Comparison
from parity.report.html.divergence import divergences, places
from parity.report.html.markup import code, escaped, facts, table
from parity.report.html.rules import Place, matrix, strip
from parity.report.verdicts import VERDICTS, caveats, outcome

_HERE = Path(__file__).resolve().parent
_STYLE = (_HERE / "page.css").read_text(encoding="utf-8")
_SCRIPT = (_HERE / "page.js").read_text(encoding="utf-8")
_HASH = b64encode(sha256(_SCRIPT.encode()).digest()).decode()
_POLICY = (
    f"default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-{_HASH}'; base-uri 'none'; form-action 'none'"
)


def page(comparison: Comparison, after: str = "", rules_page: str = "") -> str:
    """Return the page of one report, or of several side by side.

    Args:
        comparison: the reports.
        after: markup for the end of the page.
        rules_page: the file that rules link to; empty for none.
    """
    several = len(comparison.columns) > 1
    title, top = _several(comparison) if several else _single(comparison)
    prefixes = [f"runner-{number}-" if several else "" for number in range(1, len(comparison.columns) + 1)]
    rules = rules_section(comparison, worst_cases(comparison, [f"#{prefix}" for prefix in prefixes]), rules_page)
    parts = [rules, *_runners(comparison)] if several else [findings(comparison.columns[0], 2, "", rules_page), rules]
    return document(title, f"{top}{_contents()}", f"{filters(comparison)}{''.join(parts)}{after}")


def rules_section(comparison: Comparison, place: Place, rules_page: str) -> str:
    """Return the matrix of rules, with links to divergences and to the page of all rules."""
    return f'<section id="rules"><h2>Rules</h2>{matrix(comparison, place, rules_page)}</section>'


def worst_cases(comparison: Comparison, before: Sequence[str]) -> Place:
    """Return the function of the links to each column's worst cases.

    Args:
        comparison: the reports.
        before: for each column, the beginning of its links, before the ids of divergences.
    """
    ids = [places(column.report) for column in comparison.columns]
    return lambda number, slug: before[number] + ids[number].get(slug, "divergences")


def unfinished_page() -> str:
    """Return the page for a run that has not ended; it stays if the run is killed."""
    message = "<h1>This run has not ended</h1><p>If it is not running any more, it was killed: run it again.</p>"
    return _document("harbor-parity: a run that has not ended", f"<main>{message}</main>", "")


def document(title: str, top: str, main: str, kind: str = "") -> str:
    """Return a whole page with the script of the filters.

    Args:
        title: the page's title, as text.
        top: the markup of its header.
        main: the markup of its main part.
        kind: the class of its body.
    """
    header = f'<header class="top"><p class="kicker">harbor-parity report</p>{top}</header>'
    return _document(title, f"{header}<main>{main}</main>", _SCRIPT, kind)


def _document(title: str, body: str, script: str, kind: str = "") -> str:
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        '<meta name="color-scheme" content="light dark">\n'
        f"<title>{escaped(title)}</title>\n<style>\n{_STYLE}</style>\n</head>\n"
        f"<body{f' class="{kind}"' if kind else ''}>\n{body}\n"
        f"{f'<script>{script}</script>' if script else ''}\n</body>\n</html>\n"
    )


def _single(comparison: Comparison) -> tuple[str, str]:
    (column,) = comparison.columns
    return f"{column.name} {outcome(column.report)} (harbor-parity)", verdict_of(column, 1)


def _several(comparison: Comparison) -> tuple[str, str]:
    title = f"{len(comparison.columns)} runners side by side"
    items = "".join(
        f'<li><a href="#runner-{number}">{code(column.name, "bdi")} {escaped(outcome(column.report))}</a></li>'
        for number, column in enumerate(comparison.columns, 1)
    )
    notes = "".join(f'<p class="caveat">{escaped(note)}</p>' for note in comparison.notes)
    return f"{title} (harbor-parity)", f'<h1>{title}</h1>{notes}<ul class="runners">{items}</ul>'


def _runners(comparison: Comparison) -> Iterator[str]:
    for number, column in enumerate(comparison.columns, 1):
        shown = verdict_of(column, 2) + findings(column, 3, f"runner-{number}-", "")
        yield f'<section id="runner-{number}">{shown}</section>'


def _contents() -> str:
    links = '<li><a href="#rules">All rules</a></li>'
    return f'<nav aria-label="Sections"><ul>{links}</ul></nav>'


def filters(comparison: Comparison) -> str:
    """Return the form that filters rules and divergences. It is hidden until the script, which it needs, shows it."""
    operations = "".join(f"<option>{escaped(name)}</option>" for name in comparison.operations)
    verdicts = "".join(f'<option value="{name}">{look.word}</option>' for name, look in VERDICTS.items())
    return (
        '<form id="filters" role="search" hidden>'
        '<label>Search <input name="text" type="search" autocomplete="off"></label>'
        f'<label>Operation <select name="operation"><option value="">all</option>{operations}</select></label>'
        f'<label>Verdict <select name="verdict"><option value="">all</option>{verdicts}</select></label>'
        '<output name="shown" aria-live="polite"></output>'
        "</form>"
    )


def verdict_of(column: Column, level: int) -> str:
    """Return the verdict on a run, its runner and its settings, under a heading of a level."""
    report = column.report
    caveat_lines = "".join(f'<p class="caveat">{escaped(each)}</p>' for each in caveats(report))
    title = f"{code(column.name, 'bdi')} {escaped(outcome(report))}"
    return f'<h{level} class="headline {_class(report)}">{title}</h{level}>{caveat_lines}{strip(report)}{_who(report)}'


def findings(column: Column, level: int, prefix: str, rules_page: str) -> str:
    """Return a run's divergences and operations, under headings of a level; ids begin with the prefix."""
    report = column.report
    return (
        f'<section id="{prefix}divergences"><h{level}>Divergences</h{level}>'
        f"{divergences(report, column.name, level + 1, prefix, rules_page)}</section>"
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
            ("classes", escaped(conformance(report.final.classes, who.harbor))),
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
