"""The documented releases are those with known wheels."""

from parity.reference.releases import wheel_hashes
from tests.releases.table import documented_gaps


def test_all_are_documented() -> None:
    """All known releases are documented, in order."""
    assert list(documented_gaps()) == list(wheel_hashes())
