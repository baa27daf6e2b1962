"""List the host's environment variables that a job's tasks would receive through templates in their task.toml.

Variables that the command line sets are not listed, because the user wrote them there.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from parity.driver.documents.templates import missing_variables, variables_used
from parity.driver.job_plan import JobPlan
from parity.formats.configuration import JobConfiguration
from parity.formats.task import TaskConfig


@dataclass
class VariableUse:
    """The tables and tasks that use one of the host's environment variables."""

    tables: set[str] = field(default_factory=set)
    """Names of tables in task.toml, such as `environment.env`."""

    tasks: list[str] = field(default_factory=list)
    """The tasks' directories, in the order of the plan."""


def host_variables(plan: JobPlan, host: Mapping[str, str]) -> dict[str, VariableUse]:
    """Return the tables and tasks that use each of the host's environment variables, sorted by the variable's name.

    A variable that is not set on the host is not listed.
    """
    uses: defaultdict[str, VariableUse] = defaultdict(VariableUse)
    for task in plan.tasks:
        for table, env in _tables(task.config, plan.job):
            for name in variables_used(env, host):
                entry = uses[name]
                entry.tables.add(table)
                if str(task.path) not in entry.tasks[-1:]:
                    entry.tasks.append(str(task.path))
    return dict(sorted(uses.items()))


def missing_host_variables(plan: JobPlan, host: Mapping[str, str]) -> list[str]:
    """Return a line for each variable that a task needs but that is not set on the host.

    These are the variables for which Harbor's command refuses a job before it starts. For others, such as those of a
    step's tests, a trial has an error.
    """
    is_oracle = any(agent.name == "oracle" for agent in plan.job.agents)
    lines = []
    for task in plan.tasks:
        own = {name: value for name, value in task.config.verifier.env.items() if name not in plan.job.verifier.env}
        for table, env in ("verifier.env", own), ("solution.env", task.config.solution.env if is_oracle else {}):
            for name in missing_variables(env, host):
                lines.append(f"{task.path}: {table} needs the variable {name}, which is not set; set it")
    return lines


def _tables(config: TaskConfig, job: JobConfiguration) -> Iterator[tuple[str, Mapping[str, str]]]:
    """Yield each table of environment variables that trials in this job use, with its name."""
    yield "environment.env", config.environment.env
    if any(agent.name == "oracle" for agent in job.agents):
        yield "solution.env", config.solution.env
    if job.verifier.disable:
        return
    for step in config.steps or (None,):
        # A step's variables override the task's variables, and the command line overrides both.
        env = {**config.verifier.env, **(step.verifier.env if step else {})}
        yield "verifier.env", {name: value for name, value in env.items() if name not in job.verifier.env}
        if config.is_separate(step):
            yield "verifier.environment.env", config.verifier_environment(step).env
