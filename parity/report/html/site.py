"""Makes the site: a page of all runners and a page for every report, as plain files that need no network."""

import re
from collections.abc import Sequence
from pathlib import Path

from parity.judging.harm import HARMS, Harm, harm_word
from parity.judging.records import Report
from parity.report.comparison import Column, Comparison, alone, side_by_side
from parity.report.html.markup import code, escaped, table
from parity.report.html.page import document, filters, page, rules_section
from parity.report.verdicts import counted

INDEX = "index.html"
_LONGEST_NAME = 60


def site(reports: Sequence[tuple[Path, Report]]) -> dict[str, str]:
    """Return the files of a site by their names.

    Args:
        reports: one or more reports, each with the path of its file.
    """
    ordered = sorted(reports, key=lambda each: [-count for count in _harms(each[1]).values()])
    comparison = side_by_side(ordered)
    names = _file_names(comparison.columns)
    back = f'<p><a href="{INDEX}">All runners</a></p>'
    pages = (page(alone(column.report), back) for column in comparison.columns)
    return {INDEX: _index(comparison, names)} | dict(zip(names, pages, strict=True))


def _harms(report: Report) -> dict[Harm, int]:
    """Return the number of rules with each worst harm, declared or not; the worst harm is first."""
    return {harm: sum(rule.harm == harm for rule in report.rules) for harm in HARMS}


def _file_names(columns: Sequence[Column]) -> list[str]:
    """Return the file name of each report's page, made from the runner's name and version."""
    names = [INDEX]
    for column in columns:
        runner = " ".join(filter(None, [column.report.runner.name, column.report.runner.version]))
        stem = re.sub(r"[^a-z0-9.]+", "-", runner.lower()).strip("-.")[:_LONGEST_NAME] or "runner"
        name, number = f"{stem}.html", 1
        while name in names:
            number += 1
            name = f"{stem}-{number}.html"
        names.append(name)
    return names[1:]


def _index(comparison: Comparison, pages: Sequence[str]) -> str:
    count = len(comparison.columns)
    harbor = ", ".join(sorted({column.report.reference.harbor for column in comparison.columns}))
    title = f"{count} runner{'s' * (count > 1)} against harbor {harbor}"
    notes = "".join(f"<li>{escaped(note)}</li>" for note in comparison.notes)
    main = (
        f'<section id="runners"><h2>Runners</h2>{_runners(comparison.columns, pages)}</section>'
        f"{filters(comparison)}{rules_section(comparison, [f'{each}#' for each in pages])}"
        f"{f'<section><h2>Notes</h2><ul>{notes}</ul></section>' if notes else ''}"
    )
    return document(title, f"<h1>{title}</h1>", main, "field")


def _runners(columns: Sequence[Column], pages: Sequence[str]) -> str:
    """Return a table with a row for each runner: the number of rules for each harm, and of rules without one."""
    head = ["runner", *(harm_word(harm) for harm in HARMS), "agrees", "not claimed"]
    rows = []
    for column, href in zip(columns, pages, strict=True):
        counts = counted(column.report)
        numbers = [*_harms(column.report).values(), counts["agrees"], counts["not-claimed"]]
        cells = "".join(f'<td class="number">{number:,}</td>' for number in numbers)
        link = f'<a href="{escaped(href)}">{code(column.name, "bdi")}</a>'
        rows.append(f'<tr><th scope="row">{link}</th>{cells}</tr>')
    return table("Runners by harm", head, [f"<tbody>{''.join(rows)}</tbody>"], "standings")
