"""Tests of general rules: the place of a difference decides which one a divergence breaks, and nothing else."""

from functools import cache
from typing import Any

import pytest

from parity.operations import OPERATIONS
from parity.operations.answers import Answer, Crash, Fault, Value
from parity.operations.compare import Difference
from parity.operations.goldens import read_vectors
from parity.operations.operation import Operation
from parity.operations.rules import OPERATION_OF
from parity.operations.series import running_series
from parity.suite.attribution import broken_rule

_GENERAL = [name for name, operation in OPERATIONS.items() if operation.general]


class _Hostile:
    """A value that cannot be compared, printed or hashed."""

    def __eq__(self, other: object) -> bool:
        raise RuntimeError("not comparable")

    def __repr__(self) -> str:
        raise RuntimeError("not printable")

    __hash__ = None  # type: ignore[assignment]


@cache
def _first(operation: Operation[Any]) -> tuple[Any, Any]:
    """Return the case of a vector, and its recorded value."""
    for vector in read_vectors(operation.name):
        answer = vector.answer(running_series())
        if isinstance(answer, Value) and answer.value != {"refused": "harbor"}:
            return vector.case, answer.value
    raise AssertionError(operation.name)


def _broken(operation: Operation[Any], case: Any, expected: Answer, actual: Answer) -> str:
    """Return the rule that is broken. The runner must not be asked again."""
    difference = operation.compare(case, expected, actual)
    assert difference is not None

    def ask(other: Any) -> Answer:
        raise AssertionError("the runner was asked again")

    return broken_rule(operation, case, expected, actual, difference, ask).slug


def test_only_operations_that_nobody_else_answers_have_general_rules() -> None:
    """Operations that other projects' runners answer tell their rules apart by conditions."""
    assert _GENERAL == ["run_trial", "run_job", "job_stats", "harbor_env"]


@pytest.mark.parametrize("name", _GENERAL)
def test_general_rules_belong_to_their_operation(name: str) -> None:
    """Each general rule is a rule of its operation, and none of these rules has a condition."""
    operation = OPERATIONS[name]

    assert [slug for slug in operation.general.values() if OPERATION_OF[slug] is not operation] == []
    assert [rule.slug for rule in operation.rules if not rule.is_general] == []


@pytest.mark.parametrize(
    ("name", "part", "rule"),
    [
        ("run_trial", "calls", "run-trial/calls"),
        ("run_trial", "result", "run-trial/result"),
        ("run_trial", "files", "run-trial/files"),
        ("run_trial", "texts", "run-trial/texts"),
        ("run_job", "trials", "run-job/trials"),
        ("run_job", "files", "run-job/files"),
        ("run_job", "texts", "run-job/texts"),
        ("harbor_env", "rollouts", "harbor-env/rollouts"),
        ("harbor_env", "average", "harbor-env/average"),
    ],
)
@pytest.mark.parametrize("wrong", [None, "", '{"id": ', {"x": 1}, "hostile", ["hostile"]], ids=repr)
def test_part_of_a_record_decides_the_rule(name: str, part: str, rule: str, wrong: Any) -> None:
    """A wrong part of a record breaks the general rule for this part, whatever the runner returned there."""
    operation = OPERATIONS[name]
    case, value = _first(operation)
    wrong = {"hostile": _Hostile(), "['hostile']": [_Hostile()]}.get(str(wrong), wrong)

    assert _broken(operation, case, Value(value), Value({**value, part: wrong})) == rule


@pytest.mark.parametrize(
    ("change", "rule"),
    [
        (('"n_retries": 0', '"n_retries": 1'), "job-stats/stats"),
        (('"n_retries": 0', '"n_retries": 0.0'), "job-stats/stats"),
        (('"evals": {}', '"evals": []'), "job-stats/stats"),
        (('"evals": {}', '"evals": { }'), "job-stats/layout"),
        (('"n_retries": 0,', ""), "job-stats/ends"),
    ],
)
def test_field_of_stats_decides_the_rule(change: tuple[str, str], rule: str) -> None:
    """A wrong field of the stats, a wrong layout and a missing field break different general rules."""
    operation = OPERATIONS["job_stats"]
    case, value = _first(operation)

    assert _broken(operation, case, Value(value), Value(value.replace(*change))) == rule


@pytest.mark.parametrize("name", _GENERAL)
@pytest.mark.parametrize("actual", [Fault("KeyError"), Crash("it died"), Value(None), Value({})], ids=repr)
def test_answer_as_a_whole_breaks_the_rule_on_the_end(name: str, actual: Answer) -> None:
    """An error in place of a value, a crash, or a value that is no record breaks the rule for the empty path."""
    operation = OPERATIONS[name]
    case, value = _first(operation)

    assert _broken(operation, case, Value(value), actual) == operation.general[""]


def test_keys_that_cannot_be_sorted_are_a_difference() -> None:
    """Variables under keys of several types are a difference, although they have no smallest key."""
    operation = OPERATIONS["harbor_env"]
    case, value = _first(operation)
    (rollout,) = value["rollouts"]
    wrong = {**value, "rollouts": [{**rollout, "tests": {**rollout["tests"], "env": {1: "", "A": ""}}}]}

    difference = operation.compare(case, Value(value), Value(wrong))

    assert isinstance(difference, Difference)
    assert difference.path == ("rollouts", 0, "tests", "env")
