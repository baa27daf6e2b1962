"""The list of equivalent mutants fits the modules, and a wrong answer of a mutant is found."""

from pathlib import Path

import pytest

from parity.operations import OPERATIONS
from parity.runners.asking import Clock
from parity.scorer import metrics
from tests.mutation.__main__ import change
from tests.mutation.ask_vectors import QUICKEST_FIRST, operations_for, wrong_answers
from tests.mutation.lists import equivalents, modules

_CHECKOUT = Path(__file__).parents[2]


def test_every_listed_mutant_can_be_made() -> None:
    """Each listed line exists in its module, which is mutated."""
    listed = equivalents()

    assert listed.keys() <= set(modules())
    for module, changes in listed.items():
        lines = {line.strip() for line in (_CHECKOUT / module).read_text(encoding="utf-8").splitlines()}
        assert {each.split(" => ")[0] for each in changes} <= lines


def test_a_wrong_answer_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """A mean that is a maximum gives a vector's id and the series; the clean room itself gives none."""
    aggregate, clock = OPERATIONS["aggregate"], Clock(60)
    right = list(wrong_answers(aggregate, clock))

    monkeypatch.setitem(metrics.METRICS, "mean", metrics.METRICS["max"])
    wrong = next(wrong_answers(aggregate, clock))

    assert not right
    assert wrong.endswith("as series 3.12")


def test_a_driver_is_asked_trials_and_jobs() -> None:
    """A module of the driver is asked about trials and jobs, quickest first; one of the scorer about everything."""
    assert operations_for("parity/driver/verifier.py") == ("run_trial", "run_job")
    assert operations_for("parity/driver/job.py") == ("run_job", "run_trial")
    assert operations_for("parity/scorer/stats.py") == QUICKEST_FIRST


def test_a_change_is_one_line() -> None:
    """A change has the line before and the line after, without the context in the diff."""
    diff = "--- mutation diff ---\n--- a/x.py\n+++ b/x.py\n@@ -1,3 +1,3 @@\n def f():\n-    return 1\n+    return 2\n"

    assert change(diff) == "return 1 => return 2"
