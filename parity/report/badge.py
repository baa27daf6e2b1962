"""Draws a flat badge: Harbor's version, the runner, and the verdict."""

from parity.judging.harm import Harm, harms_in_words, worst
from parity.judging.records import Report
from parity.judging.verdict import names_of
from parity.report.html.markup import escaped
from parity.report.verdicts import harms_of
from parity.scorer.printable import printable

_COLOURS = {"agrees": "#0a6a4d", "diverges": "#b01f2e", "diverges as declared": "#855000", "undecided": "#4d5c69"}
_LETTER, _PADDING, _LONGEST_NAME = 6.6, 8, 40


def badge(report: Report) -> str:
    """Return the SVG of a report's badge."""
    left, right = f"harbor {report.reference.harbor}", f"{_runner(report)}: {_outcome(report)}"
    first, second = (round(len(text) * _LETTER) + 2 * _PADDING for text in (left, right))
    colour = _COLOURS[report.final.verdict]
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{first + second}" height="20" role="img" '
        f'aria-labelledby="title">\n<title id="title">{escaped(left)} | {escaped(right)}</title>\n'
        f'<rect width="{first}" height="20" fill="#37434d"/>'
        f'<rect x="{first}" width="{second}" height="20" fill="{colour}"/>\n'
        '<g fill="#fff" font-family="Verdana,DejaVu Sans,sans-serif" font-size="11">\n'
        f"{_text(_PADDING, left, first)}\n{_text(first + _PADDING, right, second)}\n</g>\n</svg>\n"
    )


def _text(x: int, text: str, width: int) -> str:
    return f'<text x="{x}" y="14" textLength="{width - 2 * _PADDING}">{escaped(text)}</text>'


def _runner(report: Report) -> str:
    name = printable(" ".join(filter(None, [report.runner.name, report.runner.version])))
    return name if len(name) <= _LONGEST_NAME else f"{name[: _LONGEST_NAME - 1]}…"


def _outcome(report: Report) -> str:
    """Return the verdict in words, and the classes to which the runner conforms if it does not conform to all.

    It is marked `in part` if only part of the suite was asked.
    """
    final = report.final
    match final.verdict:
        case "diverges":
            label = _worst(harms_of(report)) or "diverges"
        case "diverges as declared":
            count = sum(record.declared is not None for record in report.divergences)
            harms = _worst(harms_of(report, "declared"))
            label = f"{count} declared, {harms}" if harms else f"{count} declared"
        case verdict:
            label = verdict
    if not report.settings.complete:
        return f"{label}, in part"
    if final.verdict == "undecided":
        return label
    conforming = names_of(final.classes, "conforms")
    return f"{label}; conforms: {conforming}" if conforming and {*final.classes.values()} != {"conforms"} else label


def _worst(harms: list[Harm]) -> str:
    """Return the number of rules with the worst harm, and the number of all others."""
    gravest = [harm for harm in harms if harm == worst(harms)]
    more = f", {len(harms) - len(gravest)} more diverge" if len(harms) > len(gravest) else ""
    return f"{harms_in_words(gravest)}{more}"
