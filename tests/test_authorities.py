"""Whose word an answer of the reference is: the wheel's, but for the operations that no wheel implements."""

from pathlib import Path

import pytest

from parity.judging.divergence import Divergence, describe
from parity.judging.divergence_records import divergence_record
from parity.judging.replay import WrittenReplay
from parity.operations import OPERATIONS
from parity.operations.answers import Fault, Value
from parity.operations.compare import compare_answers
from parity.operations.operation import DESCRIPTION
from parity.operations.reason_code import REASON_CODE, ErrorText
from parity.operations.rules import RULES
from parity.reference import Reference, open_reference
from parity.runners import claims

_DESCRIBED = {"outcome", "reason_code"}


@pytest.fixture(scope="module")
def reference() -> Reference:
    """The installed wheel, and who stands beside it."""
    return open_reference()


@pytest.mark.parametrize("operation", OPERATIONS)
def test_a_wheel_answers_what_it_implements(operation: str, reference: Reference) -> None:
    """It has no method for what only the description says; together, everything is answered."""
    assert claims(reference.wheel, operation) == (operation not in _DESCRIBED)
    assert claims(reference.authorities, operation)


def test_harbor_stands_for_the_wheel_alone() -> None:
    """What the description says is labelled as its word."""
    labels = {name: operation.authority(frozenset()) for name, operation in OPERATIONS.items()}

    assert labels == {name: DESCRIPTION if name in _DESCRIBED else "harbor" for name in OPERATIONS}


def test_documented_scoring_is_that_of_verifiers() -> None:
    """The flag says which contract a case is about."""
    assert OPERATIONS["harbor_env"].authority(frozenset({"documented"})) == "verifiers"


def test_reports_name_the_description() -> None:
    """In the terminal as in the record."""
    expected, actual = Value("harbor_reward_empty"), Fault("ValueError")
    difference = compare_answers(expected, actual)
    assert difference
    case = REASON_CODE.encode(ErrorText("reward empty"))
    rule = RULES["reason-code/code"]
    divergence = Divergence("reason_code", rule, frozenset(), case, expected, actual, difference, "mine")
    replay = WrittenReplay("pytest …", Path("case.json"))

    rows = describe(divergence, replay.command)
    record = divergence_record(divergence, replay, tests=("t",))

    assert (DESCRIPTION, "'harbor_reward_empty'") in rows
    assert record["authority"] == DESCRIPTION
    assert not any("harbor" in label for label, _ in rows)
