"""The test of the golden files' manifest. The vectors of an operation are tested together with its drawn cases.

With `--snapshot-update` the recorded answers are replaced by the wheel's, and no runner is asked.
"""

from parity.judging.golden_recording import manifest
from parity.judging.golden_vectors import STALE
from parity.operations.goldens import read_manifest
from parity.operations.vectors import VECTORS
from parity.pytest_plugin.golden_fixture import Goldens
from parity.pytest_plugin.session import Session


def test_manifest(session: Session, golden: Goldens) -> None:
    """The manifest names the reference that the answers were recorded from, and counts them."""
    document = manifest(session.identity, {name: len(vectors) for name, vectors in VECTORS.items()})
    if not golden.recording:  # the header reports another pydantic, and the vectors show its effects
        document = {**document, **{key: value for key, value in read_manifest().items() if key.startswith("pydantic")}}

    assert golden.holds("manifest", document), STALE
