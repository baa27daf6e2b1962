"""Finds the golden vector that the runner fails and that is most like a diverging case.

A general rule says little about a case. The vector is a hint in the report; no verdict depends on it.
"""

from collections import defaultdict
from collections.abc import Callable
from functools import partial
from typing import Any

from parity.operations.answers import Crash, NotClaimed
from parity.operations.goldens import Vector, read_vectors
from parity.operations.operation import Operation
from parity.operations.series import running_series
from parity.operations.wire import Json, canonical
from parity.suite.checker import Checker
from parity.suite.comparer import left_out
from parity.suite.divergence import Divergence


def similar_vector(checker: Checker, divergence: Divergence) -> str | None:
    """Return the id of the most similar vector that the runner fails; None if it fails none, or if this is unknown.

    Similarity is the share of pieces of three characters that both cases have in common in JSON, times the share of the
    vectors of the same rule that the runner fails. If the vectors were not asked in this process, those that may be the
    most similar are asked now, once, until the runner hangs or dies.
    """
    if divergence.wire_form is None:
        return None
    operation = divergence.operation
    try:
        with checker.clock.installed():
            fails = partial(_fails, checker, operation)
            return _most_similar(divergence.wire_form, read_vectors(operation.name), fails)
    except Exception:  # a hint must not hide the finding
        return None


def _fails(checker: Checker, operation: Operation[Any], vector: Vector) -> bool | None:
    """Return whether the runner fails a vector; None if this is unknown."""
    failed = checker.failed_vectors[operation.name]
    if vector.id not in failed and operation.name not in checker.judged_vectors:
        failed[vector.id] = _ask(checker, operation, vector)
    return failed.get(vector.id)


def _ask(checker: Checker, operation: Operation[Any], vector: Vector) -> bool | None:
    recorded = vector.answer(running_series()) if checker.goldens_count else None
    if recorded is None or left_out(operation, vector.case):
        return None
    actual = checker.ask_runner(operation, vector.case)
    if isinstance(actual, Crash):
        checker.judged_vectors.add(operation.name)  # the next vector could take the whole time limit
    return None if isinstance(actual, NotClaimed) else bool(operation.compare(vector.case, recorded, actual))


def _most_similar(case: Json, vectors: list[Vector], fails: Callable[[Vector], bool | None]) -> str | None:
    of_rule: defaultdict[str, list[Vector]] = defaultdict(list)
    for vector in vectors:
        of_rule[vector.rule].append(vector)
    pieces = _pieces(case)
    alike = {vector.id: _likeness(pieces, _pieces(vector.input)) for vector in vectors}
    most_similar, best = None, 0.0
    for vector in sorted(vectors, key=lambda each: -alike[each.id]):
        if alike[vector.id] <= best:
            break
        if fails(vector):
            answered = [failed for each in of_rule[vector.rule] if (failed := fails(each)) is not None]
            similarity = alike[vector.id] * sum(answered) / len(answered)
            if similarity > best:
                most_similar, best = vector.id, similarity
    return most_similar


def _pieces(case: Json) -> set[str]:
    text = canonical(case)
    return {text[start : start + 3] for start in range(len(text) - 2)}


def _likeness(left: set[str], right: set[str]) -> float:
    """Return the share of common pieces, from 0 to 1."""
    return 2 * len(left & right) / (len(left) + len(right) or 1)
