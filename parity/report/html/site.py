"""Makes the site: a page of all runners, one of all rules, and one for every report, as files that need no network."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import suppress
from datetime import date
from itertools import groupby
from pathlib import Path

from parity.judging.harm import HARMS, Harm, harm_word, rank, rules_in_words
from parity.judging.records import ClassVerdict, Report, RuleRecord, RuleVerdict
from parity.judging.verdict import CLASSES
from parity.operations.evidence import read_evidence
from parity.report.comparison import Column, Comparison, RuleRow, alone, side_by_side
from parity.report.html.divergence import releases
from parity.report.html.markup import code, escaped, facts, sentence, table, verdict
from parity.report.html.page import document, filters, page, rules_section, worst_cases
from parity.report.html.rules import Place, filtered
from parity.report.verdicts import counted, shown, word

INDEX = "index.html"
_RULES = "rules.html"
_LONGEST_NAME = 60


def site(reports: Sequence[tuple[Path, Report]]) -> dict[str, str]:
    """Return the files of a site by their names.

    Args:
        reports: one or more reports, each with the path of its file.
    """
    ordered = sorted(reports, key=lambda each: [-count for count in _harms(each[1]).values()])
    comparison = side_by_side(ordered)
    names = _file_names(comparison.columns)
    dates = [_date(path) for path, _ in ordered]
    place = worst_cases(comparison, [f"{name}#" for name in names])
    back = f'<p><a href="{INDEX}">All runners</a>, <a href="{_RULES}">all rules</a></p>'
    pages = (page(alone(column.report), back, _RULES) for column in comparison.columns)
    shared = {INDEX: _index(comparison, names, dates, place), _RULES: _rules(comparison, place)}
    return shared | dict(zip(names, pages, strict=True))


def _date(record: Path) -> str:
    """Return the date when a record was written; empty if the file is gone."""
    with suppress(OSError):
        return date.fromtimestamp(record.stat().st_mtime).isoformat()
    return ""


def _harms(report: Report) -> dict[Harm, int]:
    """Return the number of rules with each worst harm, declared or not; the worst harm is first."""
    return {harm: sum(rule.harm == harm for rule in report.rules) for harm in HARMS}


def _file_names(columns: Sequence[Column]) -> list[str]:
    """Return the file name of each report's page, made from the runner's name and version."""
    names = [INDEX, _RULES]
    for column in columns:
        runner = " ".join(filter(None, [column.report.runner.name, column.report.runner.version]))
        stem = re.sub(r"[^a-z0-9.]+", "-", runner.lower()).strip("-.")[:_LONGEST_NAME] or "runner"
        name, number = f"{stem}.html", 1
        while name in names:
            number += 1
            name = f"{stem}-{number}.html"
        names.append(name)
    return names[2:]


def _index(comparison: Comparison, pages: Sequence[str], dates: Sequence[str], place: Place) -> str:
    count = len(comparison.columns)
    harbor = ", ".join(sorted({column.report.reference.harbor for column in comparison.columns}))
    title = f"{count} runner{'s' * (count > 1)} against harbor {harbor}"
    notes = "".join(f"<li>{escaped(note)}</li>" for note in comparison.notes)
    main = (
        f'<section id="runners"><h2>Runners</h2>{_runners(comparison.columns, pages)}</section>'
        f'<section id="classes"><h2>Classes of conformance</h2>{_classes(comparison.columns, pages, dates)}</section>'
        f"{filters(comparison)}{rules_section(comparison, place, _RULES)}"
        f"{f'<section><h2>Notes</h2><ul>{notes}</ul></section>' if notes else ''}"
    )
    link = f'<p><a href="{_RULES}">Each rule, with the runners that break it</a></p>'
    return document(title, f"<h1>{title}</h1>{link}", main, "field")


def _runners(columns: Sequence[Column], pages: Sequence[str]) -> str:
    """Return a table with a row for each runner: the number of rules for each harm, and of rules without one."""
    head = ["runner", *(harm_word(harm) for harm in HARMS), "agrees", "not claimed"]
    rows = []
    for column, href in zip(columns, pages, strict=True):
        counts = counted(column.report)
        numbers = [*_harms(column.report).values(), counts["agrees"], counts["not-claimed"]]
        cells = "".join(f'<td class="number">{number:,}</td>' for number in numbers)
        rows.append(f"<tr>{_runner(column, href)}{cells}</tr>")
    return table("Runners by harm", head, [f"<tbody>{''.join(rows)}</tbody>"], "standings")


def _runner(column: Column, href: str) -> str:
    return f'<th scope="row"><a href="{escaped(href)}">{code(column.name, "bdi")}</a></th>'


def _classes(columns: Sequence[Column], pages: Sequence[str], dates: Sequence[str]) -> str:
    """Return a table with a row for each runner: its classes, what it was asked, and when its record was written."""
    rows = []
    for column, href, day in zip(columns, pages, dates, strict=True):
        claimed = ", ".join(code(each.name) for each in column.report.operations if each.claimed)
        settings = column.report.settings
        how = [f"profile {escaped(settings.profile)}", *(() if settings.complete else ["only a part"]), day]
        asked = f'<td>{claimed} <span class="count">{", ".join(filter(None, how))}</span></td>'
        items = "".join(f"<li>{each}</li>" for each in _verdicts(column.report))
        rows.append(f'<tr>{_runner(column, href)}<td><ul class="broken">{items}</ul></td>{asked}</tr>')
    head = ["runner", "classes", "it was asked"]
    return table("Runners by class of conformance", head, [f"<tbody>{''.join(rows)}</tbody>"], "classes")


_LOOKS: dict[ClassVerdict, RuleVerdict] = {
    "diverges": "diverges",
    "undecided": "undecided",
    "in part": "undecided",
    "conforms": "agrees",
    "not claimed": "not-claimed",
    "not asked": "not-asked",
}
"""The verdicts on classes in order, each with the verdict on a rule that has the same symbol and colour."""


def _verdicts(report: Report) -> Iterator[str]:
    """Yield the verdicts on classes: first each class with a harm, the worst first, then the others together."""
    broken: dict[str, list[RuleRecord]] = {}
    for rule in sorted((rule for rule in report.rules if rule.harm), key=_rank):
        for name in (name for name, operations in CLASSES.items() if rule.operation in operations):
            broken.setdefault(name, []).append(rule)
    for name, rules in broken.items():
        kind: RuleVerdict = "diverges" if any(rule.verdict == "diverges" for rule in rules) else "declared"
        yield f"{verdict(kind, word(rules[0]))} {name} ({rules_in_words(len(rules))} broken)"
    for found, kind in _LOOKS.items():
        if names := [name for name, each in report.final.classes.items() if each == found and name not in broken]:
            yield f"{verdict(kind, found)} {escaped(', '.join(names))}"


def _rank(rule: RuleRecord) -> int:
    return rank(rule.harm) if rule.harm else len(HARMS)


def _rules(comparison: Comparison, place: Place) -> str:
    """Return the page of all rules: a paragraph for each, and the runners that break it."""
    bodies = []
    for operation, rows in groupby(comparison.rows, key=lambda row: row.rule.operation):
        title = f'<tr><th scope="rowgroup" colspan="2"><code>{escaped(operation)}</code></th></tr>'
        bodies.append(f"<tbody data-group>{title}{''.join(_rule(row, comparison, place) for row in rows)}</tbody>")
    title = "Each rule, with the runners that break it"
    rules = table("Rules, each with the runners that break it", ["rule", "runners"], bodies, "matrix by-rule")
    main = f'{filters(comparison)}<section id="rules">{rules}</section><p><a href="{INDEX}">All runners</a></p>'
    return document(title, f"<h1>{title}</h1>", main)


def _rule(row: RuleRow, comparison: Comparison, place: Place) -> str:
    rule, evidence = row.rule, read_evidence().get(row.rule.slug)
    vectors = [("vectors", f"{len(evidence.vectors):,}")] if evidence else []
    broken = [
        (record, f'<a href="{escaped(place(number, rule.slug))}">{code(column.name, "bdi")}</a>')
        for number, (record, column) in enumerate(zip(row.records, comparison.columns, strict=True))
        if record and record.harm
    ]
    broken.sort(key=lambda each: _rank(each[0]))
    items = "".join(f"<li>{verdict(record.verdict, word(record))} {link}</li>" for record, link in broken)
    counts = Counter(shown(each).word for each in row.verdicts if each not in ("diverges", "declared"))
    others = ", ".join(f"{name} {count:,}" for name, count in counts.items())
    return (
        f'<tr id="{escaped(rule.slug)}" {filtered(row)}><th scope="row">{code(rule.slug)}'
        f'<span class="sentence">{sentence(rule.sentence)}</span>'
        f"{facts([('decided by', code(rule.source)), *releases(rule.slug), *vectors])}</th>"
        f'<td>{f'<ul class="broken">{items}</ul>' if items else ""}<span class="count">{others}</span></td></tr>'
    )
