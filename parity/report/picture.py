"""The matrix as a picture: a row for each operation, and for each rule in which some runner diverges.

A self-contained SVG that follows the reader's colour scheme; symbols stand beside the colours, and title and
description say what it shows.
"""

import textwrap
from collections.abc import Iterator, Sequence
from itertools import chain, repeat

from parity.judging.records import RuleRecord, RuleVerdict
from parity.report.comparison import Comparison, RuleRow
from parity.report.escaping import escaped
from parity.report.verdicts import VERDICTS, outcome, shown, word
from parity.scorer.printable import printable

_FIRST, _COLUMN, _LINE, _MARGIN = 350, 150, 24, 20
_NAME_WIDTH, _NAME_LINES = 15, 3
_PLURALS: dict[RuleVerdict, str] = {"diverges": "diverge", "agrees": "agree"}
_STYLE = """\
text{font:13px system-ui,"Segoe UI","Noto Sans",sans-serif;fill:#12202c}
.mono{font:12px ui-monospace,"SF Mono","DejaVu Sans Mono",Consolas,monospace}.strong{font-weight:650}
.soft{fill:#4d5c69}.paper{fill:#fff}.band{fill:#e9eff3}.line{stroke:#d3dce3}
.agrees{fill:#0a6a4d}.diverges{fill:#b01f2e}.declared{fill:#855000}.not-claimed,.unknown{fill:#4d5c69}
.not-asked,.undecided{fill:#5f6c77}
@media (prefers-color-scheme:dark){text{fill:#e4ecf2}.soft{fill:#a3b3c0}.paper{fill:#131f2a}.band{fill:#1f2f3d}
.line{stroke:#2a3a48}.agrees{fill:#5ad0a2}.diverges{fill:#ff8f8b}.declared{fill:#f0b95e}
.not-claimed,.unknown{fill:#a3b3c0}.not-asked,.undecided{fill:#94a3b0}}
"""


def picture(comparison: Comparison, *, every_rule: bool = False) -> str:
    """The SVG of one or several reports.

    Args:
        comparison: the reports.
        every_rule: whether to show also the rules in which no runner diverges.
    """
    width = 2 * _MARGIN + _FIRST + _COLUMN * len(comparison.columns)
    drawers = chain(_lines(comparison, every_rule=every_rule), _foot(comparison, width))
    body, top = [], _MARGIN + 8
    for drawn in drawers:
        body.append(f'<g transform="translate({_MARGIN} {top})">{drawn}</g>')
        top += _LINE
    height = top + _MARGIN - 8
    names = ", ".join(f"{column.name} {outcome(column.report)}" for column in comparison.columns)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}" '
        f'role="img" aria-labelledby="title description">\n<title id="title">harbor-parity: rules by runners</title>\n'
        f'<desc id="description">{escaped(names)}.</desc>\n<style>{_STYLE}</style>\n'
        f'<rect class="paper" width="{width}" height="{height}" rx="6"/>\n' + "\n".join(body) + "\n</svg>\n"
    )


def _lines(comparison: Comparison, *, every_rule: bool) -> Iterator[str]:
    names = [_head(column.name) for column in comparison.columns]
    tallest = max(map(len, names))
    for place, line in enumerate(zip(*([""] * (tallest - len(name)) + name for name in names), strict=True), 1):
        yield _line(
            _text(0, "operation" if place == tallest else "", "soft"), [_text(0, each, "strong") for each in line]
        )
    if any(column.label for column in comparison.columns):
        yield _line(_text(0, "", "soft"), [_text(0, column.label, "soft") for column in comparison.columns])
    for operation in comparison.operations:
        rows = comparison.rows_of(operation)
        band = f'<rect class="band" y="-17" x="-8" width="{_wide(comparison)}" height="{_LINE}"/>'
        verdicts = zip(*(row.verdicts for row in rows), strict=True) if rows else repeat((), len(comparison.columns))
        yield band + _line(_text(0, operation, "mono strong"), [_counts(each) for each in verdicts])
        for row in rows:
            if every_rule or _diverges(row):
                yield _line(_text(14, row.rule.slug, "mono"), [_record(each) for each in row.records])


def _wide(comparison: Comparison) -> int:
    return _FIRST + _COLUMN * len(comparison.columns) + 16


def _diverges(row: RuleRow) -> bool:
    return any(verdict in ("diverges", "declared") for verdict in row.verdicts)


def _line(first: str, cells: Sequence[str]) -> str:
    moved = (f'<g transform="translate({_FIRST + place * _COLUMN})">{cell}</g>' for place, cell in enumerate(cells))
    return first + "".join(moved)


def _text(x: int, text: str, kind: str) -> str:
    return f'<text x="{x}" class="{kind}">{escaped(text)}</text>'


def _head(name: str) -> list[str]:
    """A name in as many lines as a column's head may have; the description of the picture has it whole."""
    return textwrap.wrap(printable(name), _NAME_WIDTH, max_lines=_NAME_LINES, placeholder="…") or ["…"]


def _record(record: RuleRecord | None) -> str:
    return _verdict(record.verdict if record else None, word(record))


def _verdict(verdict: RuleVerdict | None, words: str) -> str:
    return f'<text class="{verdict or "unknown"}">{shown(verdict).symbol} {words}</text>'


def _counts(verdicts: Sequence[RuleVerdict | None]) -> str:
    """The gravest verdict on an operation's rules, and how many of them have it."""
    order: tuple[RuleVerdict, ...] = ("diverges", "declared", "agrees", "undecided")
    for verdict in order:
        if count := verdicts.count(verdict):
            plural = _PLURALS.get(verdict, shown(verdict).word)
            return _verdict(verdict, f"{count} of {len(verdicts)} {plural}")
    other: RuleVerdict | None = (
        "not-claimed" if "not-claimed" in verdicts else "not-asked" if "not-asked" in verdicts else None
    )
    return _verdict(other, shown(other).word)


def _foot(comparison: Comparison, width: int) -> Iterator[str]:
    yield ""
    looks = [f'<tspan class="{name}" dx="14">{look.symbol} {look.word}</tspan>' for name, look in VERDICTS.items()]
    yield from (f'<text x="-14">{"".join(row)}</text>' for row in _wrapped(looks, 3 if width < 640 else 5))
    harbors = ", ".join(dict.fromkeys(column.report.reference.harbor for column in comparison.columns))
    kits = ", ".join(dict.fromkeys(column.report.kit for column in comparison.columns))
    notes = [f"harbor {harbors}, harbor-parity {kits}", *comparison.notes]
    for note in notes:
        for line in textwrap.wrap(printable(note), max(30, (width - 2 * _MARGIN) // 7)):
            yield _text(0, line, "soft")


def _wrapped(items: Sequence[str], many: int) -> Iterator[Sequence[str]]:
    yield from (items[start : start + many] for start in range(0, len(items), many))
