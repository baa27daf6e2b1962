"""The counts of failed tests, and of flags that no generated case carried."""

from collections import Counter
from types import SimpleNamespace
from typing import Any

from parity.judging.checking import Checker
from parity.judging.golden_vectors import check_vectors
from parity.judging.tally import Tally
from parity.operations.goldens import read_entries
from parity.operations.reason_code import REASON_CODE
from parity.operations.reason_code.vectors import VECTORS
from parity.pytest_plugin.profiles import PROFILES
from parity.pytest_plugin.session import Session
from parity.pytest_plugin.summary import unreached_lines
from parity.runners import CleanRoom
from parity.runners.asking import Clock
from parity.scorer import Series


def test_a_failure_counts_for_what_its_test_asks() -> None:
    """A failed test counts for its operations, and for all if it asks none."""
    tally = Tally()

    tally.note_failure(["aggregate"], draws=True)
    tally.note_failure([], draws=False)

    assert {name: counts.failures for name, counts in tally.operations.items()} == {
        **dict.fromkeys(tally.operations, 1),
        "aggregate": 2,
    }
    assert [name for name, counts in tally.operations.items() if counts.cut_short] == ["aggregate"]


def test_flags_are_missed_only_where_all_cases_were_drawn() -> None:
    """Unreached flags are reported only for operations whose tests were not cut short."""
    tally = Tally()
    tally.operations["aggregate"].cases = tally.operations["outcome"].cases = 1
    session: Any = SimpleNamespace(profile=PROFILES["default"], checker=SimpleNamespace(asks=True), tally=tally)

    whole = Session.unreached_flags(session)
    tally.note_failure(["aggregate"], draws=True)
    tally.note_failure(["outcome"], draws=False)

    assert list(whole) == ["aggregate", "outcome"]
    assert list(Session.unreached_flags(session)) == ["outcome"]


def test_a_golden_vector_reaches_its_flags() -> None:
    """Each flag counts the golden vectors that carry it and that the runner answers."""
    checker = Checker(CleanRoom(), CleanRoom(), Clock(600), verifies_goldens=False)
    carried = Counter(flag for entry in read_entries(REASON_CODE.name).values() for flag in entry["flags"])

    with checker.clock.installed():
        check_vectors(REASON_CODE, VECTORS, checker, Series.running(), recording=False)

    assert checker.tally.missing_flags(REASON_CODE.name) == carried


def test_a_line_for_flags_that_no_generated_case_carried() -> None:
    """The line about unreached flags counts the golden vectors that carry each."""
    unreached = {"run_job": {"earlier-lock": 3, "overflow": 1}, "outcome": {"unheard-of": 0}}

    lines = list(unreached_lines(unreached))

    assert lines == [
        "not reached by generated cases: run_job: earlier-lock (3 vectors carry it), overflow (1 vector carries it)",
        "not reached by generated cases: outcome: unheard-of (no vector carries it)",
    ]
