"""Tests which divergences are declared: golden vectors by name, and generated cases by rule and harm."""

from collections import Counter
from typing import Any

import pytest

from parity.operations.aggregate import AGGREGATE, AggregateCase
from parity.operations.answers import Answer, NotClaimed
from parity.operations.finding import SuiteFinding
from parity.operations.goldens import Vector, read_vectors
from parity.operations.wire import canonical
from parity.runners.asking import Clock
from parity.suite.checker import Checker
from parity.suite.declared import Declaration, Declarations, Draft, Effect, StaleDeclaration
from parity.suite.divergence import DivergenceFound
from parity.suite.records import DeclaredReason
from parity.suite.vector_answers import AnsweredVector, judge_vectors
from tests.declared.divergences import CASE, ERROR, HANG, HIGHER, LOWER, RIGHT, RULE, Answers, declaring, diverging
from tests.outcomes import outcomes

_ANSWERS: dict[Effect, Answer] = {"pays-out": HIGHER, "withholds": LOWER, "no-answer": HANG}
_VECTOR, _OTHER = f"{RULE}/thirds/mean", f"{RULE}/thirds/max"
_QUESTION = canonical(AGGREGATE.encode(CASE))


def _checker(runner: Answer, *entries: Declaration, reference: Answer = RIGHT) -> Checker:
    wrong: Any = Answers(runner)
    return Checker(Answers(reference), wrong, Clock(10.0), declarations=Declarations(entries))


@pytest.mark.parametrize("declared", _ANSWERS)
@pytest.mark.parametrize("actual", ["pays-out", "withholds"])
def test_generated_case_passes_if_its_rule_and_harm_are_declared(declared: Effect, actual: Effect) -> None:
    """A generated case that diverges passes only if its rule and harm are declared, or if a hang is declared."""
    checker = _checker(_ANSWERS[actual], declaring({declared: ["thirds/mean"]}))
    expected = declared in {actual, "no-answer"}  # if a hang is declared, the runner is not called

    try:
        checker.check(AGGREGATE, [CASE])
        passes = True
    except DivergenceFound:
        passes = False

    assert passes == expected


def test_another_kind_of_the_declared_harm_passes() -> None:
    """An error in place of a lower number is declared, because both withhold."""
    checker = _checker(ERROR, declaring({"withholds": ["thirds/mean"]}))

    checker.check(AGGREGATE, [CASE])

    assert outcomes(checker.run, "aggregate")["drawn", "declared"] == 1


def test_generated_case_passes_if_it_is_a_declared_vector() -> None:
    """A generated case that is a golden vector is declared with the vector, even if it seems to break another rule."""
    vector = next(vector for vector in read_vectors("aggregate") if vector.id == _VECTOR)
    declarations = Declarations((declaring({"pays-out": ["thirds/mean"]}),))

    covered = [
        declarations.covers(diverging(HIGHER, case, "aggregate/no-trials"))
        for case in (vector.case, AggregateCase("max", ({"a": 0.5},)))
    ]

    assert covered == [True, False]


def test_case_with_a_declared_hang_is_skipped() -> None:
    """If a hang on a generated case is declared, the runner is not called, and the case is counted as skipped."""
    checker = _checker(HIGHER, declaring({"no-answer": ["thirds/mean"]}))

    checker.check(AGGREGATE, [CASE])

    assert checker.runner.asked == 0  # type: ignore[attr-defined]
    assert outcomes(checker.run, "aggregate")["drawn", "no-answer"] == 1


def _vectors(*ids: str) -> list[Vector]:
    return [Vector(each, "aggregate", RULE, AGGREGATE.encode(CASE), {}) for each in ids]


def _judged(checker: Checker, *ids: str) -> list[SuiteFinding]:
    runner: Any = checker.runner
    return judge_vectors(AGGREGATE, checker, [AnsweredVector(each, RIGHT, runner.answer) for each in _vectors(*ids)])


def test_diverging_vector_passes_if_it_is_declared() -> None:
    """A golden vector that diverges by the declared harm passes, and the report has its reason and place."""
    checker = _checker(HIGHER, declaring({"pays-out": ["thirds/mean"]}))

    with checker.running("test_aggregate.py::test_golden"):
        findings = _judged(checker, _VECTOR)

    (record,) = checker.run.worst.values()
    assert findings == []
    assert record.declared == DeclaredReason("by-design", "it is faster")
    assert (record.vector, record.replay, record.tests) == (
        _VECTOR,
        "it is declared at .:1:1",
        ("test_aggregate.py::test_golden",),
    )


@pytest.mark.parametrize(("harm", "name"), [("pays-out", "thirds/max"), ("withholds", "thirds/mean")])
def test_vector_that_diverges_otherwise_fails(harm: Effect, name: str) -> None:
    """A golden vector that is not declared, or under another harm, is a divergence, and the row has to change."""
    divergence, change = _judged(_checker(HIGHER, declaring({harm: [name]})), _VECTOR)

    assert isinstance(divergence, DivergenceFound)
    assert isinstance(change, StaleDeclaration)


def test_declared_vector_that_agrees_fails() -> None:
    """A declared vector whose answers agree makes the run fail, but is no divergence."""
    (change,) = _judged(_checker(RIGHT, declaring({"pays-out": ["thirds/mean"]})), _VECTOR)

    assert isinstance(change, StaleDeclaration)


@pytest.mark.parametrize(
    ("runner", "types"),
    [
        (HIGHER, []),
        (RIGHT, [StaleDeclaration]),
        (LOWER, [DivergenceFound, StaleDeclaration]),
        (NotClaimed("no metrics"), [StaleDeclaration]),
    ],
)
def test_declared_case_is_asked(runner: Answer, types: list[type]) -> None:
    """A declared case must diverge by the declared rule and harm, as a golden vector must."""
    checker = _checker(runner, declaring(cases={"pays-out": _QUESTION}))

    findings = _judged(checker)

    assert [*map(type, findings)] == types
    assert outcomes(checker.run, "aggregate")["case", "declared"] == (not types)


def test_declared_case_is_not_judged_without_a_reference() -> None:
    """A declared case that the reference cannot answer is no finding, and the summary names it."""
    checker = _checker(HIGHER, declaring(cases={"pays-out": _QUESTION}), reference=NotClaimed("not installed"))

    findings = _judged(checker)

    assert findings == []
    ((question, count),) = checker.run.counts.items()
    assert (question.source, question.outcome, question.rule, question.reason, count) == (
        "case", "unanswered", RULE, "pays-out: not installed", 1,
    )  # fmt: skip


def test_declared_case_is_asked_again_for_a_draft() -> None:
    """A draft asks the cases of earlier entries, and records how they diverge."""
    checker = _checker(HIGHER)
    entry = declaring(cases={"form": _QUESTION})
    checker.draft = Draft((entry,))

    findings = _judged(checker)

    assert findings == []
    assert checker.draft.answered.cases == [(entry, RULE, "form", (RULE, "pays-out"))]


@pytest.mark.parametrize(("answer", "are_asked"), [(HANG, [True, False, True]), (HIGHER, [True, True, True])])
def test_first_vector_without_an_answer_stands_for_its_row(
    answer: Answer, are_asked: list[bool], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of the vectors that are declared to get no answer, the first is asked, and the others only if it gets one."""
    monkeypatch.setattr(Checker, "ask_runner", lambda *_: answer)
    checker = _checker(answer, declaring({"no-answer": ["thirds/mean", "thirds/max"]}))

    answers = [*checker.take_answers(AGGREGATE, _vectors(_VECTOR, _OTHER, f"{RULE}/thirds/min"))]

    assert [answer is not None for answer in answers] == are_asked
    assert outcomes(checker.run, "aggregate") == Counter({("vector", "no-answer"): are_asked.count(False)})
