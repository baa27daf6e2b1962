"""Faults of jobs in reading task.toml: tasks that are none."""

from typing import Any

from tests.faulty.fault import breaks
from tests.faulty.patches import agents_of, each_task_toml


@breaks("run-job/tasks", seen_by="test_golden")
@each_task_toml
def LaxTasksAreLeftOut(values: dict[str, Any]) -> None:
    """Leaves out tasks whose user is true or a float, as if Harbor did."""
    for agent in agents_of(values):
        if isinstance(agent.get("user"), bool | float):
            agent["user"] = []


@breaks("run-job/tasks", seen_by="test_golden")
@each_task_toml
def AnySystemIsRun(values: dict[str, Any]) -> None:
    """Runs tasks whose operating system is an empty text, as if it were Linux."""
    if values.get("environment", {}).get("os") == "":
        values["environment"]["os"] = "linux"


@breaks("run-job/tasks", seen_by="test_golden")
@each_task_toml
def HostsAreIgnored(values: dict[str, Any]) -> None:
    """Runs tasks that allow hosts without the mode that allows them."""
    for agent in agents_of(values):
        agent.pop("allowed_hosts", None)
