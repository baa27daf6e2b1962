"""Tests of the answers that several releases of Harbor return as the reference. Missing environments are created."""

import json
from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from typing import Any

import pytest

from parity.operations import OPERATIONS
from parity.operations.answers import Answer, Fault, NotClaimed, Value
from parity.operations.goldens import read_vectors
from parity.operations.job_stats import JOB_STATS
from parity.operations.run_job import RUN_JOB
from parity.operations.scenarios.plain import PLAIN_TASK
from parity.operations.scenarios.scenario import JobScenario, ScenarioSettings
from parity.operations.scenarios.scripted_sandbox import Script
from parity.operations.scenarios.settings import AgentSettings
from parity.reference import SeparateReference
from parity.reference.separate.environments import python_of
from parity.reference.wheel import Wheel
from parity.runners import claims
from parity.runners.asking import ask
from parity.scorer import Event, Job, JobTrial

pytestmark = pytest.mark.releases

_RELEASES = ("0.1.45", "0.6.6", "0.13.1", "0.16.1", "0.23.0", "0.26.0")
_LACKING = {
    "0.1.45": {"pass_at_k", "trial_reward", "run_trial", "run_job", "job_stats", "trial_score", "harbor_env"},
    "0.6.6": {"run_trial", "run_job", "harbor_env"},
}
"""The operations that a release does not answer. Releases that are not listed answer all operations."""

_ANSWERED = [name for name in OPERATIONS if claims(Wheel, name)]
"""The operations that some release answers: all but those of the consumer."""

_OWN_MISTAKES = {"AttributeError", "ImportError", "ModuleNotFoundError", "NameError", "TypeError"}
"""Exceptions that the kit would raise if it used a feature that a release lacks."""


@pytest.fixture(scope="module", params=_RELEASES)
def reference(request: pytest.FixtureRequest) -> Iterator[SeparateReference]:
    """Yield each release as a reference in its own environment."""
    with closing(SeparateReference(str(python_of(request.param, print)), release=request.param)) as opened:
        yield opened


def _answer(reference: SeparateReference, operation: str, case: Any) -> Answer:
    with OPERATIONS[operation].arguments(case) as arguments:
        return ask(reference, operation, arguments)


def test_release_is_verified_and_lacks_known_operations(reference: SeparateReference) -> None:
    """Each release has its verified wheel and pinned packages, and lacks the known operations."""
    assert reference.unpinned == []
    assert set(reference.lacking) == _LACKING.get(reference.identity.harbor, set())


@pytest.mark.parametrize("operation", _ANSWERED)
def test_release_answers_an_operation_or_gives_a_reason(reference: SeparateReference, operation: str) -> None:
    """Each release answers an operation with values and Harbor's exceptions, or gives the reason why it lacks it."""
    kinds = Counter[str]()
    for vector in read_vectors(operation)[::15]:
        match _answer(reference, operation, vector.case):
            case Value():
                kinds["value"] += 1
            case Fault(kind=kind):
                kinds[kind] += 1
            case NotClaimed(reason=reason):
                kinds[reason] += 1

    if operation in reference.lacking:
        assert kinds.keys() == {reference.lacking[operation]}
    else:
        assert kinds["value"] > 3
        assert not kinds.keys() & _OWN_MISTAKES


def test_stats_from_given_trials_equal_those_of_a_real_job(reference: SeparateReference) -> None:
    """`job_stats` returns the same stats for given trials as `run_job` for a job that runs these trials."""
    if reference.lacking.keys() & {JOB_STATS.name, RUN_JOB.name}:
        return
    scripts = tuple((Script(tests=[files]),) for files in ({"/logs/verifier/reward.txt": "0.5"}, {}))
    scenario = JobScenario((PLAIN_TASK,) * 2, ScenarioSettings(AgentSettings("nop")), scripts=scripts)
    rewarded = JobTrial("nop", None, "dataset", "task-1", {"reward": 0.5}, "task-1__0000000")
    failed = replace(rewarded, task="task-2", rewards=None, name="task-2__0000001", exception="RewardFileNotFoundError")
    events = tuple(Event("end", trial.name, trial) for trial in (rewarded, failed))

    ran = _answer(reference, RUN_JOB.name, scenario)
    scored = _answer(reference, JOB_STATS.name, Job(2, events, datasets=("dataset",)))

    match ran, scored:
        case Value(dict(record)), Value(str(stats)):
            assert record["files"]["result.json"]["stats"]["evals"] == json.loads(stats)["evals"]
        case answers:
            pytest.fail(str(answers))
