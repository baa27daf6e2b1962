"""The test of the golden files' manifest. The vectors of an operation are tested together with its drawn cases.

With `--snapshot-update` the recorded answers are replaced by the wheel's, and no runner is asked.
"""

from parity.operations import OPERATIONS
from parity.operations.finding import GoldenFinding
from parity.operations.goldens import read_manifest, read_vectors
from parity.suite.golden_recording import manifest
from parity.suite.golden_vectors import EDITED, STALE
from parity.suite.plugin.golden_fixture import Goldens
from parity.suite.plugin.session import Session


def test_manifest(session: Session, golden: Goldens) -> None:
    """The manifest names the reference that the answers were recorded from, and the questions that it was asked."""
    document = manifest(session.identity, {name: read_vectors(name) for name in OPERATIONS})
    if not session.recording:
        recorded = read_manifest()
        edited = [name for name in OPERATIONS if document["questions"][name] != recorded["questions"].get(name)]
        if edited:
            raise GoldenFinding(EDITED.format(operations=", ".join(edited)))
        # The header reports another pydantic, and the vectors show its effects.
        document |= {key: value for key, value in recorded.items() if key.startswith("pydantic")}

    assert golden.holds("manifest", document), STALE
