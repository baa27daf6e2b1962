"""Makes the report of a session that has ended."""

from importlib.metadata import version

from parity import __version__
from parity.operations.rule import Rule
from parity.operations.rules import OPERATION_OF, RULES
from parity.plugin.collection import Selection
from parity.plugin.session import Session
from parity.plugin.summary import verdict_of
from parity.runners import claims
from parity.suite.findings import merged
from parity.suite.plain import from_plain
from parity.suite.records import (
    FORMAT,
    DivergenceRecord,
    End,
    OperationRecord,
    ReferenceIdentity,
    Report,
    RuleRecord,
    RuleVectors,
    RunnerIdentity,
    RunSettings,
)
from parity.suite.tally import OperationTally
from parity.suite.verdict import final_of, rule_verdict


def report_of(session: Session, selection: Selection, *, end: End, exit_code: int) -> Report:
    """Return the report of a session that has ended.

    Args:
        session: the run, with the counts of all its workers.
        selection: the tests that were selected.
        end: whether the run finished or was interrupted.
        exit_code: pytest's exit code.
    """
    broken = session.tally.broken().values()
    operations = tuple(_operation(session, *entry) for entry in session.tally.operations.items())
    # A record is a claim about each vector's own rule, so parts of a run can be joined.
    records = [{"record": entry["record"]} for entry in session.tally.reported]
    divergences = tuple(
        from_plain(DivergenceRecord, entry["record"]) for entry in merged(records, session.tally.vectors_of)
    )
    return Report(
        format=FORMAT,
        kit=__version__,
        started_at=session.started_at,
        reference=_reference(session),
        runner=_runner(session),
        settings=_settings(session, selection),
        operations=operations,
        rules=tuple(_rule(session, rule) for rule in RULES.values()),
        divergences=divergences,
        final=final_of(
            operations, divergences, list(broken), end=end, exit_code=exit_code, lost=session.lost is not None
        ),
    )


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


def _settings(session: Session, selection: Selection) -> RunSettings:
    return RunSettings(
        profile=session.profile.name,
        seed=session.seed,
        case_timeout=session.case_timeout,
        hypothesis=version("hypothesis"),
        golden_only=session.golden_only,
        complete=selection.complete,
        tests=selection.tests,
        left_out=selection.left_out,
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
        skipped=counts.skipped,
        failures=counts.failures,
        verdict=verdict_of(session, name, counts),
        unanswered=dict(sorted(counts.unanswered.items())),
    )


def _rule(session: Session, rule: Rule) -> RuleRecord:
    counts, operation = session.tally.rules[rule.slug], OPERATION_OF[rule.slug].name
    return RuleRecord(
        slug=rule.slug,
        operation=operation,
        sentence=rule.sentence,
        source=rule.source,
        verdict=rule_verdict(counts, claimed=claims(session.checker.runner, operation)),
        harm=counts.harm,
        vectors=RuleVectors(counts.asked, counts.divergent, counts.declared),
        drawn=counts.drawn,
    )
