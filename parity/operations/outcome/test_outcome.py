"""`outcome`: from a job's result.json to status, score, resolved, total and the printed line.

The tests at the end ask only the runner. They compare it with the scoring description directly, in case the reference
for this operation has misread it.
"""

import json
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from parity.judging.checking import Checker
from parity.judging.divergence import show_answer
from parity.operations.answers import Value
from parity.operations.files.file_states import ABSENT
from parity.operations.finding import SuiteFinding
from parity.operations.outcome import OUTCOME, ResultFile, result_file
from parity.operations.outcome.strategies import (
    Document,
    result_members,
    result_neighbours,
    result_numbers,
    result_objects,
    result_states,
)
from parity.operations.outcome.vectors import VECTORS
from parity.pytest_plugin.profiles import cases
from parity.pytest_plugin.vectors import golden_test

pytestmark = pytest.mark.operation(OUTCOME.name)


@cases(450)
@given(content=result_numbers)
def test_result_numbers(checker: Checker, content: bytes) -> None:
    """Metric values of every kind give the same score and resolved."""
    checker.check(OUTCOME, [result_file(content)])


@cases(300)
@given(content=result_members)
def test_result_members(checker: Checker, content: bytes) -> None:
    """Members that are absent, repeated, or of another type give the same outcome."""
    checker.check(OUTCOME, [result_file(content)])


@cases(180)
@given(content=result_neighbours)
def test_almost_a_result(checker: Checker, content: bytes) -> None:
    """Text that is not JSON, not an object, or beyond the parser's limits gives the same outcome."""
    checker.check(OUTCOME, [result_file(content)])


@cases(150)
@given(case=result_states)
def test_state_of_the_result(checker: Checker, case: ResultFile) -> None:
    """Every kind of file, in every kind of folder, gives the same outcome."""
    checker.check(OUTCOME, [case])


def _answer(checker: Checker, case: ResultFile) -> dict[str, Any] | None:
    """Return the runner's answer, or None if it is not a value that can be judged."""
    answer = checker.ask_alone(OUTCOME, case)
    return answer.value if isinstance(answer, Value) and isinstance(answer.value, dict) else None


def _answer_to(checker: Checker, document: Document) -> dict[str, Any] | None:
    return _answer(checker, result_file(json.dumps(document).encode()))


def _hold(holds: bool, statement: str, *answers: dict[str, Any]) -> None:
    if not holds:
        raise SuiteFinding(
            f"NOT AS DESCRIBED: {statement}\n" + "\n".join(f"  {show_answer(Value(a))}" for a in answers)
        )


@cases(50)
@given(document=result_objects)
def test_status_follows_errors_alone(checker: Checker, document: Document) -> None:
    """The status depends on the number of errored trials, and on nothing else."""
    answer = _answer_to(checker, document)

    if answer:
        wanted = "failed" if document["stats"]["n_errored_trials"] else "completed"
        _hold(answer.get("status") == wanted, f"the status is {wanted}", answer)


@cases(50)
@given(document=result_objects, random=st.randoms(use_true_random=False))
def test_order_of_members_does_not_matter(checker: Checker, document: Document, random: Random) -> None:
    """Members of the document, of `stats` and of a group may come in any order."""
    groups = {key: _shuffled(group, random) for key, group in document["stats"]["evals"].items()}
    other = _shuffled({**document, "stats": _shuffled({**document["stats"], "evals": groups}, random)}, random)

    one, another = _answer_to(checker, document), _answer_to(checker, other)

    if one and another:
        _hold(one == another, "the order of members does not matter", one, another)


def _shuffled(members: Document, random: Random) -> Document:
    keys = list(members)
    random.shuffle(keys)
    return {key: members[key] for key in keys}


@cases(50)
@given(content=result_members)
def test_line_holds_the_other_fields(checker: Checker, content: bytes) -> None:
    """The line holds the other five fields as JSON with sorted keys."""
    answer = _answer(checker, result_file(content))

    if answer:
        others = {key: value for key, value in answer.items() if key != "line"}
        line = f"BASE_BENCHMARK_RESULT={json.dumps(others, sort_keys=True)}"
        _hold(answer.get("line") == line, f"the line is {line}", answer)


def test_a_job_without_result(checker: Checker) -> None:
    """A job without result.json has failed, with no trials."""
    answer = _answer(checker, ResultFile(ABSENT))

    if answer:
        expected = {"status": "failed", "score": 0.0, "resolved": 0, "total": 0, "reason_code": "harbor_result_missing"}
        given = {key: value for key, value in answer.items() if key != "line"}
        _hold(given == expected, f"a job without result.json gives {expected}", answer)


test_golden = golden_test(OUTCOME, VECTORS)
