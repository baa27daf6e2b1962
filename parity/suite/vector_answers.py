"""Compares a runner's answers to golden vectors with the reference's answers, and counts them by rule."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from parity.operations.answers import Answer, NotClaimed
from parity.operations.finding import SuiteFinding
from parity.operations.goldens import Vector
from parity.operations.operation import Operation
from parity.operations.rules import OPERATION_OF, RULES
from parity.suite.checker import Checker
from parity.suite.declared import Answered, Declaration, Effect, changes, effect_of
from parity.suite.divergence import Divergence, DivergenceFound
from parity.suite.divergence_records import divergence_record
from parity.suite.records import DeclaredReason
from parity.suite.replay import WrittenReplay


@dataclass(frozen=True)
class AnsweredVector:
    """A golden vector with the reference's answer and the runner's."""

    vector: Vector
    reference: Answer
    runner: Answer
    excused: bool = False
    """Whether a divergence would not be the runner's fault."""


def judge_vectors(operation: Operation[Any], checker: Checker, asked: Iterable[AnsweredVector]) -> list[SuiteFinding]:
    """Count a runner's answers to vectors and to declared cases, and return what is neither declared nor excused.

    A declared divergence that no longer occurs is a finding, too.

    Args:
        operation: the operation that was called.
        checker: compares and counts the answers.
        asked: the vectors that the runner was asked, with the answers.
    """
    findings: list[SuiteFinding] = []
    answered = checker.draft.answered if checker.draft else Answered()
    declared: dict[tuple[str, Effect, int], _Declared] = {}
    checker.judged_vectors.add(operation.name)
    checker.shown[operation.name] = {}
    for each in asked:
        name, rule, case = each.vector.id, each.vector.rule, each.vector.case
        divergence = checker.compare(operation, case, each.reference, each.runner, RULES[rule])
        broken = None if each.excused else divergence
        accepted = broken is not None and checker.accept_declared(broken, name)
        claimed = not isinstance(each.runner, NotClaimed)
        shown = checker.note_vector(each.vector, broken, claimed=claimed)
        checker.tally.note_vector(rule, broken.harm if broken else None, claimed=claimed, declared=accepted)
        if not each.excused:
            answered.vectors[name] = effect_of(broken) if broken else None
        if broken and not accepted:
            checker.tally.rules[(shown or broken.rule).slug].shown += 1
            findings.append(checker.keep(DivergenceFound(broken, name, shown)))
        elif broken and (entry := checker.declarations.entry_of(name)):
            known = declared.setdefault((rule, effect_of(broken), id(entry)), _Declared(entry, broken, name))
            if broken.simplicity < known.divergence.simplicity:
                declared[rule, effect_of(broken), id(entry)] = _Declared(entry, broken, name)
    findings += _judge_cases(operation, checker, answered)
    for example in declared.values():
        example.record(checker)
    rules = [rule.slug for rule in operation.rules]
    entries = checker.declarations.entries
    return [*findings, *(checker.keep(change.finding()) for change in changes(entries, rules, answered) if entries)]


@dataclass(frozen=True)
class _Declared:
    """A declared divergence that still occurs."""

    entry: Declaration
    divergence: Divergence
    vector: str | None = None

    def record(self, checker: Checker) -> None:
        """Record the divergence for the report."""
        rule = self.divergence.rule.slug
        replay = WrittenReplay(f"it is declared at {self.entry.place(rule)}", None)
        reason = DeclaredReason(self.entry.class_, self.entry.reason)
        record = divergence_record(self.divergence, replay, self.vector, reason, tests=(checker.test,))
        checker.tally.reported.append({"record": record, "rows": [], "more": [], "traceback": []})


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
                checker.tally.operations[operation.name].unjudged[f"{rule} {effect}: {expected.reason}"] += 1
                continue
            divergence = checker.compare(operation, case, expected, checker.ask_runner(operation, case))
            actual = (divergence.rule.slug, effect_of(divergence)) if divergence else None
            answered.cases.append((entry, rule, effect, actual))
            if divergence and not checker.accept_declared(divergence):
                yield checker.keep(DivergenceFound(divergence))
            elif divergence and not checker.draft:
                checker.tally.note_drawn(divergence.rule.slug, divergence.harm, declared=True)
                _Declared(entry, divergence).record(checker)


def check_live(operation: Operation[Any], vectors: Sequence[Vector], checker: Checker) -> None:
    """Compare reference and runner on the cases of all vectors, because the recorded answers are of another release.

    Raises:
        ExceptionGroup: the findings, if the answers differ.
    """
    known: list[tuple[Vector, Answer]] = []
    for vector in vectors:
        live = checker.ask_reference(operation, vector.case)
        if isinstance(live, NotClaimed):
            checker.tally.operations[operation.name].unanswered[live.reason] += 1
        else:
            known.append((vector, live))
    answers = checker.take_answers(operation, [vector for vector, _ in known])
    answered = (
        AnsweredVector(vector, live, answer)
        for (vector, live), answer in zip(known, answers, strict=True)
        if answer is not None
    )
    if findings := judge_vectors(operation, checker, answered):
        raise ExceptionGroup(f"golden vectors of {operation.name}", findings)
