"""The authority for each expected answer: the wheel, or the scoring description if no wheel answers."""

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
    """Return the installed wheel and the other authorities."""
    return open_reference()


@pytest.mark.parametrize("operation", OPERATIONS)
def test_a_wheel_answers_what_it_implements(operation: str, reference: Reference) -> None:
    """The wheel answers exactly the operations that it implements; all authorities together answer every operation."""
    assert claims(reference.wheel, operation) == (operation not in _DESCRIBED)
    assert claims(reference.authorities, operation)


def test_harbor_stands_for_the_wheel_alone() -> None:
    """Answers of the scoring description are labelled as such."""
    labels = {name: operation.authority(frozenset()) for name, operation in OPERATIONS.items()}

    assert labels == {name: DESCRIPTION if name in _DESCRIBED else "harbor" for name in OPERATIONS}


def test_documented_scoring_is_that_of_verifiers() -> None:
    """The flag for documented scoring makes verifiers the authority."""
    assert OPERATIONS["harbor_env"].authority(frozenset({"documented"})) == "verifiers"


def test_reports_name_the_description() -> None:
    """Reports name the scoring description, in the terminal and in the record."""
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
