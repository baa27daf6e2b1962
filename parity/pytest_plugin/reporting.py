"""The report of a session that has ended."""

from importlib.metadata import version

from parity import __version__
from parity.judging.findings import merged
from parity.judging.harm import HARMS
from parity.judging.plain import from_plain
from parity.judging.records import (
    FORMAT,
    DivergenceRecord,
    End,
    Final,
    ModuleCoverage,
    OperationRecord,
    OverallVerdict,
    ReferenceIdentity,
    Report,
    RuleRecord,
    RuleVectors,
    RuleVerdict,
    RunnerIdentity,
    RunSettings,
)
from parity.judging.tally import OperationTally, RuleTally
from parity.operations.rule import Rule
from parity.operations.rules import FLAGS, RULES
from parity.pytest_plugin.session import Session
from parity.pytest_plugin.summary import verdict_of
from parity.report.coverage import coverage_of
from parity.runners import claims


def report_of(session: Session, *, complete: bool, end: End, exit_code: int) -> Report:
    """What a session found.

    Args:
        session: the run, with all that its workers counted.
        complete: whether every test that draws cases was selected.
        end: whether the run went through.
        exit_code: what pytest exits with.
    """
    broken = session.tally.broken()
    rules = tuple(_rule(session, rule) for rule in RULES.values())
    divergences = tuple(from_plain(DivergenceRecord, entry["record"]) for entry in merged(session.tally.reported))
    return Report(
        format=FORMAT,
        kit=__version__,
        reference=_reference(session),
        runner=_runner(session),
        settings=_settings(session, complete=complete),
        operations=tuple(_operation(session, *entry) for entry in session.tally.operations.items()),
        rules=rules,
        divergences=divergences,
        answers=session.tally.answers,
        coverage=_coverage(session, explained=complete and session.profile.name != "quick"),
        final=Final(
            verdict=_overall(session, rules, end=end, exit_code=exit_code),
            ended=end,
            exit=exit_code,
            divergences=sum(record.declared is None for record in divergences),
            rules=len(broken),
            harms={harm: count for harm in HARMS if (count := list(broken.values()).count(harm))},
        ),
    )


def _coverage(session: Session, *, explained: bool) -> tuple[ModuleCoverage, ...] | None:
    return coverage_of(session.tally, session.reference.places_of, explained=explained) if session.reference else None


def _reference(session: Session) -> ReferenceIdentity:
    who = session.identity
    return ReferenceIdentity(
        who.harbor, who.wheel, who.implementation, who.python, str(who.series), who.pydantic, who.pydantic_core
    )


def _runner(session: Session) -> RunnerIdentity:
    runner = session.checker.runner
    return RunnerIdentity(
        name=str(runner.name),
        spec=session.runner_spec,
        version=_text(getattr(runner, "version", None)),
        language=_text(getattr(runner, "language", None)),
    )


def _text(value: object) -> str | None:
    return value if isinstance(value, str) else None


def _settings(session: Session, *, complete: bool) -> RunSettings:
    return RunSettings(
        profile=session.profile.name,
        seed=session.seed,
        case_timeout=session.case_timeout,
        hypothesis=version("hypothesis"),
        complete=complete,
    )


def _operation(session: Session, name: str, counts: OperationTally) -> OperationRecord:
    return OperationRecord(
        name=name,
        claimed=claims(session.checker.runner, name),
        cases=counts.cases,
        comparisons=counts.comparisons,
        vectors=counts.vectors,
        not_claimed=counts.not_claimed,
        declared=counts.declared,
        failures=counts.failures,
        verdict=verdict_of(session, name, counts),
        flags={flag: counts.flags[flag] for flag in FLAGS[name]},
        unanswered=dict(sorted(counts.unanswered.items())),
    )


def _rule(session: Session, rule: Rule) -> RuleRecord:
    counts = session.tally.rules[rule.slug]
    return RuleRecord(
        slug=rule.slug,
        operation=rule.operation,
        sentence=rule.sentence,
        source=rule.source,
        verdict=rule_verdict(counts, claimed=claims(session.checker.runner, rule.operation)),
        harm=counts.harm,
        vectors=RuleVectors(counts.asked, counts.divergent, counts.declared, counts.elsewhere),
        drawn=counts.drawn,
    )


def rule_verdict(counts: RuleTally, *, claimed: bool) -> RuleVerdict:
    """What came of a rule. Vectors alone can show that it is kept; drawn cases too, that it is not."""
    if counts.diverges:
        return "diverges"
    if counts.declared or counts.drawn_declared or counts.skipped:
        return "declared"
    if counts.asked:
        return "agrees"
    if counts.elsewhere:
        return "undecided"
    return "not-claimed" if counts.not_claimed or not claimed else "not-asked"


def _overall(session: Session, rules: tuple[RuleRecord, ...], *, end: End, exit_code: int) -> OverallVerdict:
    operations = session.tally.operations.values()
    if session.lost:
        return "undecided"
    if any(rule.verdict == "diverges" for rule in rules):
        return "diverges"
    asked = any(counts.comparisons or counts.vectors for counts in operations)
    if exit_code or end == "interrupted" or not asked:
        return "undecided"
    return "diverges as declared" if any(counts.declared or counts.skipped for counts in operations) else "agrees"
