"""Asks a runner the golden vectors of an operation, and leaves out those that would only cost time."""

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Any, Literal

from parity.operations.answers import Answer, Crash, NotClaimed
from parity.operations.goldens import Vector
from parity.operations.operation import Operation
from parity.operations.series import running_series
from parity.runners import claims
from parity.runners.asking import can_pipeline
from parity.suite.attribution import rule_of_hang
from parity.suite.comparer import Comparer, ask_runner

_AT_ONCE = 64
"""Number of vectors in one request, for a runner that accepts several questions at once."""

MOST_RULES_HUNG = 3
"""Number of rules with a hang after which a test asks the runner nothing more."""

type NotAsked = Literal["left-out", "no-answer"]
"""Why a vector is not asked: after a hang, or because the runner is declared to give no answer."""


def ask_vectors(
    comparer: Comparer, operation: Operation[Any], vectors: Sequence[Vector]
) -> Iterator[Answer | NotAsked]:
    """Yield the runner's answer to each vector, or why it is not asked.

    If the runner is declared to give no answer to several vectors of a rule, and does not answer the first of them, the
    others are left out. Because each hang takes the whole time limit, the remaining vectors of a rule are left out
    after a hang that is not declared, and so are those of other rules on which a hang would be attributed to the same
    rule, such as all vectors with a FIFO. After hangs in three rules, all remaining vectors are left out.

    Args:
        comparer: has the runner and its declared divergences.
        operation: the operation that is called.
        vectors: golden vectors of the operation.
    """
    if not claims(comparer.runner, operation.name):
        yield from [NotClaimed(f"it has no {operation.name}")] * len(vectors)
        return
    unanswered = comparer.declarations.unanswered
    crashed: set[tuple[int, str]] = set()
    hung: set[str] = set()
    at_once = _AT_ONCE if can_pipeline(comparer.runner) and not comparer.draft else 1
    answered: dict[str, Answer] = {}
    hung_by: set[str] = set()

    def is_left_out(vector: Vector) -> bool:
        is_like_one = bool(hung_by) and _rule_of_hang(operation, vector) in hung_by
        return vector.rule in hung or len(hung) >= MOST_RULES_HUNG or is_like_one

    for place, vector in enumerate(vectors):
        if is_left_out(vector):
            yield "left-out"
            continue
        row = unanswered.get(vector.id)
        if row in crashed:
            yield "no-answer"
            continue
        if at_once > 1 and not row and vector.id not in answered:
            rest = (each for each in vectors[place:] if not (is_left_out(each) or each.id in unanswered))
            batch = list(islice(rest, at_once))
            answers = ask_runner(comparer.runner, operation, [each.case for each in batch], comparer.clock)
            answered = {each.id: answer for each, answer in zip(batch, answers, strict=False)}
        answer = answered.get(vector.id) or comparer.ask_runner(operation, vector.case)
        if isinstance(answer, Crash) and row:
            crashed.add(row)
        elif isinstance(answer, Crash) and answer.hung and not comparer.draft:
            hung.add(vector.rule)
            if rule := _rule_of_hang(operation, vector):
                hung_by.add(rule)
        yield answer


def _rule_of_hang(operation: Operation[Any], vector: Vector) -> str | None:
    """Return the special rule to which a hang on a vector is attributed; None if only a general rule is."""
    expected = vector.answer(running_series())
    if operation.general or expected is None:
        return None
    rule = rule_of_hang(operation, vector.case, expected)
    return None if rule.is_general else rule.slug
