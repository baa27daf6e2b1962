"""Compares three answers to each golden vector: the recorded one, the wheel's current one, and the runner's.

A quick run asks the wheel again only if the runner's answer is not the recorded one. So does a run that generates
cases, if its environment is the one in which the vectors were recorded. A wheel of a release other than the recorded
one is always asked, and its answers then replace the recorded ones.
"""

from collections.abc import Callable, Sequence
from typing import Any

from parity.operations.answers import Answer, NotClaimed
from parity.operations.finding import GoldenFinding
from parity.operations.goldens import Vector, read_vectors
from parity.operations.operation import HARBOR, Operation, decode_answer, encode_answer
from parity.operations.wire import Json, canonical
from parity.reference import ENVIRONMENT_FILE
from parity.reference.identity import GoldenOnly
from parity.scorer.series import Series
from parity.suite.checker import Checker
from parity.suite.comparer import left_out
from parity.suite.divergence import show_answers
from parity.suite.golden_recording import Recording, document_of, record
from parity.suite.harm import counted
from parity.suite.vector_answers import AnsweredVector, check_live, judge_vectors

_RECORD = "in a checkout with: pytest parity/ -k golden --snapshot-update"
STALE = f"the golden file is not what recording writes today; record it {_RECORD}"
EDITED = (
    "the golden questions of {operations} are not those that were recorded: a vector was added, removed or edited; "
    f"record them {_RECORD}, or restore them with: git checkout golden"
)


def _compare_three_ways(
    operation: Operation[Any],
    checker: Checker,
    series: Series,
    vectors: Sequence[Vector],
    now: Sequence[Vector],
    ask_now: Callable[[Any], Json | None],
) -> None:
    """Compare the recorded answer, the reference's answer and the runner's answer to every vector.

    Args:
        operation: the operation.
        checker: asks both sides, and counts.
        series: the series of the running interpreter.
        vectors: all vectors of the operation, as recorded.
        now: the same vectors with the reference's current answers, or with the recorded ones if it was not called.
        ask_now: returns the reference's current answer to a case in wire form, or None.

    Raises:
        ExceptionGroup: the findings: the reference has changed, the runner is wrong, or a vector is not recorded.
    """
    answered: list[AnsweredVector] = []
    changes: list[str] = []
    is_contradicted = False
    asks_again = not (checker.verifies_goldens or isinstance(checker.reference, GoldenOnly))
    missing = [vector.id for vector in vectors if series not in vector.answers]
    recorded = []
    for vector, today in zip(vectors, now, strict=True):
        if left_out(operation, vector.case):
            checker.count("needs-modes", operation.name, source="vector", rule=vector.rule)
        elif series in vector.answers:
            recorded.append((vector, today))
    answers = checker.take_answers(operation, [vector for vector, _ in recorded])
    for (vector, today), answer in zip(recorded, answers, strict=True):
        golden, case = vector.answer(series), vector.case
        assert golden is not None
        same = canonical(today.answers[series]) == canonical(vector.answers[series])
        live = golden if same else today.answer(series)
        assert live is not None
        if asks_again and answer is not None and operation.compare(case, golden, answer):
            wire_form = ask_now(case)
            live = golden if wire_form is None else decode_answer(operation, wire_form)
        is_unchanged = live is golden or operation.compare(case, golden, live) is None
        if not is_unchanged:
            changes.append(f"  {vector.id}: {_sides(operation, case, golden, live, answer)}")
            is_contradicted |= answer is not None and operation.compare(case, live, answer) is None
        if answer is not None:
            is_excused = not is_unchanged and operation.compare(case, golden, answer) is None
            answered.append(AnsweredVector(vector, live, answer, is_excused))
    findings = judge_vectors(operation, checker, answered)
    if changes:
        findings.append(
            GoldenFinding(
                _MOVED.format(
                    operation=operation.name,
                    count=counted(len(changes), "vector"),
                    first=_IF_EDITED if is_contradicted else "",
                    pins=ENVIRONMENT_FILE,
                    rows="\n".join(changes[:20]),
                )
            )
        )
    if missing:
        findings.append(
            GoldenFinding(
                f"NOT RECORDED for series {series}: {counted(len(missing), 'vector')} of {operation.name}, "
                f"{missing[0]} first; record them on such an interpreter {_RECORD}"
            )
        )
    if findings:
        raise ExceptionGroup(f"golden vectors of {operation.name}", findings)


_MOVED = (
    "THE REFERENCE MOVED in {operation}: the wheel no longer gives the answer recorded for {count}. "
    "{first}Compare the environment with {pins}.\n{rows}"
)
_IF_EDITED = (
    "The wheel and the runner agree, so see first whether a recorded answer was edited: git diff golden. If so, "
    "restore it with: git checkout golden. "
)


def _sides(operation: Operation[Any], case: Any, golden: Answer, live: Answer, answer: Answer | None) -> str:
    """Return the recorded answer, the current one, and which of the two the runner agrees with."""
    before, now = show_answers(golden, live)
    line = f"recorded {before}, now {now}"
    if answer is None or isinstance(answer, NotClaimed):
        return line
    sides = {"golden": golden, "the wheel": live}
    agreed = [side for side, each in sides.items() if not operation.compare(case, each, answer)]
    return f"{line}; the runner agrees with {' and '.join(agreed) or 'neither'}"


def check_vectors(
    operation: Operation[Any], checker: Checker, series: Series, recording: Recording | None = None
) -> dict[str, Json]:
    """Check that recorded answers, the wheel and the runner agree on every vector of an operation.

    If the wheel is of another release than the recorded answers, only the wheel and the runner are compared.

    Args:
        operation: the operation.
        checker: asks both sides, and counts.
        series: the series of the running interpreter.
        recording: counts the wheel's answers, if they will replace the recorded ones; then no runner is called.

    Returns:
        The golden file as recording would write it today.

    Raises:
        ExceptionGroup: the findings, if the answers differ.
        GoldenError: the golden file is damaged.
    """

    def live(case: Any) -> Json | None:
        answer = operation.with_stable_order(case, checker.ask_reference(operation, case))
        return None if isinstance(answer, NotClaimed) else encode_answer(answer)

    vectors = read_vectors(operation.name)
    now = vectors
    if not checker.goldens_count and operation.authority(frozenset()) == HARBOR:
        check_live(operation, vectors, checker)
        return document_of(operation.name, vectors)
    if recording or checker.verifies_goldens:
        now = record(vectors, live, series, recording or Recording())
    if not recording:
        _compare_three_ways(operation, checker, series, vectors, now, live)
    return document_of(operation.name, now)
