"""Golden vectors, three ways: what was recorded, what the wheel says now, and what the runner says.

With `--snapshot-update` the recorded answers are replaced by the wheel's, and no runner is asked.
"""

from typing import Any

import pytest
from syrupy.assertion import SnapshotAssertion

from parity.answers import Crash
from parity.asking import ask
from parity.checking import Checker
from parity.divergence import Finding, divergence_type
from parity.golden_snapshots import GoldenExtension
from parity.goldens import document_of, manifest, read_entries, record, recorded_answer
from parity.operations import OPERATIONS, Operation
from parity.replay import decode_answer, encode_answer
from parity.rules import RULES
from parity.runners import claims
from parity.session import Session
from parity.vectors import VECTORS
from parity.wire import Json, canonical

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

    def live(case: Any) -> Json:
        with operation.arguments(case) as arguments:
            return encode_answer(ask(checker.reference, operation.name, arguments))

    entries = record(operation, VECTORS[operation.name], live, series)
    if not golden.update_snapshots:
        _compare_three_ways(operation, session, {entry["id"]: recorded_answer(entry, series) for entry in entries})

    assert golden(name=operation.name) == document_of(operation.name, entries), _STALE


def test_manifest(session: Session, golden: SnapshotAssertion) -> None:
    """The manifest names the reference that the answers were recorded from."""
    who = session.identity
    identity = {"harbor": who.harbor, "wheel": who.wheel, "pydantic": who.pydantic, "pydantic_core": who.pydantic_core}
    counts = {name: len(vectors) for name, vectors in VECTORS.items()}

    document = manifest(identity, who.series, counts)

    assert golden(name="manifest") == document, _STALE


def _compare_three_ways(operation: Operation[Any], session: Session, live: dict[str, Json | None]) -> None:
    """Say of every vector whether the reference moved, the runner is wrong, or both."""
    series, checker = session.identity.series, session.checker
    findings: list[Finding] = []
    moved, missing = [], []
    hung = False  # each further hang would cost its whole time limit
    entries = read_entries(operation.name)
    for name, now in live.items():
        entry = entries.get(name)
        recorded = recorded_answer(entry, series) if entry else None
        if entry is None or recorded is None:
            missing.append(name)
            continue
        if canonical(recorded) != canonical(now):
            moved.append(f"  {name}: recorded {canonical(recorded)}, now {canonical(now)}")
        if hung or not claims(checker.runner, operation.name):
            continue
        case, expected = operation.decode(entry["input"]), decode_answer(operation, recorded)
        divergence = checker.check_vector(operation, case, expected, RULES[entry["rule"]])
        if divergence:
            hung = isinstance(divergence.runner, Crash)
            findings.append(divergence_type(divergence.rule.slug)(divergence, vector=name))
    if moved:
        listed = "\n".join(moved[:20])
        findings.append(
            Finding(
                f"THE REFERENCE MOVED in {operation.name}: the wheel no longer gives the answer recorded for "
                f"{len(moved)} vector(s). The runner is not to blame; compare the environment with "
                f"parity/reference/environment.txt.\n{listed}"
            )
        )
    if missing:
        findings.append(
            Finding(
                f"NOT RECORDED for series {series}: {len(missing)} vector(s) of {operation.name}, {missing[0]} first; "
                f"record them on such an interpreter with: pytest parity/ -k golden --snapshot-update"
            )
        )
    if findings:
        raise ExceptionGroup(f"golden vectors of {operation.name}", findings)
