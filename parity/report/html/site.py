"""Makes the site: a page of all runners and a page for every record, as plain files that need no network."""

import re
from collections.abc import Sequence
from itertools import pairwise

from parity.judging.harm import HARMS, harm_word, rules_in_words
from parity.judging.records import RuleVerdict
from parity.report.comparison import Column, Comparison, side_by_side
from parity.report.escaping import escaped
from parity.report.history import Change, Contender, Record, change, field_of, harms
from parity.report.html.markup import code, table, verdict
from parity.report.html.page import document, filters, page, rules_section
from parity.report.verdicts import counted, outcome

INDEX = "index.html"
_LONGEST_NAME = 60


def site(records: Sequence[Record]) -> dict[str, str]:
    """Return the files of a site by their names.

    Args:
        records: one or more records; several of one runner are its history.
    """
    field = field_of(records)
    comparison = side_by_side([(each.newest.path, each.newest.report) for each in field])
    names = _file_names([record for each in field for record in each.records])
    files = {INDEX: _index(field, comparison, names)}
    for contender in field:
        for record in contender.records:
            shown = side_by_side([(record.path, record.report)])
            files[names[id(record)]] = page(shown, _history(contender, record, names))
    return files


def _file_names(records: Sequence[Record]) -> dict[int, str]:
    """Return the name of each record's page, from the runner's name and the record's date."""
    names: dict[int, str] = {}
    for record in records:
        runner = " ".join(filter(None, [record.report.runner.name, record.report.runner.version]))
        stem = re.sub(r"[^a-z0-9.]+", "-", runner.lower()).strip("-.")[:_LONGEST_NAME] or "runner"
        name, number = f"{stem}-{record.day}.html", 1
        while name in names.values():
            number += 1
            name = f"{stem}-{record.day}-{number}.html"
        names[id(record)] = name
    return names


def _index(field: Sequence[Contender], comparison: Comparison, names: dict[int, str]) -> str:
    pages = [names[id(each.newest)] for each in field]
    harbor = ", ".join(sorted({each.newest.report.reference.harbor for each in field}))
    title = f"{len(field)} runner{'s' * (len(field) > 1)} against harbor {harbor}"
    notes = "".join(f"<li>{escaped(note)}</li>" for note in comparison.notes)
    main = (
        f'<section id="runners"><h2>Runners</h2>{_runners(field, comparison.columns, pages)}</section>'
        f"{filters(comparison)}{rules_section(comparison, [f'{each}#' for each in pages])}"
        f"{f'<section><h2>Notes</h2><ul>{notes}</ul></section>' if notes else ''}"
    )
    return document(title, f"<h1>{title}</h1>", main, "field")


def _runners(field: Sequence[Contender], columns: Sequence[Column], pages: Sequence[str]) -> str:
    """Return a table with a row for each runner: the number of rules by harm, the date, and whether it is stale."""
    head = ["runner", *(harm_word(harm) for harm in HARMS), "agrees", "not claimed"]
    rows = []
    for contender, column, href in zip(field, columns, pages, strict=True):
        counts = counted(column.report)
        numbers = [*harms(column.report).values(), counts["agrees"], counts["not-claimed"]]
        cells = "".join(f'<td class="number">{number:,}</td>' for number in numbers)
        earlier = f" and {len(contender.earlier)} earlier" if contender.earlier else ""
        day = f'<span class="count">{contender.newest.day}{earlier}</span>'
        stale = "".join(f'<span class="stale">stale: {escaped(why)}</span>' for why in contender.stale)
        rows.append(
            f"<tr{' class=old' if contender.stale else ''}>"
            f'<th scope="row"><a href="{escaped(href)}">{code(column.name, "bdi")}</a>{day}{stale}</th>{cells}</tr>'
        )
    return table("Runners by harm", head, [f"<tbody>{''.join(rows)}</tbody>"], "standings")


def _history(contender: Contender, shown: Record, names: dict[int, str]) -> str:
    """Return a table of a runner's records, with the rules that changed since the record before, and a link back."""
    back = f'<p><a href="{INDEX}">All runners</a></p>'
    stale = "".join(f'<p class="caveat">Stale: {escaped(why)}.</p>' for why in contender.stale)
    rows = []
    for record, before in [*pairwise(contender.records), (contender.records[-1], None)]:
        here = record is shown
        link = f"<b>{record.day}</b>" if here else f'<a href="{escaped(names[id(record)])}">{record.day}</a>'
        changed = _changed(change(before.report, record.report)) if before else ""
        rows.append(
            f'<tr><th scope="row">{link}</th><td>{escaped(record.report.kit)}</td>'
            f"<td>{escaped(outcome(record.report))}</td><td>{changed}</td></tr>"
        )
    head = ("record", "harbor-parity", "outcome", "since the record before")
    history = table("Records of this runner", head, [f"<tbody>{''.join(rows)}</tbody>"], "history")
    return f'<section id="history"><h2>History</h2>{stale}{history}{back}</section>'


def _changed(found: Change) -> str:
    sides: list[tuple[RuleVerdict, str, tuple[str, ...]]] = [
        ("diverges", "worse:", found.worse),
        ("agrees", "better:", found.better),
    ]
    parts = [
        f"{verdict(kind, f'{rules_in_words(len(slugs))} {what}')} {', '.join(code(slug) for slug in slugs)}"
        for kind, what, slugs in sides
        if slugs
    ]
    return "<br>".join(parts) or "nothing"
