"""Makes the report of a session that has ended."""

from importlib.metadata import version

from parity import __version__
from parity.operations import OPERATIONS
from parity.operations.rules import OPERATION_OF, RULES
from parity.plugin.collection import Selection
from parity.plugin.session import Session
from parity.runners import claims
from parity.suite.records import (
    FORMAT,
    End,
    OperationRecord,
    ReferenceIdentity,
    Report,
    RuleRecord,
    RunnerIdentity,
    RunSettings,
)
from parity.suite.verdict import UNDECIDED, judged


def report_of(session: Session, selection: Selection, *, end: End, exit_code: int) -> Report:
    """Return the report of a session that has ended.

    Args:
        session: the run, with the counts of all its workers.
        selection: the tests that were selected.
        end: whether the run finished or was interrupted.
        exit_code: pytest's exit code.
    """
    runner, lacking = session.checker.runner, session.lacking
    report = Report(
        format=FORMAT,
        kit=__version__,
        started_at=session.started_at,
        reference=_reference(session),
        runner=_runner(session),
        settings=_settings(session, selection),
        operations=tuple(OperationRecord(name, claims(runner, name), lacking.get(name), "") for name in OPERATIONS),
        rules=tuple(
            RuleRecord(rule.slug, OPERATION_OF[rule.slug].name, rule.sentence, rule.source, "not-asked", None)
            for rule in RULES.values()
        ),
        counts=(),
        divergences=(),
        final=UNDECIDED,
    )
    return judged(report, session.run, end=end, exit_code=exit_code, lost=session.lost is not None)


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
