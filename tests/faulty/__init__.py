"""Runners that are wrong in one named way each. The suite must catch every one, and name the rule it breaks.

Each is the built-in runner with one fault. Its docstring says what it does wrong, `breaks` which rule that
is, and `seen_by` which test of the suite has to see it.
"""

from tests.faulty import (
    attempts,
    document_texts,
    env_documented,
    env_harbor,
    env_reading,
    env_reward_keys,
    files,
    folders,
    given,
    job_groups,
    job_resume,
    job_runs,
    job_text,
    jobs,
    json_values,
    large_jobs,
    live_jobs,
    metrics,
    outcome,
    reason_codes,
    run_settings,
    sizes,
    step_means,
    steps,
    sums,
    task_values,
    text,
    trial_artifacts,
    trial_calls,
    trial_messages,
    trial_preparation,
    trial_results,
)
from tests.faulty.fault import Fault

_MODULES = (
    *(files, json_values, text, folders),
    *(metrics, sums, sizes),
    attempts,
    *(steps, step_means),
    *(trial_preparation, trial_calls, trial_artifacts, trial_results),
    *(job_runs, job_resume, run_settings, task_values),
    *(document_texts, trial_messages),
    *(job_text, live_jobs, jobs, large_jobs, job_groups),
    *(outcome, reason_codes),
    *(env_harbor, env_documented, env_reading, env_reward_keys),
    given,
)
_FAULTS = [
    fault
    for module in _MODULES
    for fault in vars(module).values()
    if isinstance(fault, type) and issubclass(fault, Fault) and "breaks" in vars(fault)
]

FAULTS: dict[str, type[Fault]] = {fault.__name__: fault for fault in _FAULTS}
"""Every faulty runner by its name."""

if len(FAULTS) < len(_FAULTS):
    raise ValueError("two faulty runners share a name")
