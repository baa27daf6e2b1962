"""Which of the host's environment variables the tasks of a job would be given, by templates in their task.toml.

A template whose variable is not set takes nothing from the host. Variables of the command line are whoever wrote it's.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from parity.driver.documents.templates import variables_taken
from parity.driver.job_plan import JobPlan
from parity.driver.settings import JobSettings
from parity.driver.task_config import TaskConfig


@dataclass
class Taken:
    """What takes one variable of the host."""

    tables: set[str] = field(default_factory=set)
    """Of task.toml: `environment.env` and the like."""

    tasks: list[str] = field(default_factory=list)
    """Folders, in the order of the plan."""


def host_variables(plan: JobPlan, host: Mapping[str, str]) -> dict[str, Taken]:
    """Names of variables, sorted, with what takes each of them.

    Args:
        plan: the job's.
        host: the host's variables.
    """
    taken: defaultdict[str, Taken] = defaultdict(Taken)
    for path, task in plan.tasks.items():
        for table, env in _tables(task.config, plan.settings):
            for name in variables_taken(env, host):
                entry = taken[name]
                entry.tables.add(table)
                if str(path) not in entry.tasks[-1:]:
                    entry.tasks.append(str(path))
    return dict(sorted(taken.items()))


def _tables(config: TaskConfig, settings: JobSettings) -> Iterator[tuple[str, Mapping[str, str]]]:
    """The tables of variables that trials with these settings use."""
    yield "environment.env", config.environment.env
    if any(agent.name == "oracle" for agent in settings.agents):
        yield "solution.env", config.solution_env
    if settings.disable_verification:
        return
    for step in config.steps or (None,):
        # The step's come before the task's, and those of the command line before both.
        env = {**config.verifier.env, **(step.verifier.env if step else {})}
        yield "verifier.env", {name: value for name, value in env.items() if name not in settings.verifier_env}
        if config.is_separate(step):
            yield "verifier.environment.env", config.verifier_environment(step).env
