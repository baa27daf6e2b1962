"""Makes one HTML page from the reports of one or several runs, side by side.

The page needs no other file and no JavaScript. Every string in it is printable, and escaped by Jinja2.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from parity.operations.printable import printable
from parity.operations.read_reward import READ_REWARD
from parity.operations.wire import WireError
from parity.suite.display_order import Place, place_of
from parity.suite.divergence import shortened, shortened_apart
from parity.suite.harm import Harm, harm_word, rank, worst
from parity.suite.records import DivergenceRecord, OperationRecord, Report, RuleRecord
from parity.suite.report.reading import run_of
from parity.suite.report.shell import shell_lines
from parity.suite.report.verdicts import VERDICTS, conformance_of, outcome
from parity.suite.run import diverging_vectors
from parity.suite.verdict import IDLE

_LONGEST = 600
"""Length in characters beyond which a case or an answer is shortened."""

_LONGEST_SHELL = 2000
"""Length in characters of all bash commands beyond which a case has none: its replay file has it, too."""


@dataclass(frozen=True)
class Column:
    """A report, with the name of its column and its age when the page was made."""

    label: str
    age: str
    report: Report
    outcome: str
    vectors: Callable[[str], tuple[int, int]]
    """Returns the number of a rule's golden vectors that diverge, and of those that the runner answered."""


@dataclass(frozen=True)
class Broken:
    """A runner that breaks a rule, with the worst case; the case is None if the report has no case for the rule."""

    label: str
    harm: Harm
    case: DivergenceRecord | None
    described: str
    """The case in words; like both answers, it is shortened, but not so that they look the same."""

    expected: str
    actual: str
    shell: list[str]
    others: int
    """The number of further cases for the rule in the report."""


@dataclass(frozen=True)
class BrokenRule:
    """A rule, and the runners that break it."""

    rule: RuleRecord
    runners: list[Broken]

    @property
    def harm(self) -> Harm:
        """The worst harm of all these runners."""
        return worst(each.harm for each in self.runners)


def page_of(reports: Sequence[Report], now: datetime) -> str:
    """Return the page.

    Args:
        reports: the reports, in the order of their columns.
        now: the current time, with its zone, for the ages of the reports.
    """
    environment = Environment(
        loader=FileSystemLoader(Path(__file__).parent),
        autoescape=True,
        undefined=StrictUndefined,
        finalize=_finalize,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters |= {"harm": harm_word, "conformance": conformance_of}
    runs = [
        Column(label, age(report.started_at, now), report, outcome(report), diverging_vectors(run_of(report).counts))
        for label, report in zip(_labels(reports), reports, strict=True)
    ]
    operations = list(_operations(runs))
    idle = [name for name, cells in operations if all(each is None or each.verdict in IDLE for _, each in cells)]
    return environment.get_template("page.html.j2").render(
        runs=runs,
        made=now.isoformat(timespec="minutes"),
        operations=[each for each in operations if each[0] not in idle],
        idle=idle,
        broken=_by_rule(runs, declared=False),
        declared=_by_rule(runs, declared=True),
    )


def age(started_at: str, now: datetime) -> str:
    """Return the time since a run started, in words."""
    passed = now - datetime.fromisoformat(started_at)
    for unit, name in ((timedelta(days=1), "day"), (timedelta(hours=1), "hour"), (timedelta(minutes=1), "minute")):
        if count := max(passed, timedelta(0)) // unit:
            return f"{count:,} {name}{'' if count == 1 else 's'} old"
    return "new"


def _finalize(value: Any) -> Any:
    """Make plain strings printable. Strings that Jinja2 marks as HTML are not changed."""
    return printable(value) if type(value) is str else value


def _labels(reports: Sequence[Report]) -> Iterator[str]:
    """Yield the name of each runner, followed by a number if several runners have the same name."""
    names = [report.runner.name for report in reports]
    for place, name in enumerate(names):
        yield f"{name} ({names[: place + 1].count(name)})" if names.count(name) > 1 else name


def _operations(runs: Sequence[Column]) -> Iterator[tuple[str, list[tuple[str, OperationRecord | None]]]]:
    """Yield each operation with a symbol and its record in each report."""
    names = dict.fromkeys(each.name for run in runs for each in run.report.operations)
    for name in names:
        records = [next((each for each in run.report.operations if each.name == name), None) for run in runs]
        yield name, [(_symbol(each), each) for each in records]


def _symbol(operation: OperationRecord | None) -> str:
    verdict = operation.verdict if operation else "not asked"
    if verdict.startswith("diverges as declared"):
        return VERDICTS["declared"][0]
    return next((symbol for symbol, word in VERDICTS.values() if verdict.startswith(word)), "?")


def _by_rule(runs: Sequence[Column], *, declared: bool) -> list[BrokenRule]:
    """Return the rules that runners break, in the order of display.

    Args:
        runs: the runs.
        declared: whether to return declared divergences instead of undeclared ones.
    """
    rules = {rule.slug: rule for run in runs for rule in run.report.rules}
    breaking: dict[str, list[Broken]] = {}
    for run in runs:
        cases: dict[str, list[DivergenceRecord]] = {}
        for case in run.report.divergences:
            if case.rule in rules and (case.declared is not None) == declared:
                cases.setdefault(case.rule, []).append(case)
        for rule in run.report.rules:
            verdict = "declared" if declared else "diverges"
            if rule.slug in cases or (rule.verdict == verdict and rule.harm):
                breaking.setdefault(rule.slug, []).append(_broken(run.label, rule, cases.get(rule.slug, [])))
    broken = [BrokenRule(rules[slug], breaking[slug]) for slug in breaking]
    return sorted(broken, key=lambda each: _place(each, runs))


def _place(broken: BrokenRule, runs: Sequence[Column]) -> Place:
    """Return the place of a rule, with the largest share of diverging vectors that any runner has."""
    return min(place_of(broken.rule.slug, broken.harm, *run.vectors(broken.rule.slug)) for run in runs)


def _broken(label: str, rule: RuleRecord, cases: Sequence[DivergenceRecord]) -> Broken:
    if not cases:
        assert rule.harm
        return Broken(label, rule.harm, None, "", "", "", [], 0)
    first = min(cases, key=lambda each: rank(each.harm))
    expected, actual = shortened_apart(first.reference, first.runner, _LONGEST)
    described = shortened(first.case_text, _LONGEST)
    return Broken(label, first.harm, first, described, expected, actual, _shell(first), len(cases) - 1)


def _shell(case: DivergenceRecord) -> list[str]:
    """Return the bash commands that make the files of a `read_reward` case; none for other cases, and for long ones."""
    if case.operation != READ_REWARD.name or case.case is None:
        return []
    try:
        lines = shell_lines(READ_REWARD.decode(case.case))
    except WireError:
        return []
    return lines if sum(map(len, lines)) <= _LONGEST_SHELL else []
