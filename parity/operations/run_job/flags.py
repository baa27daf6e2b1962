"""Flags of `run_job`, derived from the scenario and its answer."""

from collections.abc import Iterator, Mapping
from typing import Any

from parity.operations.answers import Fault, Value
from parity.operations.rule import carried
from parity.operations.scenarios.execution import run_job_scenario
from parity.operations.scenarios.flags import PROGRAM_ENDS, document, has_limits, has_own_timeouts
from parity.operations.scenarios.known_flags import FlagsOfScenarios
from parity.operations.scenarios.records import Record
from parity.operations.scenarios.scenario import JobScenario
from parity.operations.scenarios.settings import RetrySettings
from parity.operations.scenarios.wire import JOB_CODEC

FLAGS = {
    "several-attempts": "more than one attempt at each task",
    "several-tasks": "trials of more than one task",
    "several-tasks-and-attempts": "more than one attempt at each of several tasks",
    "left-out": "a folder of the dataset is not a task",
    "concurrent": "more than one trial may run at a time",
    "queued": "more than one trial may run at a time, but not all of them",
    "one-after-another": "only one of several trials may run at a time",
    "nothing-excluded": "there are retries, and no error is excluded from them",
    "including": "there are retries, for the included errors only",
    "including-nothing": "there are retries, and the set of included errors is empty",
    "retried": "a trial is run again",
    "recovered": "the last run of a trial has no error, but the one before it has",
    "changing-wait": "two waits before further runs of a trial differ",
    "capped-wait": "a wait before a further run is cut to the longest that is allowed",
    "excluded": "a trial ends with an error that is excluded from retries",
    "included": "a trial ends with an error that is included in retries",
    "not-included": "a trial ends with an error that is not among the included ones",
    "included-and-excluded": "a trial ends with an error that is included and excluded",
    "out-of-retries": "a trial ends with an error when its retries are used up",
    "cancelled": "a trial is cancelled",
    "overflow": "a reward is beyond the range of a double, which ends the job",
    "pass-at-k": "there are enough attempts for pass@k",
    "errors": "trials end with errors",
    "step-error": "a step ends with an error, and its trial has none",
    "rewards": "trials have rewards",
    "several-agents": "more than one agent attempts each task",
    "models": "an agent has a model",
    "several-metrics": "there is more than one metric, or another one than the mean",
    "n-tasks": "not all tasks of the dataset are run",
    "no-attempts": "there is no attempt at any task",
    "many-at-a-time": "more than four trials run at a time",
    "many-runs": "a trial is run more than four times",
    "program-ends": "a call raises an exception that ends the whole program",
    "mounted": "the log folders of the sandboxes are folders of the host",
    "own-timeouts": "the settings override or limit the timeouts of agent or verifier",
    "earlier": "the job's folder holds files of earlier runs when the job is started",
    "earlier-ended": "an earlier run left a trial that had ended",
    "earlier-begun": "an earlier run left a trial that had not ended",
    "earlier-cancelled": "an earlier run left a trial that was cancelled",
    "earlier-other-settings": "an earlier run had other settings, so the job is refused",
}


def _flags(scenario: JobScenario, answer: Value | Fault) -> Iterator[str]:
    yield from _of_settings(scenario)
    yield from _of_earlier(scenario.earlier, answer)
    if isinstance(answer, Fault):
        yield from carried({"overflow": answer.kind == "ExceptionGroup"})
        return
    record: Any = answer.value
    trials = record["trials"]
    yield from _of_plan(scenario, {name.partition("__")[0] for name in trials}, len(trials))
    for trial in trials.values():
        yield from _of_runs(scenario.retry, trial)
    effects = [each for runs in scenario.scripts for script in runs for each in script.effects.values()]
    yield from carried({"program-ends": any(effect.text in PROGRAM_ENDS for effect in effects)})
    yield from _of_stats(record["files"].get("result.json"))


def _of_settings(scenario: JobScenario) -> set[str]:
    agents = (scenario.settings.agent, *scenario.further_agents)
    retry = scenario.retry
    including = retry.max_retries and retry.include is not None
    return carried(
        {
            "several-attempts": scenario.attempts > 1,
            "concurrent": scenario.concurrent > 1,
            "several-agents": scenario.further_agents,
            "models": any((agent.model or "").split("/", 1)[-1] for agent in agents),
            "several-metrics": scenario.metrics not in ((), ("mean",)),
            "n-tasks": scenario.n_tasks is not None,
            "no-attempts": scenario.attempts < 1,
            "mounted": scenario.settings.mounted,
            "own-timeouts": has_own_timeouts(scenario.settings) or any(map(has_limits, scenario.further_agents)),
            "nothing-excluded": retry.max_retries and not retry.exclude,
            "including": including and retry.include,
            "including-nothing": including and not retry.include,
        }
    )


def _of_earlier(files: Mapping[str, str], answer: Value | Fault) -> set[str]:
    trials = {name.partition("/")[0] for name in files if "/" in name}
    results = [text for name, text in files.items() if name.endswith("/result.json")]
    cancelled = ['"CancelledError"' in text for text in results]
    return carried(
        {
            "earlier": files,
            "earlier-ended": not all(cancelled),
            "earlier-begun": len(results) < len(trials),
            "earlier-cancelled": any(cancelled),
            "earlier-other-settings": isinstance(answer, Fault) and answer.kind == "FileExistsError",
        }
    )


def _of_plan(scenario: JobScenario, tasks: set[str], trials: int) -> set[str]:
    all_run = scenario.n_tasks is None and scenario.attempts > 0
    waiting = trials > scenario.concurrent
    return carried(
        {
            "several-tasks": len(tasks) > 1,
            "several-tasks-and-attempts": len(tasks) > 1 and scenario.attempts > 1,
            "left-out": len(tasks) < len(scenario.tasks) and all_run,
            "many-at-a-time": min(trials, scenario.concurrent) > 4,
            "queued": waiting and scenario.concurrent > 1,
            "one-after-another": waiting and scenario.concurrent <= 1,
        }
    )


def _of_runs(retry: RetrySettings, trial: Record) -> set[str]:
    runs = len(trial["calls"])
    error, steps = _error(trial), document(trial.get("result")).get("step_results")
    waits = [retry.min_wait_sec * retry.wait_multiplier**run for run in range(runs - 1)]
    capped = any(wait > retry.max_wait_sec for wait in waits)
    flags = carried(
        {
            "cancelled": error == "CancelledError",
            "many-runs": runs > 4,
            "retried": runs > 1,
            "capped-wait": capped,
            "changing-wait": not capped and len(set(waits)) > 1,
            "recovered": runs > 1 and error is None,
            "step-error": error is None and any(step.get("exception_info") for step in steps or ()),
        }
    )
    if error is None or retry.max_retries == 0:
        return flags
    included, excluded = (error in (names or ()) for names in (retry.include, retry.exclude))
    return flags | carried(
        {
            "included-and-excluded": included and excluded,
            "excluded": excluded and not included,
            "included": included and not excluded,
            "not-included": retry.include and not included and not excluded,
            "out-of-retries": runs == retry.max_retries + 1,
        }
    )


def _error(trial: Record) -> str | None:
    error = document(trial.get("result")).get("exception_info")
    return error["exception_type"] if error else None


def _of_stats(result: Any) -> Iterator[str]:
    for group in document(result).get("stats", {}).get("evals", {}).values():
        yield from carried(
            {"pass-at-k": group["pass_at_k"], "errors": group["n_errors"], "rewards": group["reward_stats"]}
        )


FLAGS_OF_JOBS = FlagsOfScenarios(_flags, run_job_scenario, JOB_CODEC.encode)
"""The flags of scenarios of jobs."""
