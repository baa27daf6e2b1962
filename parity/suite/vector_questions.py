"""Asks a runner the golden vectors of an operation, and counts the questions."""

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Any

from parity.operations.answers import Answer, Crash, NotClaimed
from parity.operations.goldens import Vector
from parity.operations.operation import Operation
from parity.operations.series import running_series
from parity.runners import claims
from parity.runners.asking import can_pipeline
from parity.suite.comparer import Comparer, ask_runner, rule_of_hang
from parity.suite.tally import Tally

_AT_ONCE = 64
"""Number of vectors in one request, for a runner that accepts several questions at once."""


def ask_vectors(
    comparer: Comparer, tally: Tally, operation: Operation[Any], vectors: Sequence[Vector]
) -> Iterator[Answer | None]:
    """Yield the runner's answer to each vector, and count it; None for a vector that is left out.

    If the runner is declared to give no answer to several vectors of a rule, and does not answer the first of them, the
    others are left out. Because each hang takes the whole time limit, the remaining vectors of a rule are left out
    after a hang that is not declared, and so are those of other rules on which a hang would be attributed to the same
    rule, such as all vectors with a FIFO. After hangs in three rules, all remaining vectors are left out.

    Args:
        comparer: has the runner, and what is declared of it.
        tally: the counts to which the questions are added.
        operation: the operation that is called.
        vectors: golden vectors of the operation.
    """
    if not claims(comparer.runner, operation.name):
        yield from [None] * len(vectors)
        return
    counts = tally.operations[operation.name]
    unanswered = comparer.declarations.unanswered
    crashed: set[tuple[int, str]] = set()
    at_once = _AT_ONCE if can_pipeline(comparer.runner) and not comparer.draft else 1
    answered: dict[str, Answer] = {}
    hung_by: set[str] = set()

    def is_left_out(vector: Vector) -> bool:
        return counts.leaves_out(vector.rule) or (bool(hung_by) and _rule_of_hang(operation, vector) in hung_by)

    for place, vector in enumerate(vectors):
        if is_left_out(vector):
            counts.after_hangs[vector.rule] += 1
            yield None
            continue
        row = unanswered.get(vector.id)
        if row in crashed:
            counts.skipped += 1
            tally.rules[vector.rule].skipped += 1
            yield None
            continue
        if at_once > 1 and not row and vector.id not in answered:
            rest = (each for each in vectors[place:] if not (is_left_out(each) or each.id in unanswered))
            batch = list(islice(rest, at_once))
            answers = ask_runner(comparer.runner, operation, [each.case for each in batch], comparer.clock)
            answered = {each.id: answer for each, answer in zip(batch, answers, strict=False)}
        answer = answered.get(vector.id) or comparer.ask_runner(operation, vector.case)
        if isinstance(answer, NotClaimed):
            counts.not_claimed += 1
        else:
            counts.vectors += 1
        if isinstance(answer, Crash) and row:
            crashed.add(row)
        elif isinstance(answer, Crash) and answer.hung and not comparer.draft:
            counts.hung[vector.rule] += 1
            if rule := _rule_of_hang(operation, vector):
                hung_by.add(rule)
        yield answer


def _rule_of_hang(operation: Operation[Any], vector: Vector) -> str | None:
    """Return the special rule to which a hang on a vector is attributed; None if only a general rule is."""
    expected = vector.answer(running_series())
    if operation.general or expected is None:
        return None
    found = rule_of_hang(operation, vector.case, expected)
    return None if found.is_general else found.slug
