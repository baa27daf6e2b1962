"""Faults in reading task.toml: values of another type than their key takes, and tasks that are none."""

from typing import Any
from unittest import mock

from parity.driver import task_models
from parity.driver.task_table import Place, number
from tests.faulty.patches import Patch, reading
from tests.faulty.run_trial.fault import TrialFault


class TextsAreNoTimes(TrialFault):
    """Lets the agent take any time where its timeout is written as a text."""

    breaks = "run-trial/lax-values"
    seen_by = "test_golden"

    def wrong(self) -> Patch:
        def read(place: Place, value: Any) -> float | None:
            return None if isinstance(value, str) else number(place, value)

        return reading("_AGENT", "timeout_sec", read)


class UsersAreNames(TrialFault):
    """Takes whatever stands for a user as the name of one."""

    breaks = "run-trial/lax-values"

    def wrong(self) -> Patch:
        return reading("_AGENT", "user", lambda place, value: value if type(value) is int else str(value))


class AnyWordAllowsTheNetwork(TrialFault):
    """Takes every word for yes, "no" and "off" too."""

    breaks = "run-trial/lax-values"
    seen_by = "test_what_is_seldom_drawn"

    def wrong(self) -> Patch:
        return reading("_ENVIRONMENT", "allow_internet", lambda place, value: bool(value))


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

        return reading("_AGENT", "timeout_sec", read)
