"""Which of the planned trials a trial on disk is: one of the attempts at a task by an agent.

lock.json lists the planned trials without their names, and a trial's result.json holds its configuration. Both name
task and agent; all else is the same throughout a job. Trials of one kind are attempts.
"""

import json
from collections.abc import Mapping
from typing import Any


class TrialKinds:
    """Numbers the kinds of trial from 0, in the order in which they are first asked for."""

    def __init__(self) -> None:
        self._numbers: dict[tuple[object, str], int] = {}

    def planned(self, entry: Mapping[str, Any]) -> int:
        """The kind of an entry of lock.json."""
        task = entry["task"]
        name = task["name"] if task["type"] == "package" else None
        return self._number((task.get("path"), task.get("git_url"), name, task.get("source")), entry["agent"])

    def found(self, task: Mapping[str, Any], agent: object) -> int:
        """The kind of a trial whose result.json holds this configuration of task and agent."""
        where = (task.get("path"), task.get("git_url"), task.get("name"), task.get("source"))
        return self._number(where, agent)

    def _number(self, task: tuple[object, ...], agent: object) -> int:
        kind = (json.dumps(task), json.dumps(_without_nulls(agent), sort_keys=True))
        return self._numbers.setdefault(kind, len(self._numbers))


def _without_nulls(value: object) -> object:
    """lock.json leaves out what is null."""
    if isinstance(value, dict):
        return {key: _without_nulls(item) for key, item in value.items() if item is not None}
    if isinstance(value, list):
        return [_without_nulls(item) for item in value]
    return value
