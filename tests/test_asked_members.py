"""Tests that each member of a trial is asked: golden vectors and generated cases have several values of it."""

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import asdict, fields
from functools import cache
from typing import Any

import pytest
from harbor.models.trial.result import TrialResult
from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st

from parity.operations.goldens import read_vectors
from parity.operations.job_stats.strategies import finished_jobs
from parity.operations.pass_at_k.strategies import trial_lists
from parity.operations.trial_score.case import TrialText
from parity.operations.trial_score.strategies import trials
from parity.operations.wire import canonical
from parity.scorer import JobTrial, Trial, Usage
from parity.scorer.series import OFFICIAL

_CASES = 300

_UNASKED_OF_RESULTS = {
    "verifier": "The times of a phase; `agent_execution` stands for all phases.",
}
"""Members of a trial's result.json without several values in `trial_score`, each with the reason."""


def _documents_of_vectors() -> Iterator[dict[str, Any]]:
    """Yield the results that the reference accepts."""
    for vector in read_vectors("trial_score"):
        if "fault" not in canonical(vector.answers[OFFICIAL]):
            yield vector.case.document()


def _drawn[Case](strategy: st.SearchStrategy[Case]) -> list[Case]:
    cases: list[Case] = []

    @seed(0)
    @settings(
        max_examples=_CASES,
        database=None,
        deadline=None,
        phases=[Phase.generate],
        suppress_health_check=[*HealthCheck],
    )
    @given(strategy)
    def draw(case: Case) -> None:
        cases.append(case)

    draw()
    return cases


def _several(members: Iterator[tuple[str, Any]]) -> set[str]:
    """Return the names that have at least two different values."""
    values = defaultdict(set)
    for name, value in members:
        values[name].add(repr(value))
    return {name for name, different in values.items() if len(different) > 1}


@cache
def _asked_of_results(source: str) -> set[str]:
    texts: list[TrialText] = _drawn(trials) if source != "vectors" else []
    documents = [case.document() for case in texts] or _documents_of_vectors()
    absent = dict.fromkeys(TrialResult.model_fields, "absent")
    return _several(item for document in documents for item in (absent | document).items())


@pytest.mark.parametrize("source", ["vectors", "generated cases"])
@pytest.mark.parametrize("member", TrialResult.model_fields)
def test_member_of_a_result_has_several_values(member: str, source: str) -> None:
    """Each member of a trial's result.json has several values in `trial_score`, or is listed with a reason."""
    assert (member in _asked_of_results(source)) != (member in _UNASKED_OF_RESULTS)


def _members(trial: Any) -> Iterator[tuple[str, Any]]:
    yield from asdict(trial).items()
    for usage in getattr(trial, "usage", ()):
        yield from asdict(usage).items()


@cache
def _asked_of_trials(source: str) -> set[str]:
    drawn = source != "vectors"
    jobs = _drawn(finished_jobs) if drawn else [vector.case for vector in read_vectors("job_stats")]
    ended = (event.trial for job in jobs for event in job.events if event.trial is not None)
    return _several(item for trial in ended for item in _members(trial))


@pytest.mark.parametrize("source", ["vectors", "generated cases"])
@pytest.mark.parametrize("member", [field.name for kind in (JobTrial, Usage) for field in fields(kind)])
def test_member_of_a_trial_has_several_values(member: str, source: str) -> None:
    """Each member that Harbor reads of a trial on the way to a job's stats has several values in `job_stats`."""
    assert member in _asked_of_trials(source)


@cache
def _asked_of_attempts(source: str) -> set[str]:
    drawn = source != "vectors"
    lists = _drawn(trial_lists) if drawn else [vector.case.trials for vector in read_vectors("pass_at_k")]
    return _several(item for attempts in lists for trial in attempts for item in _members(trial))


@pytest.mark.parametrize("source", ["vectors", "generated cases"])
@pytest.mark.parametrize("member", [field.name for field in fields(Trial)])
def test_member_of_an_attempt_has_several_values(member: str, source: str) -> None:
    """Each member that pass@k reads of a trial has several values in `pass_at_k`."""
    assert member in _asked_of_attempts(source)
