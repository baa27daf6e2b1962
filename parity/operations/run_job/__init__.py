"""`run_job`: from a whole job on recording sandboxes to its trials, run by run, and the job's own files.

Folders that are not tasks are left out, as Harbor does. One kind of job is excluded, because the two differ on purpose:
a variable of the sandbox or of the agent is not set. Harbor begins such a job and ends with an ExceptionGroup; this
package's driver refuses it before anything is written. The mean over the steps of a task has its keys in the order of
a set, so scenarios of such tasks should have one key.
"""

import locale
from dataclasses import asdict
from typing import Any

from parity.driver.job_plan import JobRefused
from parity.driver.settings import RetrySettings
from parity.operations.compare import Ordered
from parity.operations.files.folders import scratch_folder
from parity.operations.operation import Operation
from parity.operations.run_job.differences import refined
from parity.operations.run_job.flags import FLAGS, FLAGS_OF_JOBS
from parity.operations.run_job.rules import RULES
from parity.operations.scenarios.described import describe_agent, describe_script, describe_settings
from parity.operations.scenarios.execution import check_job
from parity.operations.scenarios.scenario import JobScenario
from parity.operations.scenarios.wire import as_agent, as_earlier, as_files, as_script, as_settings, encode_job
from parity.operations.wire import WireError, decode
from parity.scorer.metrics import METRICS

_SELDOM = {"further_agents", "metrics", "n_tasks", "earlier"}
_checked_jobs: set[str] = set()
"""Jobs that are known to be runnable; the check takes milliseconds, and golden vectors are decoded many times."""


def _list(value: Any) -> list[Any]:
    if isinstance(value, list):
        return value
    raise WireError(f"further_agents and metrics are lists, not {value!r:.60}")


def _metric(value: Any) -> str:
    if isinstance(value, str) and value in METRICS:
        return value
    raise WireError(f"metrics are {', '.join(METRICS)}, not {value!r:.60}")


def _checked(scenario: JobScenario) -> JobScenario:
    job = repr(scenario)
    if job in _checked_jobs:
        return scenario
    with scratch_folder() as folder:
        try:
            check_job(scenario, folder)
        except JobRefused as refused:
            if locale.getencoding().lower() not in ("utf-8", "utf8"):
                return (
                    scenario  # another process may read it: task.toml is in the encoding of the process, as in Harbor
                )
            raise WireError(f"the job cannot be run: {str(refused).replace(str(folder), '')}") from None
    _checked_jobs.add(job)
    return scenario


def _count(value: Any, least: int | None = None) -> int:
    count = decode(value)
    if type(count) is int and (least is None or count >= least):
        return count
    raise WireError(
        "attempts and n_tasks take a whole number, concurrent one from 1, and max_retries one from 0, "
        f"not {value!r:.60}"
    )


def _retry(value: dict[str, Any]) -> RetrySettings:
    match value:
        case {"max_retries": most, "include": include, "exclude": exclude, **waits} if waits.keys() == {
            "wait_multiplier",
            "min_wait_sec",
            "max_wait_sec",
        }:
            return RetrySettings(
                _count(most, 0),
                _names(include),
                _names(exclude),
                **{name: _wait(wait) for name, wait in waits.items()},
            )
    raise WireError(f"retry takes {', '.join(asdict(RetrySettings()))}")


def _names(value: Any) -> frozenset[str] | None:
    if value is None:
        return None
    if isinstance(value, list) and all(isinstance(name, str) and name.isidentifier() for name in value):
        return frozenset(value)
    raise WireError("include and exclude take names of classes, or null")


def _wait(value: Any) -> float:
    wait = decode(value)
    if type(wait) is float and 0.0 <= wait <= 1e6:
        return wait
    raise WireError("waits and their multiplier take a float from 0 to a million")


class RunJob(Operation[JobScenario]):
    """The operation `run_job`: from a job on recording sandboxes to its trials, run by run, and its own files."""

    name = "run_job"
    rules = RULES
    flag_sentences = FLAGS
    flags = staticmethod(FLAGS_OF_JOBS.of)
    remember = staticmethod(FLAGS_OF_JOBS.remember)
    encode = staticmethod(encode_job)
    refine = staticmethod(refined)

    def decode(self, value: Any) -> JobScenario:
        match value:
            case {
                "tasks": [*tasks],
                "settings": settings,
                "attempts": attempts,
                "concurrent": concurrent,
                "retry": dict(retry),
                "scripts": [*scripts],
                **rest,
            } if not rest.keys() - _SELDOM and all(isinstance(runs, list) for runs in scripts):
                scenario = JobScenario(
                    tuple(map(as_files, tasks)),
                    as_settings(settings),
                    _count(attempts),
                    _count(concurrent, 1),
                    _retry(retry),
                    tuple(tuple(map(as_script, runs)) for runs in scripts),
                    tuple(map(as_agent, _list(rest.get("further_agents", [])))),
                    tuple(map(_metric, _list(rest.get("metrics", [])))),
                    _count(rest["n_tasks"]) if rest.get("n_tasks") is not None else None,
                    as_earlier(rest.get("earlier", {})),
                )
                return _checked(scenario)
        raise WireError(
            "a run_job case takes tasks, settings, attempts, concurrent, retry and scripts, one list a trial, "
            "and optionally further_agents, metrics, n_tasks and earlier"
        )

    def ordered(self, case: JobScenario) -> Ordered:
        """Let the order of keys count where it reaches a file, which the order of a call's variables does not."""
        return lambda path: path[:1] != ("trials",) or path[2:3] != ("calls",)

    def describe(self, case: JobScenario) -> str:
        parts = [
            f"task-{number}: task.toml {task.toml!r}, files {dict(task.files)!r}"
            for number, task in enumerate(case.tasks, 1)
        ]
        parts.append(f"{case.attempts} attempts, {case.concurrent} at a time")
        defaults = asdict(RetrySettings())
        retry = {name: value for name, value in asdict(case.without_sets().retry).items() if value != defaults[name]}
        if retry:
            parts.append(f"retry {retry!r}")
        parts += describe_settings(case.settings)
        parts += [f"beside it {', '.join(describe_agent(agent))}" for agent in case.further_agents]
        if case.metrics:
            parts.append(f"metrics {', '.join(case.metrics)}")
        if case.n_tasks is not None:
            parts.append(f"n_tasks {case.n_tasks}")
        parts += [f"there is {name}: {content!r}" for name, content in case.earlier.items()]
        for place, runs in enumerate(case.scripts):
            for run, script in enumerate(runs):
                parts += [f"run {run} of trial {place}, {line}" for line in describe_script(script)]
        return "; ".join(parts)


RUN_JOB = RunJob()
