"""Faults of jobs in reading task.toml: tasks that are none."""

from typing import Any
from unittest import mock

from parity.driver import task_models
from parity.driver.task_table import Place, user
from tests.faulty.fault import Patch, breaks
from tests.faulty.patches import reading, while_patched


@breaks("run-job/tasks", seen_by="test_golden")
@while_patched
def LaxTasksAreLeftOut() -> Patch:
    """Leaves out tasks that name a user by true or by a float, as if Harbor did."""

    def read(place: Place, value: Any) -> str | int:
        if type(value) not in (str, int):
            raise place.invalid("is neither a name nor a number; write one")
        return user(place, value)

    return reading("_AGENT", "user", read)


@breaks("run-job/tasks", seen_by="test_golden")
@while_patched
def AnySystemIsRun() -> Patch:
    """Runs tasks whose operating system is an empty text, as if it were Linux."""
    return reading("_ENVIRONMENT", "os", lambda place, value: task_models._system(place, value or "linux"))


@breaks("run-job/tasks", seen_by="test_golden")
@while_patched
def HostsAreIgnored() -> Patch:
    """Runs tasks that allow hosts without the mode that goes with them."""
    members = task_models._AGENT.members
    known = {key: member for key, member in members.items() if key != "allowed_hosts"}
    return mock.patch.dict(members, known, clear=True)
