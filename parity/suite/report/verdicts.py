"""Shows the verdicts of reports: as text for each run, or as one table of all runners in Markdown."""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from datetime import datetime

from parity.operations.printable import printable
from parity.suite.display_order import Place, place_of
from parity.suite.harm import HARMS, Harm, counted, harm_word, harms_in_words, rank
from parity.suite.records import Report, RuleRecord, RuleVerdict
from parity.suite.report.reading import run_of
from parity.suite.run import COMPARED, answered_vectors, diverging_vectors, grouped, total
from parity.suite.verdict import WRONG_SHAPE, conforming

VERDICTS: dict[RuleVerdict, tuple[str, str]] = {
    "agrees": ("✓", "agrees"),
    "diverges": ("✗", "diverges"),
    "declared": ("≈", "declared"),
    "not-claimed": ("–", "not claimed"),
    "not-asked": ("·", "not asked"),
}
"""The symbol and the word of each verdict on a rule."""


def as_text(report: Report) -> str:
    """Return the rules that do not agree, the operations not claimed or not asked, and a line about the run."""
    broken = _broken(report)
    width = max((len(printable(rule.slug)) for rule in broken), default=0)
    lines = [f"{printable(rule.slug):<{width}}  {_verdict(rule)}" for rule in broken]
    lines += [printable(line) for line in unanswered(report)]
    return "\n".join([*lines, *([""] if lines else []), _summary(report), ""])


def as_markdown(reports: Sequence[Report]) -> str:
    """Return a table with a row for each report; below it broken rules, declared reasons and unclaimed operations.

    A column that would be empty is left out. Special characters are escaped.
    """
    columns = {head: [cell(report) for report in reports] for head, cell in _COLUMNS.items()}
    filled = {head: cells for head, cells in columns.items() if any(cells) or head == "runner"}
    lines = [*_table(list(filled), zip(*filled.values(), strict=True))]
    for report in reports:
        lines += ["", *_broken_table(report)] if any(rule.verdict == "diverges" for rule in report.rules) else []
    for report in reports:
        lines += ["", *reasons] if (reasons := list(_reasons(report))) else []
    alike: dict[str, list[str]] = {}
    for report in reports:
        for line in unanswered(report):
            alike.setdefault(line, []).append(report.runner.name)
    for line, names in alike.items():
        of = f" ({', '.join(names)})" if len(reports) > 1 else ""
        lines += ["", _escaped(f"{line}{of}")]
    return "\n".join([*lines, ""])


def newest(reports: Sequence[Report]) -> list[Report]:
    """Return the newest report of each runner and release of Harbor.

    A runner is known by its name, and by the option that started it. A report that is given twice is returned once.
    """
    latest: dict[tuple[str, ...], datetime] = {}
    for report in reports:
        time = datetime.fromisoformat(report.started_at)
        latest[_runner(report)] = max(time, latest.get(_runner(report), time))
    kept: list[Report] = []
    for report in reports:
        if datetime.fromisoformat(report.started_at) == latest[_runner(report)] and report not in kept:
            kept.append(report)
    return kept


def _runner(report: Report) -> tuple[str, ...]:
    return report.runner.name, report.runner.spec, report.reference.harbor


def unanswered(report: Report) -> Iterator[str]:
    """Yield a line for all that was not claimed, and a line for all that was not asked.

    Operations without an answer are listed by their names, and others by their number of rules without one.
    """
    verdicts: tuple[RuleVerdict, ...] = ("not-claimed", "not-asked")
    for verdict in verdicts:
        names = []
        for operation in report.operations:
            rules = [rule.verdict for rule in report.rules if rule.operation == operation.name]
            if operation.verdict == WRONG_SHAPE:
                continue  # it was asked, although no rule is named
            if rules and set(rules) == {verdict}:
                names.append(operation.name)
            elif verdict in rules:
                names.append(f"{counted(rules.count(verdict), 'rule')} of {operation.name}")
        if names:
            yield f"{VERDICTS[verdict][1]}: {', '.join(names)}"


def conformance_of(report: Report) -> str:
    """Return the classes to which the runner conforms, or why that is undecided, in words."""
    if report.settings.golden_only:
        return "undecided: the wheel was not asked"
    if report.final.ended == "interrupted":
        return "undecided: the run was interrupted"
    if not report.settings.complete:
        counts = grouped(run_of(report).counts, lambda each: each.operation)
        names = [name for each in report.operations if total(counts[name := each.name], *COMPARED)]
        return f"undecided: a part of the suite was asked{f' ({", ".join(names)})' if names else ''}"
    return conforming(report.final.classes)


def outcome(report: Report) -> str:
    """Return the verdict on a run, as the predicate of a sentence about the runner."""
    harbor = f"harbor {report.reference.harbor}"
    if report.settings.golden_only:
        if report.final.verdict == "agrees":
            return f"agrees with {_recorded(report)} of {harbor}; the wheel and generated cases decide"
        harbor = f"the recorded answers of {harbor}"
    match report.final.verdict:
        case "agrees":
            return f"agrees with {harbor}"
        case "diverges":
            return f"diverges from {harbor}: {_divergences(report)}"
        case "diverges as declared":
            harms = _harms(report, "declared")
            return f"diverges from {harbor} only as declared{f': {harms}' if harms else ''}"
    return f"against {harbor}: undecided"


def _verdict_cell(report: Report) -> str:
    match report.final.verdict:
        case "agrees" if report.settings.golden_only:
            return f"agrees with {_recorded(report)}"
        case "diverges":
            return f"diverges: {_divergences(report)}"
    return report.final.verdict


_COLUMNS: dict[str, Callable[[Report], str]] = {
    "runner": lambda report: report.runner.name,
    "version": lambda report: report.runner.version or "",
    "language": lambda report: report.runner.language or "",
    "reference": lambda report: f"harbor {report.reference.harbor}{', golden' if report.settings.golden_only else ''}",
    "verdict": _verdict_cell,
    "declared": lambda report: _harms(report, "declared"),
    "conforms to": conformance_of,
    "asked": lambda report: report.started_at[:10],
    "kit": lambda report: f"{report.kit}, {report.settings.profile}",
}
"""The columns of the table in Markdown, each with the cell of a report."""


def _broken(report: Report) -> list[RuleRecord]:
    """Return the rules that diverge, declared or not, in the order of display.

    As in the terminal, the rules come first under which divergences are shown, with the harm of those.
    """
    run = run_of(report)
    rules = {rule.slug: rule for rule in report.rules}
    harms: dict[str, Harm] = {}
    for each in run.divergences:
        if each.declared is None and each.shown in rules:
            harms.setdefault(each.shown, each.harm)
    displayed = [replace(rules[slug], verdict="diverges", harm=harm) for slug, harm in harms.items()]
    vectors = diverging_vectors(run.counts)

    def place(rule: RuleRecord) -> Place:
        return place_of(rule.slug, rule.harm or HARMS[-1], *vectors(rule.slug))

    others = (each for each in report.rules if each.verdict in ("diverges", "declared") and each.slug not in harms)
    return [*displayed, *sorted(others, key=place)]


def _broken_table(report: Report) -> list[str]:
    rules = [(rule.slug, _verdict(rule)) for rule in _broken(report) if rule.verdict == "diverges"]
    return _table([f"rule, by {report.runner.name}", "verdict"], rules)


def _reasons(report: Report) -> Iterator[str]:
    """Yield a line for each declared reason of a runner, with the rules that it is about."""
    about: dict[tuple[str, str], dict[str, str]] = {}
    for each in sorted(report.divergences, key=lambda each: rank(each.harm)):
        if each.declared:
            rules = about.setdefault((each.declared.class_, each.declared.reason), {})
            rules.setdefault(each.rule, f"{each.rule} ({harm_word(each.harm)})")
    without = [
        rule.slug
        for rule in report.rules
        if rule.verdict == "declared" and not any(rule.slug in rules for rules in about.values())
    ]
    lines = [f"{class_}: {reason}: {', '.join(rules.values())}" for (class_, reason), rules in about.items()]
    lines += [f"declared, but the record has no case of it: {', '.join(without)}"] if without else []
    yield from (f"- {_escaped(f'{report.runner.name}, {line}')}" for line in lines)


def _verdict(rule: RuleRecord) -> str:
    """Return the symbol of a verdict and a word: the harm if the rule diverges, declared or not; else the verdict."""
    symbol, word = VERDICTS[rule.verdict]
    return f"{symbol} {harm_word(rule.harm) if rule.harm else word}"


def _summary(report: Report) -> str:
    counts = {word: sum(rule.verdict == verdict for rule in report.rules) for verdict, (_, word) in VERDICTS.items()}
    listed = ", ".join(f"{word} {count}" for word, count in counts.items() if count)
    return printable(f"{report.runner.name} {outcome(report)} ({counted(len(report.rules), 'rule')}: {listed})")


def _recorded(report: Report) -> str:
    return counted(answered_vectors(run_of(report).counts), "recorded answer")


def _divergences(report: Report) -> str:
    misshapen = [each.name for each in report.operations if each.verdict == WRONG_SHAPE]
    shapes = [f"no answer of the right shape to {', '.join(misshapen)}"] if misshapen else []
    return "; ".join([*filter(None, [_harms(report, "diverges")]), *shapes])


def _harms(report: Report, verdict: RuleVerdict) -> str:
    return harms_in_words([rule.harm for rule in report.rules if rule.verdict == verdict and rule.harm])


def _table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> list[str]:
    lines = [heads, ["---"] * len(heads), *rows]
    return [f"| {' | '.join(_escaped(cell) for cell in line)} |" for line in lines]


def _escaped(text: str) -> str:
    """Make text printable, and escape what Markdown would not show as it is."""
    return re.sub(r"([\\`*_|<>\[\]&#~])", r"\\\1", printable(text))
