"""The number of concurrent trials does not change the results of a job."""

import copy
from dataclasses import replace
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from parity.operations.files.folders import scratch_folder
from parity.operations.run_job.strategies import job_scenarios, retried_scenarios
from parity.operations.scenarios.execution import run_job_scenario
from parity.operations.scenarios.records import Record
from parity.operations.scenarios.scenario import JobScenario


@settings(deadline=None, max_examples=40)
@given(scenario=st.one_of(job_scenarios(), retried_scenarios()), concurrent=st.integers(2, 5))
def test_concurrency_changes_nothing_but_times(scenario: JobScenario, concurrent: int) -> None:
    """Trials, files and stats are the same whether trials run one by one or at the same time."""
    alone, together = (_recorded(replace(scenario, concurrent=number)) for number in (1, concurrent))

    assert _timeless(alone) == _timeless(together)


@settings(deadline=None, max_examples=20)
@given(scenario=job_scenarios(), concurrent=st.integers(1, 4))
def test_no_more_trials_than_allowed_run_at_a_time(scenario: JobScenario, concurrent: int) -> None:
    """At no moment do more trials run than allowed, from their first call to their last."""
    record = _recorded(replace(scenario, concurrent=concurrent))
    spans = [_span(trial["calls"]) for trial in record["trials"].values()]

    for began, _ in spans:
        assert sum(1 for start, end in spans if start <= began < end) <= concurrent


def _recorded(scenario: JobScenario) -> Record:
    with scratch_folder() as folder:
        return run_job_scenario(scenario, folder)


def _span(runs: list[list[Record]]) -> tuple[float, float]:
    times = [call["at"] for calls in runs for copied in calls for call in copied.values()]
    return min(times), max(times)


def _timeless(record: Record) -> Any:
    """Return the record without the times of calls and without the number of concurrent trials."""
    copied = copy.deepcopy(record)
    for trial in copied["trials"].values():
        for calls in trial["calls"]:
            for call in calls:
                for arguments in call.values():
                    del arguments["at"]
    for name in ("config.json", "lock.json"):
        del copied["files"][name]["n_concurrent_trials"]
    return copied
