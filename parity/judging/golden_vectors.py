"""Compares three answers to each golden vector: the recorded one, the wheel's answer today, and the runner's.

In a quick run, and in a run that draws cases in the environment of the recording, the wheel is asked again only if the
runner's answer is not the recorded one. A wheel of another release is always asked, and then only its answers count.
"""

from collections.abc import Callable, Sequence
from typing import Any

from parity.judging.checking import Checker
from parity.judging.comparing import left_out
from parity.judging.divergence import show_answers
from parity.judging.golden_recording import document_of, record
from parity.judging.vector_answers import ask_vectors, check_live, judge_vector
from parity.operations.answers import Answer, Crash, NotClaimed
from parity.operations.finding import GoldenFinding, SuiteFinding
from parity.operations.goldens import GoldenEntry, read_entries, recorded_answer
from parity.operations.operation import HARBOR, Operation, decode_answer, encode_answer
from parity.operations.vector import Vector
from parity.operations.wire import Json, canonical
from parity.reference import ENVIRONMENT_FILE
from parity.runners import claims
from parity.scorer.series import Series

_RECORD = "in a checkout with: pytest parity/ -k golden --snapshot-update"
STALE = f"the golden file is not what recording writes today; record it {_RECORD}"


def _as_recorded(
    vectors: Sequence[Vector], inputs: dict[str, Json], recorded_entries: dict[str, GoldenEntry]
) -> list[GoldenEntry]:
    """Return an entry for each of today's vectors, with the recorded answers."""
    return [
        {**recorded_entries.get(each.id, {}), "id": each.id, "rule": each.rule, "input": inputs[each.id]}
        for each in vectors
    ]


def _compare_three_ways(
    operation: Operation[Any],
    checker: Checker,
    series: Series,
    recorded_entries: dict[str, GoldenEntry],
    vectors: Sequence[Vector],
    now: list[GoldenEntry],
    ask_now: Callable[[Any], Json | None],
) -> None:
    """Compare the recorded answer, the reference's and the runner's to every vector.

    Raises:
        ExceptionGroup: of findings: the reference has changed, the runner is wrong, or a vector is not recorded.
    """
    findings: list[SuiteFinding] = []
    moved, missing, stale = [], [], []
    known: list[tuple[GoldenEntry, Json, Any]] = []
    for vector, entry in zip(vectors, now, strict=True):
        name, before = entry["id"], recorded_entries.get(entry["id"])
        recorded = recorded_answer(before, series) if before else None
        if before is None or recorded is None:
            missing.append(name)
            continue
        if canonical(before["input"]) != canonical(entry["input"]):
            stale.append(name)
            continue
        if left_out(operation, vector.case):
            checker.tally.operations[operation.name].vectors_left_out += 1
            continue
        known.append((entry, recorded, vector.case))
    hung = not claims(checker.runner, operation.name)
    answers = ask_vectors(checker, operation, [case for _, _, case in known])
    for entry, recorded, case in known:
        name = entry["id"]
        golden = decode_answer(operation, recorded)
        answered = recorded_answer(entry, series)
        same = answered is recorded or canonical(answered) == canonical(recorded)
        live = golden if same else decode_answer(operation, answered)
        answer = None if hung else next(answers)
        if not checker.verifies_goldens and answer is not None and operation.compare(case, golden, answer):
            text = ask_now(case)
            live = golden if text is None else decode_answer(operation, text)
            operation.remember(case, live)
        stands = live is golden or operation.compare(case, golden, live) is None
        if isinstance(answer, Crash) and answer.hung and not checker.draft:
            hung = True  # each further question would cost its time limit
        if not stands:
            moved.append(f"  {name}: {_sides(operation, case, golden, live, answer)}")
        if answer is None:
            checker.tally.rules[entry["rule"]].skipped += not hung
            continue
        excused = not stands and operation.compare(case, golden, answer) is None
        finding = judge_vector(operation, checker, name, entry["rule"], case, (live, answer), excused=excused)
        findings += [finding] if finding else []
    if moved:
        findings.append(
            GoldenFinding(
                _MOVED.format(
                    operation=operation.name, count=len(moved), pins=ENVIRONMENT_FILE, rows="\n".join(moved[:20])
                )
            )
        )
    if stale:
        findings.append(GoldenFinding(f"{STALE} ({len(stale)} input(s) of {operation.name} changed, {stale[0]} first)"))
    if missing:
        findings.append(
            GoldenFinding(
                f"NOT RECORDED for series {series}: {len(missing)} vector(s) of {operation.name}, {missing[0]} first; "
                f"record them on such an interpreter {_RECORD}"
            )
        )
    if findings:
        raise ExceptionGroup(f"golden vectors of {operation.name}", findings)


_MOVED = (
    "THE REFERENCE MOVED in {operation}: the wheel no longer gives the answer recorded for {count} vector(s). "
    "Compare the environment with {pins}.\n{rows}"
)


def _sides(operation: Operation[Any], case: Any, golden: Answer, live: Answer, answer: Answer | None) -> str:
    """Return a text with the recorded answer and today's, which says which of them the runner gives."""
    recorded, now = show_answers(golden, live)
    text = f"recorded {recorded}, now {now}"
    if answer is None or isinstance(answer, NotClaimed):
        return text
    sides = {"golden": golden, "the wheel": live}
    agreed = [side for side, known in sides.items() if not operation.compare(case, known, answer)]
    return f"{text}; the runner agrees with {' and '.join(agreed) or 'neither'}"


def check_vectors(
    operation: Operation[Any], vectors: Sequence[Vector], checker: Checker, series: Series, *, recording: bool
) -> dict[str, Json]:
    """Check that recorded answers, the wheel and the runner agree on every vector of an operation.

    If the wheel is of another release than the recorded one, only the wheel and the runner are compared.

    Args:
        operation: the operation.
        vectors: all its vectors, in order.
        checker: asks both sides, and counts.
        series: the series of the running interpreter.
        recording: whether the wheel's answers will replace the recorded ones; then no runner is asked.

    Returns:
        The golden file as recording would write it today.

    Raises:
        ExceptionGroup: of findings, if the answers differ.
    """

    def live(case: Any) -> Json | None:
        answer = operation.settle(case, checker.ask_reference(operation, case))
        return None if isinstance(answer, NotClaimed) else encode_answer(answer)

    inputs = {vector.id: operation.encode(vector.case) for vector in vectors}
    recorded_entries = read_entries(operation.name, inputs)
    if not checker.goldens_count and operation.authority(frozenset()) == HARBOR:
        check_live(operation, vectors, checker)
        return document_of(operation.name, list(recorded_entries.values()))
    if recording or checker.verifies_goldens:
        entries = record(operation, vectors, recorded_entries, live, series)
    else:
        entries = _as_recorded(vectors, inputs, recorded_entries)
    if not recording:
        _compare_three_ways(operation, checker, series, recorded_entries, vectors, entries, live)
    return document_of(operation.name, entries)
