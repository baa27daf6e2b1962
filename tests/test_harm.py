"""Tests for the harm of a divergence, which is computed only from the two answers."""

import json
from math import inf, nan
from typing import Any

import pytest

from parity.operations.answers import Answer, Crash, Fault, Value
from parity.suite.harm import HARMS, Harm, harm_of, worst

_MISSING = Fault("RewardFileNotFoundError")


class _Unreadable:
    """An object whose attributes cannot be read."""

    def __float__(self) -> float:
        raise RuntimeError("no number")


@pytest.mark.parametrize(
    ("expected", "actual", "harm"),
    [
        (_MISSING, Value({"reward": 1.0}), "pays-out"),
        (_MISSING, Value({"reward": 0.0}), "hides-failure"),
        (_MISSING, Value({"reward": 1e-12}), "hides-failure"),
        (_MISSING, Value(None), "hides-failure"),
        (_MISSING, Fault("ValueError"), "form"),
        (_MISSING, Crash("it hung"), "withholds"),
        (Value({"reward": 1.0}), _MISSING, "withholds"),
        (Value({"reward": 1.0}), Crash("it hung"), "withholds"),
        (Value({"reward": 0.0}), _MISSING, "invents-failure"),
        (Value({"reward": 0.0}), Crash("it hung"), "withholds"),
        (Value(None), _MISSING, "invents-failure"),
        (Value({"reward": 0.5}), Value({"reward": 0.6}), "pays-out"),
        (Value({"reward": 0.5}), Value({"reward": 0.4}), "withholds"),
        (Value({"reward": 0.5}), Value(None), "withholds"),
        (Value({"reward": -1.0}), Value(None), "pays-out"),
        (Value({"reward": -1.0}), _MISSING, "withholds"),
        (Value({"reward": -inf}), _MISSING, "withholds"),
        (Value({"reward": -inf}), Crash("it hung"), "withholds"),
        (Value({"reward": inf}), _MISSING, "withholds"),
        (_MISSING, Value({"reward": -inf}), "pays-out"),
        (Value({"reward": -inf}), Value({"reward": 0.0}), "pays-out"),
        (Value({"reward": 0.0}), Value(None), "form"),
        (Value({"a": 1.0, "b": 0.5}), Value({"a": 0.5, "b": 0.6}), "pays-out"),
        (Value({"reward": 0.3}), Value({"reward": 0.1 + 0.2}), "last-bits"),
        (Value({"reward": 1e300}), Value({"reward": 1e300 * (1 + 1e-12)}), "last-bits"),
        (Value({"reward": 0.0}), Value({"reward": -0.0}), "last-bits"),
        (Value({"reward": 5e-324}), Value({"reward": 0}), "last-bits"),
        (Value({"reward": 1.0}), Value({"reward": 1}), "form"),
        (Value({"reward": 1.0}), Value({"reward": True}), "form"),
        (Value({"reward": 1.0}), Value({"reward": "1.0"}), "form"),
        (Value({"reward": 1.0}), Value({"reward": "x"}), "withholds"),
        (Value({"reward": 10**4000}), Value({"reward": 10**4000 + 1}), "last-bits"),
        (Value({"reward": 10**4000}), Value({"reward": inf}), "pays-out"),
        (Value({"reward": nan}), Value({"reward": 0.0}), "pays-out"),
        (Value({"reward": nan}), Value({"reward": -1.0}), "pays-out"),
        (Value({"reward": nan}), Value(None), "pays-out"),
        (Value({"reward": nan}), _MISSING, "invents-failure"),
        (_MISSING, Value({"reward": nan}), "hides-failure"),
        (Value({"reward": 0.0}), Value({"reward": nan}), "withholds"),
        (Value({"reward": -1.0}), Value({"reward": nan}), "withholds"),
        (Value({"reward": nan}), Value({"reward": "nan"}), "form"),
        (Value({"a": nan}), Value({"b": nan}), "form"),
        (Value({"reward": nan}), Value({"reward": 1.0}), "pays-out"),
        (Value({"reward": 1.0}), Value({"reward": nan}), "withholds"),
        (Value({"Reward": 1.0}), Value({"reward": 1.0}), "form"),
        (Value({"a": 1.0, "b": 0}), Value({"c": 2.0}), "pays-out"),
        (Value({"a": 1.0, "b": 2.0}), Value({"b": 2.0, "a": 1.0}), "form"),
        (Value({"reward": 1.0}), Value({"reward": _Unreadable()}), "withholds"),
        (Value({"reward": 1.0}), Value(1.0), "form"),
        (Value({"reward": 0.0}), Value(b"nothing"), "form"),
    ],
    ids=lambda value: value if isinstance(value, str) else None,
)
def test_rewards_are_graded(expected: Answer, actual: Answer, harm: Harm) -> None:
    """A higher reward pays out, a lower reward withholds, and a failure is hidden or invented."""
    assert harm_of("read_reward", expected, actual) == harm


def _stats(mean: Any = 1.0, errors: int = 0, **more: Any) -> dict[str, Any]:
    group = {
        "n_errors": errors,
        "metrics": [{"mean": mean}],
        "pass_at_k": {"2": mean},
        "reward_stats": {"reward": {"1.0": ["a"]}},
        "exception_stats": {"ValueError": ["b"]} if errors else {},
    }
    return {"n_errored_trials": errors, "evals": {"agent__set": {**group, **more}}}


@pytest.mark.parametrize(
    ("expected", "actual", "harm"),
    [
        (_stats(), _stats(mean=2.0), "pays-out"),
        (_stats(), _stats(metrics=[]), "withholds"),
        (_stats(), _stats(pass_at_k={}), "withholds"),
        (_stats(), _stats(pass_at_k={"2": 1.0, "3": 0.5}), "pays-out"),
        (_stats(mean=None), _stats(mean=None, pass_at_k={}), "form"),
        (_stats(errors=1), _stats(), "hides-failure"),
        (_stats(), _stats(errors=1), "invents-failure"),
        (_stats(errors=1), _stats(errors=1, exception_stats={"OSError": ["b"]}), "form"),
        (_stats(errors=1), _stats(errors=1, exception_stats={"ValueError": ["c"]}), "hides-failure"),
        (_stats(), _stats(reward_stats={"reward": {"0.9999999999999999": ["a"]}}), "last-bits"),
        (_stats(), _stats(reward_stats={"reward": {"2.0": ["a"]}}), "pays-out"),
        (_stats(), _stats(reward_stats={"reward": {"1": ["a"]}}), "form"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
@pytest.mark.parametrize("operation", ["job_stats", "run_job", "run_job of texts"])
def test_stats_of_a_job_are_graded(operation: str, expected: Any, actual: Any, harm: Harm) -> None:
    """A job's stats are graded from the compared text, or from the job's result.json."""

    def answer(stats: dict[str, Any]) -> Answer:
        if operation == "job_stats":
            return Value(json.dumps(stats, indent=4))
        result = {"id": "…", "stats": stats}
        return Value({"trials": {}, "files": {"result.json": result if operation == "run_job" else json.dumps(result)}})

    assert harm_of(operation.split()[0], answer(expected), answer(actual)) == harm


@pytest.mark.parametrize(
    ("expected", "actual", "harm"),
    [
        ('{"n_errored_trials": 0}', "nothing", "invents-failure"),
        ('{"n_errored_trials": 1}', "nothing", "invents-failure"),
        ('{"n_errored_trials": 0}', '{\n"n_errored_trials": 0}', "form"),
    ],
)
def test_unreadable_text_is_a_failure(expected: str, actual: str, harm: Harm) -> None:
    """A string that cannot be read is graded as a failure."""
    assert harm_of("job_stats", Value(expected), Value(actual)) == harm


def _result(rewards: Any = None, error: str | None = None, steps: Any = None) -> dict[str, Any]:
    return {
        "agent_result": {"metadata": {"score": len(str(rewards))}},
        "verifier_result": None if rewards is None else {"rewards": rewards},
        "exception_info": None if error is None else {"exception_type": error},
        "step_results": steps,
    }


@pytest.mark.parametrize(
    ("expected", "actual", "harm"),
    [
        (_result({"reward": 0.0}), _result({"reward": 1.0}), "pays-out"),
        (_result(error="ValueError"), _result({"reward": 1.0}), "pays-out"),
        (_result({"reward": 1.0}), _result({"reward": 1.0}, "ValueError"), "invents-failure"),
        (_result({"reward": 1.0}, "ValueError"), _result({"reward": 1.0}), "hides-failure"),
        (_result(error="ValueError"), _result(error="OSError"), "form"),
        (_result({"reward": 1.0}), None, "withholds"),
        (_result(steps=[_result({"a": 1})]), _result(steps=[_result({"a": 0})]), "withholds"),
        (_result(steps=[_result({"a": 0})]), _result(steps=[_result({"a": 0}), _result(error="E")]), "invents-failure"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
@pytest.mark.parametrize("form", ["value", "text"])
@pytest.mark.parametrize("operation", ["run_trial", "run_job"])
def test_results_of_trials_are_graded(operation: str, form: str, expected: Any, actual: Any, harm: Harm) -> None:
    """The results of trials and their steps are graded, whether they are values or strings."""

    def answer(result: Any) -> Answer:
        record: dict[str, Any] = {
            "calls": [],
            "result": json.dumps(result) if form == "text" else result,
            "files": {"a.txt": ""},
        }
        return Value(record if operation == "run_trial" else {"trials": {"a__1": record}, "files": {}})

    assert harm_of(operation, answer(expected), answer(actual)) == harm


def test_different_call_is_a_difference_in_form() -> None:
    """A trial with different calls and the same result differs only in form."""
    result = _result({"reward": 1.0})
    one, other = ({"calls": [{"start": {"error": at}}], "result": result, "files": {"reward": at}} for at in (1, 2))

    assert harm_of("run_trial", Value(one), Value(other)) == "form"


def _outcome(status: str = "completed", code: str | None = None, **more: Any) -> dict[str, Any]:
    fields = {"status": status, "score": 0.5, "resolved": 1, "total": 2, "reason_code": code} | more
    return {"line": f"BASE_BENCHMARK_RESULT={json.dumps(fields)}"} | fields


@pytest.mark.parametrize(
    ("operation", "expected", "actual", "harm"),
    [
        ("outcome", _outcome(), _outcome(score=1.0), "pays-out"),
        ("outcome", _outcome(), _outcome(resolved=0), "withholds"),
        ("outcome", _outcome(), _outcome() | {"line": _outcome(score=1.0)["line"]}, "pays-out"),
        ("outcome", _outcome("failed", "missing"), _outcome(), "hides-failure"),
        ("outcome", _outcome("failed", "missing"), _outcome("failed"), "hides-failure"),
        ("outcome", _outcome("failed", "missing"), _outcome("failed", "malformed"), "hides-failure"),
        ("outcome", _outcome(), _outcome("failed"), "invents-failure"),
        ("outcome", _outcome(), _outcome(total=3), "form"),
        ("reason_code", None, "missing", "invents-failure"),
        ("reason_code", "missing", None, "hides-failure"),
        ("reason_code", "missing", "empty", "hides-failure"),
        ("reason_code", "missing", ["empty"], "hides-failure"),
        ("trial_reward", {"rewards": {"a": 1}, "exception": None}, {"rewards": None, "exception": "E"}, "withholds"),
        ("trial_reward", {"rewards": {"a": -inf}, "exception": None}, {"rewards": None, "exception": "E"}, "withholds"),
        ("trial_reward", {"rewards": None, "exception": "E"}, {"rewards": None, "exception": None}, "hides-failure"),
        ("trial_reward", {"rewards": None, "exception": "E"}, {"rewards": None, "exception": "F"}, "form"),
        ("trial_score", {"mean": 0.5}, {"mean": 1.0}, "pays-out"),
        ("trial_score", {"mean": 0.0}, None, "pays-out"),
        ("trial_score", {"mean": None}, None, "pays-out"),
        ("trial_score", {"mean": 0.5}, None, "withholds"),
        ("trial_score", {"a": 0.5, "b": 0.5}, {"a": 0.5}, "withholds"),
        ("pass_at_k", {"a__b": {2: 0.4}}, {"a__b": {2: 0.3999999999999999}}, "last-bits"),
        ("pass_at_k", {"a__b": {2: 0.4}}, {"a__b": {1: 0.2, 2: 0.4}}, "pays-out"),
        ("harbor_env", {"refused": "harbor"}, {"rollouts": [{"reward": 0.5}], "average": 0.5}, "pays-out"),
        ("harbor_env", {"refused": "harbor"}, {"rollouts": [], "average": None}, "hides-failure"),
        ("harbor_env", {"rollouts": [], "average": 0.0}, {"refused": "harbor"}, "invents-failure"),
        ("harbor_env", {"rollouts": [{"error": "E"}]}, {"rollouts": [{"error": None}]}, "hides-failure"),
        ("harbor_env", {"rollouts": [{"failed": True}]}, {"rollouts": [{"failed": False}]}, "hides-failure"),
        ("harbor_env", {"rows": [{"config": {"score": 1}}]}, {"rows": [{"config": {"score": 2}}]}, "form"),
    ],
)
def test_scores_and_failures_are_graded(operation: str, expected: Any, actual: Any, harm: Harm) -> None:
    """Outcomes, reason codes, environments and trials are graded by their scores and failures."""
    assert harm_of(operation, Value(expected), Value(actual)) == harm


def test_error_instead_of_an_answer_invents_a_failure() -> None:
    """An error instead of an answer that contains an error invents a failure, and hides none."""
    one_of_two = Value({"rollouts": [{"error": "E", "reward": 0.0}, {"error": None, "reward": 0.0}]})

    assert harm_of("harbor_env", one_of_two, Fault("E")) == "invents-failure"


def test_harms_are_ordered() -> None:
    """A change of a score is a worse harm than a change of a failure."""
    assert worst(list(reversed(HARMS))) == "pays-out"
    assert worst(["form", "hides-failure", "last-bits"]) == "hides-failure"
