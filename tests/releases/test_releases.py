"""The answers of Harbor's releases as the reference. Missing environments are made."""

from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from functools import partial
from typing import Any

import pytest

from parity.operations import OPERATIONS
from parity.operations.answers import Answer, Fault, NotClaimed, Value
from parity.operations.goldens import read_vectors
from parity.operations.job_stats import JOB_STATS
from parity.operations.job_stats.job_plans import PlannedRun, PlannedTask, RealJobPlan, one_of
from parity.reference import SeparateReference, real_histories
from parity.reference.separate.environments import python_of
from parity.runners.asking import ask

pytestmark = pytest.mark.releases

_RELEASES = ("0.1.45", "0.6.6", "0.13.1", "0.16.1", "0.23.0", "0.26.0")
_LACKING = {
    "0.1.45": {"pass_at_k", "trial_reward", "run_trial", "run_job", "job_stats", "trial_score", "harbor_env"},
    "0.6.6": {"run_trial", "run_job", "harbor_env"},
}
"""The operations that a release does not answer; the others answer all."""

_OWN_MISTAKES = {"AttributeError", "ImportError", "ModuleNotFoundError", "NameError", "TypeError"}
"""Errors that the kit would raise if it asked a release for something that it lacks."""


@pytest.fixture(scope="module", params=_RELEASES)
def reference(request: pytest.FixtureRequest) -> Iterator[SeparateReference]:
    """Yield a release, asked over the pipe."""
    with closing(SeparateReference(str(python_of(request.param, print)), release=request.param)) as opened:
        yield opened


def _answer(reference: SeparateReference, operation: str, case: Any) -> Answer:
    with OPERATIONS[operation].arguments(case) as arguments:
        return ask(reference, operation, arguments)


def test_release_is_verified_and_lacks_known_operations(reference: SeparateReference) -> None:
    """Each release has its verified wheel and pinned packages, and lacks the known operations."""
    assert reference.unpinned == []
    assert set(reference.lacking) == _LACKING.get(reference.identity.harbor, set())


@pytest.mark.parametrize("operation", OPERATIONS)
def test_release_answers_or_says_why_not(reference: SeparateReference, operation: str) -> None:
    """Each release answers each operation with values and Harbor's errors, or lacks it with a reason."""
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


def test_given_trials_count_as_real_ones(reference: SeparateReference) -> None:
    """The stats for given trials equal those of jobs that run their trials."""
    if JOB_STATS.name in reference.lacking:
        return
    tasks = (PlannedTask("t1"), PlannedTask("t2", "set"))
    rewarded = PlannedRun({"reward": 0.5}), PlannedRun(text="pass"), PlannedRun(text="1")
    plan = RealJobPlan(tasks, partial(one_of, rewarded), attempts=2, retries=1)

    histories = real_histories(reference, plan, 1)

    answers = [(known, _answer(reference, JOB_STATS.name, job)) for job, known in histories]
    assert len(answers) > 1
    assert all(known == given for known, given in answers)
