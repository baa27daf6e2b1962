"""Sample reports with two rules of `aggregate` and one of `read_reward`."""

from dataclasses import fields, replace

from parity.suite.harm import Harm
from parity.suite.records import (
    FORMAT,
    Count,
    DeclaredReason,
    DifferenceRecord,
    DivergenceRecord,
    Final,
    Lines,
    MalformedAnswer,
    OperationRecord,
    OverallVerdict,
    ReferenceIdentity,
    Report,
    RuleRecord,
    RuleVerdict,
    RunnerIdentity,
    RunSettings,
    Side,
)
from parity.suite.verdict import class_verdicts

REFERENCE = ReferenceIdentity("0.13.1", "ab" * 32, "CPython", "3.12.3", "3.12", "2.13.4", "2.46.4")
TESTS = ("test_aggregate.py::test_golden", "test_aggregate.py::test_numbers")
SETTINGS = RunSettings("default", 7, 10.0, "6.170.15", golden_only=False, complete=True, tests=TESTS, left_out=())
HOSTILE = [
    "</script><script>document.title = 'taken'</script>",
    "<img src=x onerror=\"document.title = 'taken'\">",
    "' onmouseover='document.title = 1' \" x=\"",
    "&lt;b&gt;",
    "\u202eturned, \u05d0\u05d1",
    "\x00\x1b[31m\r\n",
    "\ud800",
]
"""Strings that a hostile runner or case may put into a report."""


def operation(name: str, verdict: str = "agrees") -> OperationRecord:
    """Return the record of an operation."""
    return OperationRecord(name, True, None, verdict)


def counts(name: str) -> tuple[Count, ...]:
    """Return some counts of an operation that agrees."""
    test = f"test_{name}.py::test_golden"
    return (
        Count("drawn", "begun", name, test=test, count=1200),
        Count("drawn", "agrees", name, test=test, count=3400),
        Count("vector", "agrees", name, test=test, count=56),
    )


def rule(slug: str, operation: str, verdict: RuleVerdict = "agrees") -> RuleRecord:
    """Return the record of a rule."""
    harm: Harm | None = "last-bits" if verdict in ("diverges", "declared") else None
    return RuleRecord(slug, operation, f"The sentence of {slug}.", "harbor.metrics.base", verdict, harm)


def divergence(slug: str = "summation/compensated", declared: DeclaredReason | None = None) -> DivergenceRecord:
    """Return the record of a divergence of one ULP."""
    return DivergenceRecord(
        operation="aggregate",
        rule=slug,
        shown=slug,
        harm="last-bits",
        kind="other-value",
        vector=None,
        case={"metric": "mean", "rewards": [{"reward": {"f64": "3fb999999999999a"}}, None]},
        case_bytes=73,
        case_text="mean of [{'reward': 0.1}, None]",
        applies=("aggregate/null-is-zero",),
        like="summation/compensated/thirds",
        authority="harbor",
        reference="{'mean': 0.6}",
        runner="{'mean': 0.6000000000000001}",
        lines=None,
        malformed=None,
        raised=(),
        summary="another number at ['mean'], 1 ULP apart",
        difference=DifferenceRecord(
            "['mean']",
            "bits",
            Side("0.6", "float", "3fe3333333333333"),
            Side("0.6000000000000001", "float", "3fe3333333333334"),
            1,
        ),
        repeatable=True,
        tests=("test_aggregate.py::test_golden", "test_aggregate.py::test_numbers"),
        replay="pytest parity/ --replay .parity/aggregate-0123456789ab.json",
        replay_file="aggregate-0123456789ab.json",
        declare=None,
        declared=declared,
    )


def report(
    name: str = "my-runner", verdict: RuleVerdict = "agrees", divergences: tuple[DivergenceRecord, ...] = ()
) -> Report:
    """Return the report on a runner with this verdict on one of three rules."""
    overall: dict[RuleVerdict, OverallVerdict] = {"diverges": "diverges", "declared": "diverges as declared"}
    reported = divergences or {
        "diverges": (divergence(),),
        "declared": (divergence(declared=DeclaredReason("to-fix", "adds one by one")),),
    }.get(verdict, ())
    return Report(
        format=FORMAT,
        kit="0.1.0",
        started_at="2026-11-24T09:30:00+01:00",
        reference=REFERENCE,
        runner=RunnerIdentity(name, "my_package:Runner", "1.4", "Go"),
        settings=SETTINGS,
        operations=(
            operation("read_reward"),
            operation("aggregate", "diverges: 1 rule differs in last bits only" if verdict == "diverges" else "agrees"),
        ),
        rules=(
            rule("reward-file/json-wins", "read_reward"),
            rule("aggregate/null-is-zero", "aggregate"),
            rule("summation/compensated", "aggregate", verdict),
        ),
        counts=(*counts("read_reward"), *counts("aggregate")),
        divergences=reported,
        final=Final(
            overall.get(verdict, "agrees"),
            "finished",
            int(verdict == "diverges"),
            sum(each.declared is None for each in reported),
            int(verdict == "diverges"),
            {"last-bits": 1} if verdict == "diverges" else {},
            class_verdicts({"read_reward": "agrees", "aggregate": "diverges" if verdict == "diverges" else "agrees"}),
        ),
    )


def with_text(text: str) -> Report:
    """Return a report with this text in all fields whose content comes from a runner or a case."""
    plain = report(text, "diverges")
    side = Side(text, text, None)
    reported = replace(
        plain.divergences[0],
        case={"text": text},
        case_text=text,
        reference=text,
        runner=text,
        lines=Lines(text, text, text),
        malformed=MalformedAnswer(text, text),
        raised=(text,),
        summary=text,
        difference=DifferenceRecord(text, "text", side, side, None),
        tests=(text,),
        replay=text,
        replay_file=text,
    )
    declared = replace(reported, declared=DeclaredReason("by-design", text))
    return replace(
        plain,
        runner=RunnerIdentity(text, text, text, text),
        divergences=(reported, declared),
        counts=(Count("drawn", "unanswered", "read_reward", reason=text, count=3), *plain.counts),
    )


def edited(text: str) -> Report:
    """Return a report with this text in every field that accepts any text."""
    plain = with_text(text)
    return replace(
        plain,
        kit=text,
        reference=ReferenceIdentity(*[text] * len(fields(ReferenceIdentity))),
        settings=replace(plain.settings, profile=text, hypothesis=text),
        operations=(replace(plain.operations[0], name=text, verdict=text),),
        rules=(replace(rule(text, text, "diverges"), sentence=text, source=text),),
        divergences=tuple(
            replace(each, operation=text, rule=text, shown=text, vector=text, authority=text)
            for each in plain.divergences
        ),
    )
