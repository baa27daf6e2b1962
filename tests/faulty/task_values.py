"""Faults in reading task.toml: values of another type than their key takes, and tasks that are none."""

from typing import Any
from unittest import mock

from parity.driver import task_models
from parity.driver.task_table import Member, Place, Reader, Shape, number, user
from tests.faulty.job_runs import RecordedJobFault
from tests.faulty.trial_fault import Patch, TrialFault


def _reading(table: str, key: str, read: Reader[Any]) -> Patch:
    """A key of a table read otherwise."""
    shape: Shape[Any] = getattr(task_models, table)
    member = Member(read, shape.members[key].to)
    return mock.patch.dict(shape.members, {key: member})


class TextsAreNoTimes(TrialFault):
    """Lets the agent take any time where its timeout is written as a text."""

    breaks = "run-trial/lax-values"
    seen_by = "test_golden"

    def wrong(self) -> Patch:
        def read(place: Place, value: Any) -> float | None:
            return None if isinstance(value, str) else number(place, value)

        return _reading("_AGENT", "timeout_sec", read)


class UsersAreNames(TrialFault):
    """Takes whatever stands for a user as the name of one."""

    breaks = "run-trial/lax-values"

    def wrong(self) -> Patch:
        return _reading("_AGENT", "user", lambda place, value: value if type(value) is int else str(value))


class AnyWordAllowsTheNetwork(TrialFault):
    """Takes every word for yes, "no" and "off" too."""

    breaks = "run-trial/lax-values"
    seen_by = "test_what_is_seldom_drawn"

    def wrong(self) -> Patch:
        return _reading("_ENVIRONMENT", "allow_internet", lambda place, value: bool(value))


class KilobytesAreThousands(TrialFault):
    """Counts 1000 megabytes to a gigabyte."""

    breaks = "run-trial/size-with-unit"
    seen_by = "test_what_is_seldom_drawn"

    def wrong(self) -> Patch:
        return mock.patch.dict(task_models._SIZES, {"G": 1000.0, "K": 0.001})


class NanIsNoTimeout(TrialFault):
    """Lets an agent take any time whose timeout is nan."""

    breaks = "run-trial/nan-timeout"
    seen_by = "test_what_is_seldom_drawn"

    def wrong(self) -> Patch:
        def read(place: Place, value: Any) -> float | None:
            time = number(place, value)
            return time if time == time else None

        return _reading("_AGENT", "timeout_sec", read)


class LaxTasksAreLeftOut(RecordedJobFault):
    """Leaves out tasks that name a user by true or by a float, as if Harbor did."""

    breaks = "run-job/tasks"
    seen_by = "test_golden"

    def wrong(self) -> Patch:
        def read(place: Place, value: Any) -> str | int:
            if type(value) not in (str, int):
                raise place.invalid("is neither a name nor a number; write one")
            return user(place, value)

        return _reading("_AGENT", "user", read)


class AnySystemIsRun(RecordedJobFault):
    """Runs tasks whose operating system is an empty text, as if it were Linux."""

    breaks = "run-job/tasks"
    seen_by = "test_golden"

    def wrong(self) -> Patch:
        return _reading("_ENVIRONMENT", "os", lambda place, value: task_models._system(place, value or "linux"))


class HostsAreIgnored(RecordedJobFault):
    """Runs tasks that allow hosts without the mode that goes with them."""

    breaks = "run-job/tasks"
    seen_by = "test_golden"

    def wrong(self) -> Patch:
        members = task_models._AGENT.members
        known = {key: member for key, member in members.items() if key != "allowed_hosts"}
        return mock.patch.dict(members, known, clear=True)
