"""Tests that each expected answer comes from the right authority.

The authority is the wheel, or the scoring description for operations that the wheel does not implement.
"""

from pathlib import Path
from typing import Any

import pytest

from parity.operations import OPERATIONS
from parity.operations.answers import NotClaimed
from parity.operations.goldens import read_vectors
from parity.operations.operation import DESCRIPTION
from parity.operations.reason_code import REASON_CODE, ErrorText
from parity.operations.rollout.scenario import EnvScenario
from parity.operations.series import running_series
from parity.reference import Reference, open_reference
from parity.runners import CleanRoom, claims
from parity.runners.asking import Clock
from parity.suite.checker import Checker

_DESCRIBED = ("outcome", "reason_code")


class _Silent(CleanRoom):
    """A runner that gives wrong answers for operations that the wheel does not decide."""

    def outcome(self, result: Path) -> Any:
        return None

    def reason_code(self, text: str | None) -> Any:
        return "no_such_code"

    def harbor_env(self, scenario: EnvScenario) -> Any:
        return None


@pytest.fixture(scope="module")
def reference() -> Reference:
    """Return the reference, which is the installed wheel."""
    return open_reference()


@pytest.mark.parametrize("operation", OPERATIONS)
def test_wheel_answers_what_it_implements(operation: str, reference: Reference) -> None:
    """The wheel answers every operation except those that the scoring description decides."""
    assert claims(reference.wheel, operation) == (operation not in _DESCRIBED)


@pytest.mark.parametrize("operation", [*_DESCRIBED, "harbor_env"])
def test_recorded_answer_is_expected_without_a_wheel(operation: str, reference: Reference) -> None:
    """If the wheel does not decide an operation, vectors expect their recorded answer, and other cases expect none."""
    checker = Checker(reference.wheel, _Silent(), Clock(Clock.DEFAULT))
    operation_asked = OPERATIONS[operation]
    vector = next(each for each in read_vectors(operation) if not each.rule.startswith("harbor-env/"))

    divergence = checker.diverges(operation_asked, vector.case)

    assert divergence
    assert divergence.rule.slug == vector.rule
    assert checker.ask_reference(operation_asked, vector.case) == vector.answer(running_series())
    assert isinstance(checker.ask_reference(REASON_CODE, ErrorText("of no vector")), NotClaimed)


def test_each_operation_has_its_authority() -> None:
    """The authority is the scoring description for the operations that it decides, and Harbor for all others."""
    labels = {name: operation.authority(read_vectors(name)[0].case) for name, operation in OPERATIONS.items()}

    assert labels == {name: DESCRIPTION if name in _DESCRIBED else "harbor" for name in OPERATIONS}


def test_documented_scoring_is_decided_by_verifiers() -> None:
    """The authority for documented scoring is verifiers."""
    documented = next(each.case for each in read_vectors("harbor_env") if each.case.scoring == "documented")

    assert OPERATIONS["harbor_env"].authority(documented) == "verifiers"
