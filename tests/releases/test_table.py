"""The documented releases are those whose wheels are known."""

from parity.reference.releases import wheel_hashes
from tests.releases.table import documented_gaps


def test_all_are_documented() -> None:
    """In order; what each answers is asked by the tests of releases."""
    assert list(documented_gaps()) == list(wheel_hashes())
