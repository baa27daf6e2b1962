"""Faults in reading task.toml: values of another type than their key takes."""

from typing import Any
from unittest import mock

from parity.formats import task
from tests.faulty.fault import Patch, breaks
from tests.faulty.patches import agents_of, each_task_toml, while_patched


@breaks("run-trial/lax-values", seen_by="test_golden")
@each_task_toml
def TextsAreNoTimes(values: dict[str, Any]) -> None:
    """Does not limit the agent's time if its timeout is a string."""
    for agent in agents_of(values):
        if isinstance(agent.get("timeout_sec"), str):
            del agent["timeout_sec"]


@breaks("run-trial/lax-values", seen_by="test_any_trial")
@each_task_toml
def UsersAreNames(values: dict[str, Any]) -> None:
    """Takes a user that is true or a float as the name of one."""
    for agent in agents_of(values):
        if isinstance(agent.get("user"), bool | float):
            agent["user"] = str(agent["user"])


@breaks("run-trial/lax-values", seen_by="test_what_is_seldom_drawn")
@each_task_toml
def AnyWordAllowsTheNetwork(values: dict[str, Any]) -> None:
    """Takes every word for yes, "no" and "off" too."""
    environment = values.get("environment", {})
    if "allow_internet" in environment:
        environment["allow_internet"] = bool(environment["allow_internet"])


@breaks("run-trial/size-with-unit", seen_by="test_what_is_seldom_drawn")
@while_patched
def KilobytesAreThousands() -> Patch:
    """Counts 1000 megabytes to a gigabyte."""
    return mock.patch.dict(task._SIZES, {"G": 1000.0, "K": 0.001})


@breaks("run-trial/nan-timeout", seen_by="test_what_is_seldom_drawn")
@each_task_toml
def NanIsNoTimeout(values: dict[str, Any]) -> None:
    """Does not limit the agent's time if its timeout is nan."""
    for agent in agents_of(values):
        if agent.get("timeout_sec") != agent.get("timeout_sec"):
            del agent["timeout_sec"]
