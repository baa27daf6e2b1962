"""The cases of `harbor_env` that its rules are about."""

import json
import math
import re
import sys
from collections.abc import Callable, Mapping
from typing import Any

from parity.driver.task_file import read_toml
from parity.harbor_env.scoring import KEY
from parity.operations.harbor_env.recorded.scenario import EnvScenario, TaskScenario
from parity.operations.rule import When

type TaskCondition = Callable[[TaskScenario, str], bool]
"""A condition on a task, under a scoring."""

_DOCUMENTED_SECONDS = 300
_JSON_NUMBER = re.compile(r"-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?", re.ASCII)
_FILES = {"task.toml", "instruction.md"}


def is_harbor(case: EnvScenario) -> bool:
    return case.scoring == "harbor"


def is_documented(case: EnvScenario) -> bool:
    return case.scoring == "documented"


def in_harbor(holds: TaskCondition) -> When:
    """Build a condition from a predicate of a task that is scored by Harbor's rules."""
    return lambda case: is_harbor(case) and any(holds(task, case.scoring) for task in _tasks(case))


def in_documented(holds: TaskCondition) -> When:
    """Build a condition from a predicate of a task that is scored as HarborEnv's documentation says."""
    return lambda case: is_documented(case) and any(holds(task, case.scoring) for task in _tasks(case))


def document(holds: Callable[[Any], bool]) -> TaskCondition:
    """Return a condition: the reward file that counts is JSON, and the predicate holds for its document."""

    def in_file(task: TaskScenario, scoring: str) -> bool:
        try:
            return holds(json.loads(_counting(task, scoring)))
        except (ValueError, RecursionError):
            return False

    return in_file


def rewards(holds: Callable[[Mapping[str, Any]], bool]) -> TaskCondition:
    """Return a condition: the reward file that counts is a JSON object, and the predicate holds for it."""
    return document(lambda each: isinstance(each, dict) and holds(each))


def _chosen(case: EnvScenario) -> list[TaskScenario]:
    return [task for task in case.tasks if not case.names or task.name in case.names]


def _tasks(case: EnvScenario) -> list[TaskScenario]:
    return [task for task in _chosen(case) if task.files.keys() >= _FILES]


def has_filter(case: EnvScenario) -> bool:
    return is_documented(case) and bool(case.names)


def has_incomplete_directory(case: EnvScenario) -> bool:
    return is_documented(case) and len(_chosen(case)) > len(_tasks(case))


def is_unsorted(case: EnvScenario) -> bool:
    names = [task.name for task in _tasks(case)]
    return is_documented(case) and names != sorted(names)


def overrides_variables(case: EnvScenario) -> bool:
    """Return whether the environment's arguments include variables that it sets itself."""
    return is_documented(case) and any(name.startswith(("HARBOR_", "AGENT_", "OPENAI_")) for name in case.variables)


def lacks_workdir(case: EnvScenario) -> bool:
    return is_documented(case) and not case.workdir


def call_fails(task: TaskScenario, scoring: str) -> bool:
    return task.injected_fault is not None and task.injected_fault.seconds is None


def set_up_fails(task: TaskScenario, scoring: str) -> bool:
    return task.injected_fault is not None and task.injected_fault.call == "upload-task"


def tests_fail(task: TaskScenario, scoring: str) -> bool:
    return task.code != 0


def tests_take_long(task: TaskScenario, scoring: str) -> bool:
    """Return whether the tests take longer than they may."""
    fault = task.injected_fault
    if fault is None or fault.seconds is None or fault.call != "run-tests":
        return False
    return fault.seconds > (_DOCUMENTED_SECONDS if scoring == "documented" else _limit(task))


def _limit(task: TaskScenario) -> float:
    try:
        verifier = read_toml(task.files["task.toml"].decode()).get("verifier")
    except (ValueError, RecursionError):
        verifier = None
    limit = verifier.get("timeout_sec", 600.0) if isinstance(verifier, dict) else 600.0
    return float(limit) if isinstance(limit, int | float) else 600.0


def leaves_both_or_empty(task: TaskScenario, scoring: str) -> bool:
    """Return whether the tests leave both reward files, or an empty one."""
    contents = [task.left.get(name) for name in ("reward.txt", "reward.json")]
    return None not in contents or b"" in contents


def content_is_swapped(task: TaskScenario, scoring: str) -> bool:
    """Return whether reward.txt counts and is JSON, or reward.json counts and is a number."""
    is_number = _number(task, scoring) is not None
    return is_number if _name(task, scoring) == "reward.json" else not is_number and _is_json(task, scoring)


def is_spelled_unlike_json(task: TaskScenario, scoring: str) -> bool:
    """Return whether the file that counts is a number, but not in the spelling of JSON."""
    text = _counting(task, scoring).strip()
    return _number(task, scoring) is not None and not _JSON_NUMBER.fullmatch(text)


def is_negative_zero(task: TaskScenario, scoring: str) -> bool:
    return _number(task, scoring) == 0 and _counting(task, scoring).strip().startswith("-")


def is_not_finite(task: TaskScenario, scoring: str) -> bool:
    number = _number(task, scoring)
    return number is not None and not math.isfinite(number)


def has_int_beyond_double(document: Mapping[str, Any]) -> bool:
    return any(isinstance(value, int) and abs(value) > sys.float_info.max for value in document.values())


def gives_no_number(task: TaskScenario, scoring: str) -> bool:
    """Return whether there is no file that counts, or a number cannot be read from it."""
    if _name(task, scoring) is None or any(name.endswith("/") for name in task.left):
        return True
    return _number(task, scoring) is None and not _gives_number(task, scoring)


_gives_number = rewards(lambda each: _is_float(each.get(KEY, 0.0)))
_is_json = document(lambda each: True)


def _is_float(value: Any) -> bool:
    try:
        float(value)
    except (TypeError, ValueError, OverflowError):
        return False
    return True


def _number(task: TaskScenario, scoring: str) -> float | None:
    try:
        return float(_counting(task, scoring).strip())
    except ValueError:
        return None


def _counting(task: TaskScenario, scoring: str) -> str:
    """Return the content of the reward file that counts; an empty string if there is none."""
    name = _name(task, scoring)
    return "" if name is None else task.left[name].decode(errors="replace")


def _name(task: TaskScenario, scoring: str) -> str | None:
    if scoring == "harbor":
        return next((name for name in ("reward.json", "reward.txt") if name in task.left), None)
    return next((name for name in ("reward.txt", "reward.json") if task.left.get(name)), None)
