"""Golden vectors, three ways: what was recorded, what the wheel says now, and what the runner says.

With `--snapshot-update` the recorded answers are replaced by the wheel's, and no runner is asked.
"""

from typing import Any

import pytest
from syrupy.assertion import SnapshotAssertion

from parity.judging.checking import Checker
from parity.judging.divergence import Finding, divergence_found, show_answer
from parity.judging.replay import decode_answer, encode_answer
from parity.operations import OPERATIONS
from parity.operations.answers import Answer, Crash, NotClaimed
from parity.operations.goldens import Entry, document_of, manifest, read_entries, read_manifest, record, recorded_answer
from parity.operations.operation import Operation
from parity.operations.rules import RULES
from parity.operations.vectors import VECTORS
from parity.operations.wire import Json, canonical
from parity.pytest_plugin.golden_snapshots import GoldenExtension
from parity.pytest_plugin.session import Session
from parity.report.answers import digits
from parity.runners import claims

_STALE = (
    "the golden file is not what recording writes today; record it with: pytest parity/ -k golden --snapshot-update"
)


@pytest.fixture
def golden(snapshot: SnapshotAssertion) -> SnapshotAssertion:
    """The golden files as snapshots."""
    return snapshot.use_extension(GoldenExtension)


@pytest.mark.parametrize("operation", OPERATIONS.values(), ids=OPERATIONS)
def test_golden(operation: Operation[Any], session: Session, checker: Checker, golden: SnapshotAssertion) -> None:
    """Recorded answers, the wheel and the runner agree on every vector."""
    series = session.identity.series

    def live(case: Any) -> Json | None:
        answer = operation.settle(case, checker.ask_reference(operation, case))
        return None if isinstance(answer, NotClaimed) else encode_answer(answer)

    entries = record(operation, VECTORS[operation.name], live, series)
    _check_what_is_by_hand(operation, session)
    if not golden.update_snapshots:
        _compare_three_ways(operation, session, entries)

    assert golden(name=operation.name) == document_of(operation.name, entries), _STALE


def test_manifest(session: Session, golden: SnapshotAssertion) -> None:
    """The manifest names the reference that the answers were recorded from, and counts them."""
    document = manifest(session.identity, {name: len(vectors) for name, vectors in VECTORS.items()})
    if not golden.update_snapshots:  # another pydantic is told in the header; what it changes, the vectors show
        document = {**document, **{key: value for key, value in read_manifest().items() if key.startswith("pydantic")}}

    assert golden(name="manifest") == document, _STALE


def _check_what_is_by_hand(operation: Operation[Any], session: Session) -> None:
    """Where answers were derived by hand, what stands in for the wheel must agree with them."""
    findings = []
    for vector in VECTORS[operation.name]:
        if vector.by_hand is not None:
            derived = vector.by_hand[session.identity.series]
            answer = session.checker.ask_reference(operation, vector.case)
            if operation.compare(vector.case, derived, answer):
                told = f"derived {show_answer(derived)}, answered {show_answer(answer)}"
                findings.append(Finding(f"THE REFERENCE IS WRONG about {vector.id}: {told}"))
    if findings:
        raise ExceptionGroup(f"answers of {operation.name} that were derived by hand", findings)


def _compare_three_ways(operation: Operation[Any], session: Session, now: list[Entry]) -> None:
    """Say of every vector whether the reference moved, the runner is wrong, or both."""
    series, checker = session.identity.series, session.checker
    recorded_entries = read_entries(operation.name)
    findings: list[Finding] = []
    moved, missing, stale = [], [], []
    hung = not claims(checker.runner, operation.name)
    for entry in now:
        name, before = entry["id"], recorded_entries.get(entry["id"])
        recorded = recorded_answer(before, series) if before else None
        if before is None or recorded is None:
            missing.append(name)
            continue
        if canonical(before["input"]) != canonical(entry["input"]):
            stale.append(name)
            continue
        golden, live = (decode_answer(operation, answer) for answer in (recorded, recorded_answer(entry, series)))
        case = operation.decode(entry["input"])
        stands = operation.compare(case, golden, live) is None
        answer = None if hung else checker.ask_vector(operation, case)
        if isinstance(answer, Crash) and answer.hung and not checker.draft:
            hung = True  # each further one would cost its time limit
        if not stands:
            moved.append(f"  {name}: {_sides(operation, case, golden, live, answer)}")
        if answer is None:
            checker.tally.rules[entry["rule"]].spared += not hung
            continue
        divergence = checker.compare(operation, case, live, answer, RULES[entry["rule"]])
        broken = divergence is not None and (stands or operation.compare(case, golden, answer) is not None)
        found = (divergence.rule.slug, divergence.harm) if divergence and broken else None
        declared = broken and checker.is_declared(operation, case, live, answer)
        claimed = not isinstance(answer, NotClaimed)
        if claimed:
            checker.tally.answers.setdefault(operation.name, {})[name] = digits(operation, case, answer)
        checker.tally.note_vector(entry["rule"], found, claimed=claimed, declared=declared)
        if divergence and broken and not declared:
            findings.append(divergence_found(divergence, vector=name))
    if moved:
        findings.append(Finding(_MOVED.format(operation=operation.name, count=len(moved), rows="\n".join(moved[:20]))))
    if stale:
        findings.append(Finding(f"{_STALE} ({len(stale)} input(s) of {operation.name} changed, {stale[0]} first)"))
    if missing:
        findings.append(
            Finding(
                f"NOT RECORDED for series {series}: {len(missing)} vector(s) of {operation.name}, {missing[0]} first; "
                f"record them on such an interpreter with: pytest parity/ -k golden --snapshot-update"
            )
        )
    if findings:
        raise ExceptionGroup(f"golden vectors of {operation.name}", findings)


_MOVED = (
    "THE REFERENCE MOVED in {operation}: the wheel no longer gives the answer recorded for {count} vector(s). "
    "Compare the environment with parity/reference/environment.txt.\n{rows}"
)


def _sides(operation: Operation[Any], case: Any, golden: Answer, live: Answer, answer: Answer | None) -> str:
    """The answers of a vector whose reference moved, and which of them the runner gives."""
    told = f"recorded {show_answer(golden)}, now {show_answer(live)}"
    if answer is None or isinstance(answer, NotClaimed):
        return told
    sides = {"golden": golden, "the wheel": live}
    agreed = [side for side, known in sides.items() if not operation.compare(case, known, answer)]
    return f"{told}; the runner agrees with {' and '.join(agreed) or 'neither'}"
