"""Tests that each way in which a sabotaged function can end is told apart."""

import pytest

from parity.operations import OPERATIONS
from parity.operations.answers import Fault
from parity.operations.goldens import read_vectors
from parity.suite.checker import Checker
from parity.suite.findings import Recorder
from tests.sabotage import __main__ as command
from tests.sabotage.__main__ import mistake
from tests.sabotage.judged import Pair

_VECTORS = tuple(each for each in read_vectors("trial_score") if each.id.startswith("trial-score/value/"))
_SABOTAGED = Pair(OPERATIONS["trial_score"], "parity.scorer.job_directory.trial_score:trial_score", _VECTORS)
_UNREACHED = Pair(OPERATIONS["trial_score"], "parity.scorer.outcome:outcome", _VECTORS[:1])


def test_divergence_is_as_it_should_be() -> None:
    """A function that makes the clean room diverge is no mistake."""
    assert mistake(_SABOTAGED) == ("divergence", None)


def test_function_without_a_divergence_is_a_mistake() -> None:
    """A function that changes no answer has to be listed."""
    line = f"{' '.join(_UNREACHED.name)}: it does not diverge in 1 vector, and is not listed"

    assert mistake(_UNREACHED) == ("neither", line)


def test_listed_function_must_not_diverge(monkeypatch: pytest.MonkeyPatch) -> None:
    """A listed function may change no answer, and is a mistake if it does."""
    monkeypatch.setattr(command, "listed", lambda: {_SABOTAGED.name: "a reason", _UNREACHED.name: "a reason"})

    assert mistake(_UNREACHED) == ("listed", None)
    assert mistake(_SABOTAGED) == ("divergence", f"{' '.join(_SABOTAGED.name)}: it is listed, and diverges")


def test_exception_that_leaves_the_suite_is_a_mistake(monkeypatch: pytest.MonkeyPatch) -> None:
    """An exception of the suite is reported with its traceback."""

    def fail(recorder: Recorder, error: BaseException) -> None:
        raise LookupError("the record is lost")

    monkeypatch.setattr(Recorder, "record", fail)

    result, line = mistake(_SABOTAGED)

    assert result == "neither"
    assert line
    assert line.startswith(f"{' '.join(_SABOTAGED.name)}: an exception left the suite:\nTraceback")
    assert line.endswith("LookupError: the record is lost\n")


def test_reference_must_answer_as_recorded(monkeypatch: pytest.MonkeyPatch) -> None:
    """A reference that needs the sabotaged function is a mistake."""
    assert mistake(_SABOTAGED) == ("divergence", None)  # which asks the reference about generated cases
    monkeypatch.setattr(Checker, "ask_reference", lambda *arguments: Fault("Sabotage"))

    _, line = mistake(_SABOTAGED)

    assert line
    assert f"the reference answers {_VECTORS[0].id} otherwise: Fault(kind='Sabotage'" in line
