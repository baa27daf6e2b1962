"""The counts of failed tests."""

from parity.suite.tally import Tally


def test_a_failure_counts_for_what_its_test_asks() -> None:
    """A failed test counts for its operations, and for all if it asks none."""
    tally = Tally()

    tally.note_failure(["aggregate"])
    tally.note_failure([])

    assert {name: counts.failures for name, counts in tally.operations.items()} == {
        **dict.fromkeys(tally.operations, 1),
        "aggregate": 2,
    }
