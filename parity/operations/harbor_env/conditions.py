"""Conditions on cases of `harbor_env`, which the rules for Harbor's scoring use."""

import json
import sys
from collections.abc import Callable, Mapping
from typing import Any

from parity.driver.task_file import read_toml
from parity.operations.harbor_env.recorded.scenario import EnvScenario, TaskScenario
from parity.operations.rule import When

type TaskCondition = Callable[[TaskScenario], bool]

_FILES = {"task.toml", "instruction.md"}


def is_harbor(case: EnvScenario) -> bool:
    return case.scoring == "harbor"


def in_harbor(holds: TaskCondition) -> When:
    """Build a condition that holds if the predicate holds for a task that is scored by Harbor's rules."""
    return lambda case: is_harbor(case) and any(map(holds, _tasks(case)))


def _tasks(case: EnvScenario) -> list[TaskScenario]:
    chosen = [task for task in case.tasks if not case.names or task.name in case.names]
    return [task for task in chosen if task.files.keys() >= _FILES]


def document(holds: Callable[[Any], bool]) -> TaskCondition:
    """Build a condition that holds if the reward file that is used is JSON, and the predicate holds for its value."""

    def in_file(task: TaskScenario) -> bool:
        try:
            return holds(json.loads(_counting(task)))
        except (ValueError, RecursionError):
            return False

    return in_file


def rewards(holds: Callable[[Mapping[str, Any]], bool]) -> TaskCondition:
    """Build a condition that holds if the reward file that is used is a JSON object, and the predicate holds for it."""
    return document(lambda each: isinstance(each, dict) and holds(each))


def call_fails(task: TaskScenario) -> bool:
    return task.injected_fault is not None and task.injected_fault.seconds is None


def tests_take_long(task: TaskScenario) -> bool:
    """Return whether the tests take longer than their timeout."""
    fault = task.injected_fault
    if fault is None or fault.seconds is None or fault.call != "run-tests":
        return False
    return fault.seconds > _limit(task)


def _limit(task: TaskScenario) -> float:
    try:
        verifier = read_toml(task.files["task.toml"].decode()).get("verifier")
    except (ValueError, RecursionError):
        verifier = None
    limit = verifier.get("timeout_sec", 600.0) if isinstance(verifier, dict) else 600.0
    return float(limit) if isinstance(limit, int | float) else 600.0


def is_negative_zero(task: TaskScenario) -> bool:
    text = _counting(task).strip()
    try:
        return float(text) == 0 and text.startswith("-")
    except ValueError:
        return False


def has_int_beyond_double(document: Mapping[str, Any]) -> bool:
    return any(isinstance(value, int) and abs(value) > sys.float_info.max for value in document.values())


def _counting(task: TaskScenario) -> str:
    """Return the content of the reward file that is used, or an empty string if there is none."""
    contents = (task.left[name] for name in ("reward.json", "reward.txt") if name in task.left)
    return next(contents, b"").decode(errors="replace")
