"""List the host's environment variables that a job's tasks would receive through templates in their task.toml.

A template with an unset variable receives nothing. Variables from the command line are not listed, because the user
wrote them.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from parity.driver.documents.templates import variables_used
from parity.driver.job_plan import JobPlan
from parity.formats.configuration import JobConfiguration
from parity.formats.task import TaskConfig


@dataclass
class VariableUse:
    """The tables and tasks that use one variable of the host."""

    tables: set[str] = field(default_factory=set)
    """Tables of task.toml, such as `environment.env`."""

    tasks: list[str] = field(default_factory=list)
    """Directories, in the order of the plan."""


def host_variables(plan: JobPlan, host: Mapping[str, str]) -> dict[str, VariableUse]:
    """Return the names of variables, sorted, with the tables and tasks that use each."""
    uses: defaultdict[str, VariableUse] = defaultdict(VariableUse)
    for task in plan.tasks:
        for table, env in _tables(task.config, plan.job):
            for name in variables_used(env, host):
                entry = uses[name]
                entry.tables.add(table)
                if str(task.path) not in entry.tasks[-1:]:
                    entry.tasks.append(str(task.path))
    return dict(sorted(uses.items()))


def _tables(config: TaskConfig, job: JobConfiguration) -> Iterator[tuple[str, Mapping[str, str]]]:
    """Yield the tables of variables that trials of this job use."""
    yield "environment.env", config.environment.env
    if any(agent.name == "oracle" for agent in job.agents):
        yield "solution.env", config.solution.env
    if job.verifier.disable:
        return
    for step in config.steps or (None,):
        # A step's variables override the task's, and those of the command line override both.
        env = {**config.verifier.env, **(step.verifier.env if step else {})}
        yield "verifier.env", {name: value for name, value in env.items() if name not in job.verifier.env}
        if config.is_separate(step):
            yield "verifier.environment.env", config.verifier_environment(step).env
