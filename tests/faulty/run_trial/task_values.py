"""Faults in reading task.toml: values of another type than their key takes, and tasks that are none."""

from typing import Any
from unittest import mock

from parity.driver import task_models
from parity.driver.task_table import Place, number
from tests.faulty.fault import Patch, breaks
from tests.faulty.patches import reading, while_patched


@breaks("run-trial/lax-values", seen_by="test_golden")
@while_patched
def TextsAreNoTimes() -> Patch:
    """Lets the agent take any time where its timeout is written as a text."""

    def read(place: Place, value: Any) -> float | None:
        return None if isinstance(value, str) else number(place, value)

    return reading("_AGENT", "timeout_sec", read)


@breaks("run-trial/lax-values", seen_by="test_any_trial")
@while_patched
def UsersAreNames() -> Patch:
    """Takes whatever stands for a user as the name of one."""
    return reading("_AGENT", "user", lambda place, value: value if type(value) is int else str(value))


@breaks("run-trial/lax-values", seen_by="test_what_is_seldom_drawn")
@while_patched
def AnyWordAllowsTheNetwork() -> Patch:
    """Takes every word for yes, "no" and "off" too."""
    return reading("_ENVIRONMENT", "allow_internet", lambda place, value: bool(value))


@breaks("run-trial/size-with-unit", seen_by="test_what_is_seldom_drawn")
@while_patched
def KilobytesAreThousands() -> Patch:
    """Counts 1000 megabytes to a gigabyte."""
    return mock.patch.dict(task_models._SIZES, {"G": 1000.0, "K": 0.001})


@breaks("run-trial/nan-timeout", seen_by="test_what_is_seldom_drawn")
@while_patched
def NanIsNoTimeout() -> Patch:
    """Lets an agent take any time whose timeout is nan."""

    def read(place: Place, value: Any) -> float | None:
        time = number(place, value)
        return time if time == time else None

    return reading("_AGENT", "timeout_sec", read)
