"""Tests that a function of the clean room is found and sabotaged, whatever kind of function it is."""

from functools import cache

import pytest

from parity.operations import OPERATIONS
from parity.operations.answers import Answer
from parity.operations.goldens import Vector, read_vectors
from parity.operations.wire import canonical
from parity.runners import CleanRoom
from parity.runners.asking import ask
from parity.scorer.pass_at_k import evals_key
from tests.sabotage.functions import Sabotage, sabotaged, vectors_by_function


@cache
def _vectors(operation: str) -> dict[str, list[Vector]]:
    return vectors_by_function(OPERATIONS[operation])


def _ask(vector: Vector) -> Answer:
    operation = OPERATIONS[vector.operation]
    with operation.arguments(vector.case) as arguments:
        return ask(CleanRoom(), operation.name, arguments)


@pytest.mark.filterwarnings("ignore:coroutine .* was never awaited:RuntimeWarning")
@pytest.mark.parametrize(
    ("operation", "function"),
    [
        pytest.param("read_reward", "parity.scorer.reward_file:read_reward", id="imported-function"),
        pytest.param("aggregate", "parity.runners.clean_room:CleanRoom.aggregate", id="method"),
        pytest.param("job_stats", "parity.scorer.job:JobTrial.key", id="property"),
        pytest.param("pass_at_k", "parity.scorer.pass_at_k:evals_key", id="cached-function"),
        pytest.param("read_reward", "parity.scorer.reward_file:_parsed", id="generator"),
        pytest.param("run_trial", "parity.formats.task:EnvironmentConfig._convert_allow_internet", id="validator"),
        pytest.param("run_trial", "parity.driver.course:run_trial", id="coroutine"),
        pytest.param("run_trial", "parity.runners.clean_room.scenarios:unlogged", id="context-manager"),
        pytest.param(
            "run_trial",
            "parity.driver.verification:verify_here.<locals>.upload_and_run",
            id="nested-function",
        ),
    ],
)
def test_function_raises_while_it_is_sabotaged(operation: str, function: str) -> None:
    """A function is reached by vectors, raises while it is sabotaged, and answers again afterwards."""
    vector = _vectors(operation)[function][0]
    before = _ask(vector)

    with sabotaged(function):
        during = _ask(vector)

    assert "Sabotage" in repr(during)
    assert "Sabotage" not in repr(before)
    assert _ask(vector) == before


def test_cached_value_replaces_no_function() -> None:
    """A function raises even if it has cached a value for the same arguments."""
    evals_key("agent", None, None)

    with sabotaged("parity.scorer.pass_at_k:evals_key"), pytest.raises(Sabotage):
        evals_key("agent", None, None)

    assert evals_key("agent", None, None) == "agent__adhoc"


def test_plainest_vector_comes_first() -> None:
    """The vectors that reach a function are sorted by the length of their cases in JSON."""
    vectors = _vectors("aggregate")["parity.scorer.metrics:_max"]

    lengths = [len(canonical(vector.input)) for vector in vectors]

    assert 1 < len(lengths) < len(read_vectors("aggregate"))
    assert lengths == sorted(lengths)
