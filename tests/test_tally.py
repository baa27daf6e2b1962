"""What is counted of failed tests, and what follows for flags that no case carried."""

from types import SimpleNamespace
from typing import Any

from parity.judging.tally import Tally
from parity.pytest_plugin.profiles import PROFILES
from parity.pytest_plugin.session import Session


def test_a_failure_counts_for_what_its_test_asks() -> None:
    """One that asks nothing concerns all."""
    tally = Tally()

    tally.note_failure(["aggregate"], draws=True)
    tally.note_failure([], draws=False)

    assert {name: counts.failures for name, counts in tally.operations.items()} == {
        **dict.fromkeys(tally.operations, 1),
        "aggregate": 2,
    }
    assert [name for name, counts in tally.operations.items() if counts.cut_short] == ["aggregate"]


def test_flags_are_missed_only_where_all_cases_were_drawn() -> None:
    """A failure stops the draws, so that nothing is known of the flags that no case carried by then."""
    tally = Tally()
    tally.operations["aggregate"].cases = tally.operations["outcome"].cases = 1
    session: Any = SimpleNamespace(profile=PROFILES["default"], checker=SimpleNamespace(asks=True), tally=tally)

    whole = Session.unreached_flags(session)
    tally.note_failure(["aggregate"], draws=True)
    tally.note_failure(["outcome"], draws=False)

    assert list(whole) == ["aggregate", "outcome"]
    assert list(Session.unreached_flags(session)) == ["outcome"]
