"""Tests for the conformance classes: groups of operations that a runner conforms to as a whole."""

import pytest

from parity.operations import OPERATIONS
from parity.suite.verdict import CLASSES, class_verdicts, conformance

_AGREES = dict.fromkeys(OPERATIONS, "agrees")


def test_each_operation_is_in_one_class() -> None:
    """Each operation is in exactly one class."""
    assert sorted(name for names in CLASSES.values() for name in names) == sorted(OPERATIONS)


def test_agreeing_runner_conforms_to_all() -> None:
    """A runner that agrees everywhere conforms to every class, and the line lists them all."""
    line = conformance(class_verdicts(_AGREES), "0.13.1")

    assert line == "conforms to harbor 0.13.1: files, aggregation, jobs, results, driver, environment, consumer"


@pytest.mark.parametrize(
    ("verdict", "expected"),
    [
        ("diverges: 1 rule pays out", "diverges"),
        ("diverges as declared in 2 cases, else agrees", "diverges"),
        ("undecided: 1 test failed", "undecided"),
        ("not claimed", "in part"),
        ("not asked", "in part"),
        ("agrees on vectors", "in part"),
        ("agrees where claimed; 3 not claimed", "in part"),
    ],
)
def test_class_conforms_only_if_all_its_operations_agree(verdict: str, expected: str) -> None:
    """A class conforms only if each of its operations agrees without reservation."""
    classes = class_verdicts({**_AGREES, "pass_at_k": verdict})

    assert classes == {**dict.fromkeys(CLASSES, "conforms"), "aggregation": expected}
    suffix = ", aggregation in part" if expected == "in part" else f"; {expected}: aggregation"
    assert conformance(classes, "1").endswith(suffix)


def test_operation_that_agrees_is_not_nothing() -> None:
    """If one operation of a class agrees, and nothing else is claimed, the runner conforms to this class in part."""
    classes = class_verdicts({**dict.fromkeys(OPERATIONS, "not claimed"), "aggregate": "agrees"})

    assert conformance(classes, "1") == "conforms to harbor 1: aggregation in part"


def test_class_that_was_not_asked_is_not_listed() -> None:
    """Classes that were not asked, or are not claimed, are not listed; a runner may conform to nothing."""
    classes = class_verdicts({"aggregate": "diverges: 1 rule pays out", "read_reward": "not claimed"})

    assert conformance(classes, "1") == "conforms to harbor 1: nothing; diverges: aggregation"
