"""Compares a runner's answers to golden vectors with the reference's answers, and counts them by rule."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from parity.operations.answers import Answer, Crash, NotClaimed
from parity.operations.finding import SuiteFinding
from parity.operations.goldens import Vector
from parity.operations.operation import Operation
from parity.operations.rules import OPERATION_OF
from parity.suite.checker import Checker
from parity.suite.declared import Answered, Declaration, Effect, changes, effect_of
from parity.suite.divergence import Divergence, DivergenceFound
from parity.suite.divergence_records import divergence_record
from parity.suite.records import DeclaredReason, Outcome
from parity.suite.replay import WrittenReplay


@dataclass(frozen=True)
class AnsweredVector:
    """A golden vector with the reference's answer and the runner's."""

    vector: Vector
    reference: Answer
    runner: Answer
    excused: bool = False
    """Whether a divergence would not be the runner's fault."""


def judge_vectors(operation: Operation[Any], checker: Checker, answers: Iterable[AnsweredVector]) -> list[SuiteFinding]:
    """Count a runner's answers to vectors and declared cases, and return undeclared divergences without an excuse.

    A declared divergence that no longer occurs is a finding, too.

    Args:
        operation: the operation that was called.
        checker: compares and counts the answers.
        answers: the vectors that the runner was asked, with the answers.
    """
    findings: list[SuiteFinding] = []
    answered = checker.draft.answered if checker.draft else Answered()
    declared: dict[tuple[str, Effect, int], _Declared] = {}
    checker.judged_vectors.add(operation.name)
    checker.shown[operation.name] = {}
    for each in answers:
        name, rule, case = each.vector.id, each.vector.rule, each.vector.case
        divergence = checker.compare(operation, case, each.reference, each.runner, each.vector)
        broken = None if each.excused else divergence
        accepted = broken is not None and checker.accepts(broken)
        attributed = checker.note_vector(each.vector, broken, claimed=not isinstance(each.runner, NotClaimed))
        outcome = _outcome(each.runner, broken, accepted=accepted)
        checker.count(outcome, operation.name, source="vector", rule=rule, harm=broken.harm if broken else None)
        if not each.excused:
            answered.vectors[name] = effect_of(broken) if broken else None
        if broken and not accepted:
            broken = replace(broken, attributed=attributed)
            checker.count("displayed", operation.name, source="vector", rule=broken.shown.slug)
            findings.append(checker.keep(DivergenceFound(broken)))
        elif broken and (entry := checker.declarations.entry_of(name)):
            example = declared.setdefault((rule, effect_of(broken), id(entry)), _Declared(entry, broken))
            if broken.simplicity < example.divergence.simplicity:
                declared[rule, effect_of(broken), id(entry)] = _Declared(entry, broken)
    findings += _judge_cases(operation, checker, answered)
    for example in declared.values():
        example.record(checker)
    rules = [rule.slug for rule in operation.rules]
    entries = checker.declarations.entries
    return [*findings, *(checker.keep(change.finding()) for change in changes(entries, rules, answered) if entries)]


def _outcome(answer: Answer, broken: Divergence | None, *, accepted: bool) -> Outcome:
    """Return the outcome of a golden vector."""
    if isinstance(answer, NotClaimed):
        return "not-claimed"
    if broken is None:
        return "agrees"
    if accepted:
        return "declared"
    return "hung" if isinstance(answer, Crash) and answer.hung else "diverges"


@dataclass(frozen=True)
class _Declared:
    """A declared divergence that still occurs."""

    entry: Declaration
    divergence: Divergence

    def record(self, checker: Checker) -> None:
        """Record the divergence for the report."""
        rule = self.divergence.rule.slug
        replay = WrittenReplay(f"it is declared at {self.entry.place(rule)}", None)
        reason = DeclaredReason(self.entry.class_, self.entry.reason)
        checker.run.keep(divergence_record(self.divergence, replay, test=checker.test, declared=reason))


def _judge_cases(operation: Operation[Any], checker: Checker, answered: Answered) -> Iterator[DivergenceFound]:
    """Ask the declared cases, as the vectors were asked, and yield each divergence that is not declared."""
    entries = checker.draft.earlier if checker.draft else checker.declarations.entries
    for entry in entries:
        for rule, effect, question in entry.cases():
            if OPERATION_OF[rule] is not operation:
                continue
            case = operation.decode(question)
            expected = checker.ask_reference(operation, case)
            if isinstance(expected, NotClaimed):
                reason = f"{effect}: {expected.reason}"
                checker.count("unanswered", operation.name, source="case", rule=rule, reason=reason)
                continue
            divergence = checker.compare(operation, case, expected, checker.ask_runner(operation, case))
            actual = (divergence.rule.slug, effect_of(divergence)) if divergence else None
            answered.cases.append((entry, rule, effect, actual))
            if divergence is None:
                continue
            accepted = checker.accepts(divergence)
            checker.count_divergence("declared" if accepted else "diverges", divergence, "case")
            if not accepted:
                yield checker.keep(DivergenceFound(divergence))
            elif not checker.draft:
                _Declared(entry, divergence).record(checker)


def check_live(operation: Operation[Any], vectors: Sequence[Vector], checker: Checker) -> None:
    """Compare reference and runner on the cases of all vectors, because the recorded answers are of another release.

    Raises:
        ExceptionGroup: the findings, if the answers differ.
    """
    expected: list[tuple[Vector, Answer]] = []
    for vector in vectors:
        live = checker.ask_reference(operation, vector.case)
        if isinstance(live, NotClaimed):
            checker.count("unanswered", operation.name, source="vector", reason=live.reason)
        else:
            expected.append((vector, live))
    answers = checker.take_answers(operation, [vector for vector, _ in expected])
    answered = (
        AnsweredVector(vector, live, answer)
        for (vector, live), answer in zip(expected, answers, strict=True)
        if answer is not None
    )
    if findings := judge_vectors(operation, checker, answered):
        raise ExceptionGroup(f"golden vectors of {operation.name}", findings)
