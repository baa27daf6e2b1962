"""Tests the manifest of the golden files. An operation's golden vectors are tested together with its generated cases.

With `--snapshot-update`, the wheel's answers replace the recorded answers, and no runner is called.
"""

from parity.operations import OPERATIONS
from parity.operations.finding import GoldenFinding
from parity.operations.goldens import GoldenError, Vector, read_manifest, read_vectors
from parity.plugin.golden_fixture import Goldens
from parity.plugin.session import Session
from parity.suite.golden_recording import manifest
from parity.suite.golden_vectors import EDITED, STALE


def test_manifest(session: Session, golden: Goldens) -> None:
    """The manifest matches the reference whose answers were recorded, and the questions that it was asked."""
    vectors = {name: _read(name) for name in OPERATIONS}
    if damaged := {name: each.text for name, each in vectors.items() if isinstance(each, GoldenError)}:
        raise GoldenFinding("\n".join(damaged.values()), tuple(damaged))
    document = manifest(
        session.identity, {name: each for name, each in vectors.items() if not isinstance(each, GoldenError)}
    )
    if not session.recording:
        recorded = read_manifest()
        edited = tuple(name for name in OPERATIONS if document["questions"][name] != recorded["questions"].get(name))
        if edited:
            raise GoldenFinding(EDITED.format(operations=", ".join(edited)), edited)
        # The pydantic version may differ: the header reports it, and the vectors reveal its effects.
        document |= {key: value for key, value in recorded.items() if key.startswith("pydantic")}

    assert golden.holds("manifest", document), STALE


def _read(operation: str) -> list[Vector] | GoldenError:
    """Return the vectors of an operation, or the error if its file is damaged."""
    try:
        return read_vectors(operation)
    except GoldenError as error:
        return error
