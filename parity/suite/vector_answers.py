"""Compares a runner's answers to golden vectors with the reference's answers, and counts them by rule."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

from parity.operations.answers import Answer, Crash, NotClaimed
from parity.operations.finding import SuiteFinding
from parity.operations.goldens import Vector
from parity.operations.operation import Operation
from parity.operations.rules import RULES
from parity.runners import claims
from parity.runners.asking import can_pipeline
from parity.suite.checker import Checker
from parity.suite.comparer import ask_runner
from parity.suite.declared.vectors import changed_lists
from parity.suite.divergence import DivergenceFound, Key

_AT_ONCE = 64
"""Number of vectors in one request, for a runner that accepts several questions at once."""


def ask_vectors(checker: Checker, operation: Operation[Any], vectors: Sequence[Vector]) -> Iterator[Answer | None]:
    """Yield the runner's answer to each vector, and count it; None for a vector that is left out.

    A vector is left out if the runner is declared to give no answer to it. Because each hang takes the whole time
    limit, the remaining vectors of a rule are left out after a hang in it, and all remaining vectors after hangs in
    three rules.
    """
    if not claims(checker.runner, operation.name):
        yield from [None] * len(vectors)
        return
    counts = checker.tally.operations[operation.name]
    known = checker.declarations.crashing_vectors
    at_once = _AT_ONCE if can_pipeline(checker.runner) and not checker.draft else 1
    answered: dict[str, Answer] = {}
    for place, vector in enumerate(vectors):
        if counts.leaves_out(vector.rule):
            counts.after_hangs[vector.rule] += 1
            yield None
            continue
        if vector.id in known:
            counts.skipped += 1
            checker.tally.rules[vector.rule].skipped += 1
            yield None
            continue
        if at_once > 1 and vector.id not in answered:
            rest = (each for each in vectors[place:] if not (counts.leaves_out(each.rule) or each.id in known))
            batch = list(islice(rest, at_once))
            answers = ask_runner(checker.runner, operation, [each.case for each in batch], checker.clock)
            answered = {each.id: answer for each, answer in zip(batch, answers, strict=False)}
        answer = answered.get(vector.id) or checker.ask_runner(operation, vector.case)
        if isinstance(answer, NotClaimed):
            counts.not_claimed += 1
        else:
            counts.vectors += 1
        if isinstance(answer, Crash) and answer.hung and not checker.draft:
            counts.hung[vector.rule] += 1
        yield answer


@dataclass(frozen=True)
class AnsweredVector:
    """A golden vector with the reference's answer and the runner's."""

    vector: Vector
    reference: Answer
    runner: Answer
    excused: bool = False
    """Whether a divergence would not be the runner's fault."""


def judge_vectors(
    operation: Operation[Any], checker: Checker, vectors: Sequence[Vector], answered: Iterable[AnsweredVector]
) -> list[SuiteFinding]:
    """Count a runner's answers to vectors, and return the divergences that are neither declared nor excused.

    A declared divergence with an outdated list of vectors is a finding, too.

    Args:
        operation: the operation that was called.
        checker: compares and counts the answers.
        vectors: all vectors of the operation.
        answered: the vectors that the runner was asked, with the answers.
    """
    findings: list[SuiteFinding] = []
    keys: dict[str, Key | None] = {}
    checker.judged_vectors.add(operation.name)
    for each in answered:
        name, rule, case = each.vector.id, each.vector.rule, each.vector.case
        divergence = checker.compare(operation, case, each.reference, each.runner, RULES[rule])
        broken = None if each.excused else divergence
        declared = broken is not None and checker.accept_declared(broken, name)
        claimed = not isinstance(each.runner, NotClaimed)
        checker.failed_vectors[operation.name][name] = bool(broken) if claimed else None
        checker.tally.note_vector(rule, broken.harm if broken else None, claimed=claimed, declared=declared)
        if checker.draft:
            checker.draft.note_vector(operation.name, name)
        if not each.excused:
            keys[name] = broken.classified if broken else None
        if broken and not declared:
            findings.append(DivergenceFound(broken, vector=name))
    entries = [entry for entry in checker.declarations.entries if entry.operation == operation.name]
    return [*findings, *changed_lists(entries, vectors, keys)]


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
    answers = ask_vectors(checker, operation, [vector for vector, _ in known])
    answered = (
        AnsweredVector(vector, live, answer)
        for (vector, live), answer in zip(known, answers, strict=True)
        if answer is not None
    )
    if findings := judge_vectors(operation, checker, vectors, answered):
        raise ExceptionGroup(f"golden vectors of {operation.name}", findings)
