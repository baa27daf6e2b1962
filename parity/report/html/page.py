"""Puts the page together: head, policy, filters and sections; one section has the drawn cases by flag.

The content security policy forbids all requests, and all scripts but the page's own, by its hash. So markup that
escaped escaping would have no effect.
"""

from base64 import b64encode
from collections.abc import Iterator, Sequence
from hashlib import sha256
from pathlib import Path

from parity.judging.records import Report
from parity.operations.rules import FLAGS
from parity.report.comparison import Comparison
from parity.report.html.divergence import places
from parity.report.html.markup import code, escaped, sentence, table
from parity.report.html.rules import matrix
from parity.report.html.runner import findings, verdict_of
from parity.report.verdicts import VERDICTS, outcome

_HERE = Path(__file__).resolve().parent
_STYLE = (_HERE / "page.css").read_text(encoding="utf-8")
_SCRIPT = (_HERE / "page.js").read_text(encoding="utf-8")
_HASH = b64encode(sha256(_SCRIPT.encode()).digest()).decode()
_POLICY = (
    f"default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-{_HASH}'; base-uri 'none'; form-action 'none'"
)


def page(comparison: Comparison, after: str = "") -> str:
    """Return the page of one report, or of several side by side; `after` is markup for its end."""
    several = len(comparison.columns) > 1
    title, top = _several(comparison) if several else _single(comparison)
    prefixes = [f"runner-{number}-" if several else "" for number in range(1, len(comparison.columns) + 1)]
    rules = rules_section(comparison, [f"#{prefix}" for prefix in prefixes])
    carried = f'<section id="flags"><h2>Drawn cases by flag</h2>{flags(comparison)}</section>'
    parts = [rules, *_runners(comparison)] if several else [findings(comparison.columns[0], 2), rules]
    return document(title, f"{top}{_contents()}", f"{filters(comparison)}{''.join(parts)}{carried}{after}")


def rules_section(comparison: Comparison, before: Sequence[str]) -> str:
    """Return the matrix of rules, with links from its cells to divergences.

    Args:
        comparison: the reports.
        before: for each column, the beginning of its links, before the ids of divergences.
    """
    ids = [places(column.report) for column in comparison.columns]
    shown = matrix(comparison, lambda number, slug: before[number] + ids[number].get(slug, "divergences"))
    return f'<section id="rules"><h2>Rules</h2>{shown}</section>'


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
        shown = verdict_of(column, 2) + findings(column, 3, f"runner-{number}-")
        yield f'<section id="runner-{number}">{shown}</section>'


def _contents() -> str:
    links = '<li><a href="#rules">All rules</a></li><li><a href="#flags">Cases by flag</a></li>'
    return f'<nav aria-label="Sections"><ul>{links}</ul></nav>'


def filters(comparison: Comparison) -> str:
    """Return the form that filters rules and divergences; the script shows it, because it needs the script."""
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
