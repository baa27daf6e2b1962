"""Shows the verdicts of a report: the rules that do not agree, and a line about the run, as text or as Markdown."""

import re
from collections.abc import Iterator

from parity.operations.printable import printable
from parity.suite.harm import HARMS, counted, harm_word, harms_in_words, rank
from parity.suite.records import Report, RuleRecord, RuleVerdict
from parity.suite.verdict import WRONG_SHAPE

VERDICTS: dict[RuleVerdict, tuple[str, str]] = {
    "agrees": ("✓", "agrees"),
    "diverges": ("✗", "diverges"),
    "declared": ("≈", "declared"),
    "not-claimed": ("–", "not claimed"),
    "not-asked": ("·", "not asked"),
}
"""The symbol and the word of each verdict on a rule."""


def as_text(report: Report) -> str:
    """Return the rules that do not agree, and a line about the run."""
    rows = list(_rows(report))
    width = max((len(name) for name, _ in rows), default=0)
    lines = [f"{name:<{width}}  {verdict}" for name, verdict in rows]
    return "\n".join([*lines, *([""] if lines else []), _summary(report), ""])


def as_markdown(report: Report) -> str:
    """Return the rules that do not agree as a table, and a line about the run. Special characters are escaped."""
    rows = [f"| {_escaped(name)} | {_escaped(verdict)} |" for name, verdict in _rows(report)]
    table = ["| rule | verdict |", "| --- | --- |", *rows, ""] if rows else []
    return "\n".join([*table, _escaped(_summary(report)), ""])


def _rows(report: Report) -> Iterator[tuple[str, str]]:
    """Yield a name and a verdict for each rule that does not agree, the most harmful of an operation first.

    An operation without any answer gets one line.
    """
    for operation in report.operations:
        rules = [rule for rule in report.rules if rule.operation == operation.name]
        verdicts = {rule.verdict for rule in rules}
        if len(verdicts) == 1 and not verdicts & {"agrees", "diverges", "declared"}:
            yield printable(operation.name), _verdict(rules[0])
            continue
        for rule in sorted(rules, key=lambda each: rank(each.harm) if each.harm else len(HARMS)):
            if rule.verdict != "agrees":
                yield printable(rule.slug), _verdict(rule)


def _verdict(rule: RuleRecord) -> str:
    """Return the symbol of a verdict and a word: the harm if the rule diverges, declared or not; else the verdict."""
    symbol, word = VERDICTS[rule.verdict]
    return f"{symbol} {harm_word(rule.harm) if rule.harm else word}"


def _summary(report: Report) -> str:
    counts = {word: sum(rule.verdict == verdict for rule in report.rules) for verdict, (_, word) in VERDICTS.items()}
    listed = ", ".join(f"{word} {count}" for word, count in counts.items() if count)
    return printable(f"{report.runner.name} {outcome(report)} ({counted(len(report.rules), 'rule')}: {listed})")


def outcome(report: Report) -> str:
    """Return the verdict on a run, as the predicate of a sentence about the runner."""
    harbor = f"harbor {report.reference.harbor}"
    if report.settings.golden_only:
        asked = sum(each.vectors for each in report.operations)
        if report.final.verdict == "agrees":
            answers = f"{asked:,} recorded answer{'' if asked == 1 else 's'}"
            return f"agrees with {answers} of {harbor}; the wheel and generated cases decide"
        harbor = f"the recorded answers of {harbor}"
    match report.final.verdict:
        case "agrees":
            return f"agrees with {harbor}"
        case "diverges":
            misshapen = [each.name for each in report.operations if each.verdict == WRONG_SHAPE]
            shapes = [f"wrong shape of all answers to {', '.join(misshapen)}"] if misshapen else []
            return f"diverges from {harbor}: {'; '.join([*filter(None, [_harms(report, 'diverges')]), *shapes])}"
        case "diverges as declared":
            harms = _harms(report, "declared")
            return f"diverges from {harbor} only as declared{f': {harms}' if harms else ''}"
    return f"against {harbor}: undecided"


def _harms(report: Report, verdict: RuleVerdict) -> str:
    return harms_in_words([rule.harm for rule in report.rules if rule.verdict == verdict and rule.harm])


def _escaped(text: str) -> str:
    return re.sub(r"([\\`*_|<>\[\]&#~])", r"\\\1", text)
