"""The operation `run_job`, which runs a whole job on scripted sandboxes, and returns its trials and its own files.

The calls of each trial are listed by run. Directories that are not tasks are skipped, as in Harbor. No job is drawn in
which an environment variable for the sandbox or the agent is not set, because drivers differ: Harbor begins such a job
and ends it with an ExceptionGroup, while this package's driver refuses it before anything is written. The keys of a
mean over a task's steps come from an unordered set, so scenarios with such tasks should use only one reward key.
"""

from dataclasses import asdict
from typing import Any

from parity.operations.compare import Difference, Ordered
from parity.operations.operation import Operation
from parity.operations.run_job.rules import GENERAL, RULES
from parity.operations.scenarios.call_differences import restated_calls
from parity.operations.scenarios.document_differences import restated
from parity.operations.scenarios.scenario import JobScenario
from parity.operations.scenarios.settings import RetrySettings
from parity.operations.scenarios.wire import JOB_CODEC, describe_agent, describe_script, describe_settings


class RunJob(Operation[JobScenario]):
    """The operation `run_job`, which runs a job on scripted sandboxes, and returns its trials and its own files."""

    name = "run_job"
    rules = RULES
    general = GENERAL
    codec = JOB_CODEC

    def ordered(self, case: JobScenario) -> Ordered:
        """Compare the order of keys in everything that is written to a file, but not in calls."""
        return lambda path: path[:1] != ("trials",) or path[2:3] != ("calls",)

    def restated(self, difference: Difference, expected: Any, actual: Any) -> Difference:
        """Use the missing or superfluous call, or the place in a document, as the path."""
        match difference.path:
            case ("trials", _, "calls", int(), *_):
                return restated_calls(difference, expected, actual, depth=4)
        return restated(difference, expected, actual)

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
        parts += [f"further agent {', '.join(describe_agent(agent))}" for agent in case.further_agents]
        if case.metrics:
            parts.append(f"metrics {', '.join(case.metrics)}")
        if case.n_tasks is not None:
            parts.append(f"n_tasks {case.n_tasks}")
        parts += [f"earlier file {name}: {content!r}" for name, content in case.earlier.items()]
        for place, runs in enumerate(case.scripts):
            for run, script in enumerate(runs):
                parts += [f"run {run} of trial {place}, {line}" for line in describe_script(script)]
        return "; ".join(parts)


RUN_JOB = RunJob()
