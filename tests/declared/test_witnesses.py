"""Tests that a witness must be answered as declared, and that a finding otherwise has the line to change."""

from typing import Any
from unittest.mock import Mock

import pytest

from parity.operations import test_declared as suite
from parity.operations.answers import Answer, NotClaimed
from parity.operations.finding import SuiteFinding
from parity.runners.asking import Clock
from parity.suite.checker import Checker
from tests.declared.divergences import HIGHER, LOWER, RIGHT, Answers, declaring, diverging

_NAME = "aggregate/value other-value pays-out"


@pytest.mark.parametrize(
    ("reference", "runner", "lines"),
    [
        (
            RIGHT,
            LOWER,
            [
                f"MOVED DECLARATION {_NAME}",
                "  answers now answers the witness with {'a': 0.25}",
                "  if this is intended, change .:1 to:",
                """  runner = '{"value":{"a":{"f64":"3fd0000000000000"}}}'""",
                "  the witness now diverges by another harm; if this is intended, change .:1 to:",
                '  harm = "withholds"',
            ],
        ),
        (
            LOWER,
            HIGHER,
            [
                f"MOVED DECLARATION {_NAME}",
                "  the reference now answers the witness with {'a': 0.25}",
                "  if this is intended, change .:1 to:",
                """  reference = '{"value":{"a":{"f64":"3fd0000000000000"}}}'""",
            ],
        ),
        (
            RIGHT,
            RIGHT,
            [
                f"STALE DECLARATION {_NAME}: answers answers the witness as harbor does, {{'a': 0.5}}",
                "  remove the entry at .:1, or give it another witness",
            ],
        ),
        (
            RIGHT,
            NotClaimed("no metrics"),
            [
                f"STALE DECLARATION {_NAME}: answers does not answer the witness: no metrics",
                "  remove the entry at .:1, or give it another witness",
            ],
        ),
    ],
    ids=["runner", "reference", "mended", "not claimed"],
)
def test_witness_that_is_not_answered_as_declared_is_a_finding(
    reference: Answer, runner: Answer, lines: list[str]
) -> None:
    """A changed answer, a changed harm, and a witness that agrees or is not claimed are findings."""
    asked: Any = Answers(runner)
    checker = Checker(Answers(reference), asked, Clock(10.0))

    with pytest.raises(SuiteFinding) as found:
        suite.test_declared(declaring(diverging(HIGHER)), Mock(), checker)

    assert str(found.value).splitlines() == lines
