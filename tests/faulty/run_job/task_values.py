"""Faults of jobs in reading task.toml: tasks that are none."""

from typing import Any
from unittest import mock

from parity.driver import task_models
from parity.driver.task_table import Place, user
from tests.faulty.patches import Patch, reading
from tests.faulty.run_job.fault import JobFault


class LaxTasksAreLeftOut(JobFault):
    """Leaves out tasks that name a user by true or by a float, as if Harbor did."""

    breaks = "run-job/tasks"
    seen_by = "test_golden"

    def wrong(self) -> Patch:
        def read(place: Place, value: Any) -> str | int:
            if type(value) not in (str, int):
                raise place.invalid("is neither a name nor a number; write one")
            return user(place, value)

        return reading("_AGENT", "user", read)


class AnySystemIsRun(JobFault):
    """Runs tasks whose operating system is an empty text, as if it were Linux."""

    breaks = "run-job/tasks"
    seen_by = "test_golden"

    def wrong(self) -> Patch:
        return reading("_ENVIRONMENT", "os", lambda place, value: task_models._system(place, value or "linux"))


class HostsAreIgnored(JobFault):
    """Runs tasks that allow hosts without the mode that goes with them."""

    breaks = "run-job/tasks"
    seen_by = "test_golden"

    def wrong(self) -> Patch:
        members = task_models._AGENT.members
        known = {key: member for key, member in members.items() if key != "allowed_hosts"}
        return mock.patch.dict(members, known, clear=True)
