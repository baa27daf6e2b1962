"""Compares a runner's answers to golden vectors with the reference's, and counts them for the vectors' rules.

Reports keep short digests of the answers, their digits.
"""

import hashlib
from collections.abc import Iterator, Sequence
from contextlib import suppress
from itertools import islice
from typing import Any

from parity.operations.answers import Answer, Crash, NotClaimed, Value
from parity.operations.compare import Ordered, Path
from parity.operations.finding import SuiteFinding
from parity.operations.goldens import Vector
from parity.operations.operation import Operation
from parity.operations.rules import RULES
from parity.operations.wire import canonical
from parity.runners import claims
from parity.runners.asking import takes_several
from parity.suite.checker import Checker
from parity.suite.comparer import ask_runner
from parity.suite.declared.declaration import answer_json
from parity.suite.divergence import DivergenceFound

_AT_ONCE = 64
"""The number of vectors in one request, for a runner that takes several questions at once."""


def ask_vectors(checker: Checker, operation: Operation[Any], vectors: Sequence[Vector]) -> Iterator[Answer | None]:
    """Yield the runner's answer to each vector, and count it; None for a vector that is not asked.

    A vector is not asked if the runner is declared to crash there, or after a hang, because each hang costs the time
    limit: then the other vectors of the same rule are left out, and after hangs in three rules all others.
    """
    if not claims(checker.runner, operation.name):
        yield from [None] * len(vectors)
        return
    counts = checker.tally.operations[operation.name]
    at_once = _AT_ONCE if takes_several(checker.runner) and not checker.draft else 1
    answered: dict[str, Answer] = {}
    for place, vector in enumerate(vectors):
        if counts.leaves_out(vector.rule):
            counts.after_hangs[vector.rule] += 1
            yield None
            continue
        if checker.skipped(operation, vector.case):
            checker.note_skipped(operation, vector.case)
            checker.tally.rules[vector.rule].skipped += 1
            yield None
            continue
        if at_once > 1 and vector.id not in answered:
            rest = (each for each in vectors[place:] if not counts.leaves_out(each.rule))
            batch = list(islice((each for each in rest if not checker.skipped(operation, each.case)), at_once))
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


def judge_vector(
    operation: Operation[Any],
    checker: Checker,
    name: str,
    rule: str,
    case: Any,
    answers: tuple[Answer, Answer],
    *,
    excused: bool = False,
) -> SuiteFinding | None:
    """Count a runner's answer to a vector, and return its divergence.

    Args:
        operation: the operation that is asked.
        checker: does the comparing and counting.
        name: the vector's id.
        rule: the slug of the vector's rule.
        case: the vector's input.
        answers: the reference's and the runner's.
        excused: whether a divergence is not the runner's fault.

    Returns:
        The divergence, unless it is declared or excused.
    """
    live, answer = answers
    divergence = checker.compare(operation, case, live, answer, RULES[rule])
    broken = divergence is not None and not excused
    harm = divergence.harm if divergence and broken else None
    declared = broken and checker.accept_declared(operation, case, live, answer)
    claimed = not isinstance(answer, NotClaimed)
    if claimed and checker.keeps_answers:
        checker.tally.answers.setdefault(operation.name, {})[name] = digits(operation, case, answer)
    checker.tally.note_vector(rule, harm, claimed=claimed, declared=declared)
    return DivergenceFound(divergence, vector=name) if divergence and broken and not declared else None


def check_live(operation: Operation[Any], vectors: Sequence[Vector], checker: Checker) -> None:
    """Ask reference and runner the inputs of all vectors, because the recorded answers are of another release.

    Raises:
        ExceptionGroup: of findings, if the answers differ.
    """
    findings: list[SuiteFinding] = []
    known: list[tuple[Vector, Answer]] = []
    for vector in vectors:
        live = checker.ask_reference(operation, vector.case)
        if isinstance(live, NotClaimed):
            checker.tally.operations[operation.name].unanswered[live.reason] += 1
        else:
            known.append((vector, live))
    answers = ask_vectors(checker, operation, [vector for vector, _ in known])
    for (vector, live), answer in zip(known, answers, strict=True):
        if answer is None:
            continue
        finding = judge_vector(operation, checker, vector.id, vector.rule, vector.case, (live, answer))
        findings += [finding] if finding else []
    if findings:
        raise ExceptionGroup(f"golden vectors of {operation.name}", findings)


def digits[Case](operation: Operation[Case], case: Case, answer: Answer) -> str:
    """Return sixteen hex digits that are the same for equal answers to a case."""
    settled = operation.settle(case, answer)
    if isinstance(settled, Value):
        # A value nested too deeply has no form on the wire, so the order of its keys is not in the digits.
        with suppress(RecursionError):
            settled = Value(_in_order(settled.value, operation.ordered(case), ()))
    return hashlib.sha256(canonical(answer_json(operation, settled)).encode()).hexdigest()[:16]


def _in_order(value: object, ordered: Ordered, path: Path) -> object:
    """Return the value with its keys sorted wherever their order does not count."""
    if isinstance(value, list):
        return [_in_order(each, ordered, (*path, place)) for place, each in enumerate(value)]
    if not isinstance(value, dict):
        return value
    keys = list(value) if ordered(path) else sorted(value, key=str)
    return {key: _in_order(value[key], ordered, (*path, key)) for key in keys}
