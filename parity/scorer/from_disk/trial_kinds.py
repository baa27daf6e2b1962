"""Which of the planned trials a trial on disk is: one of the attempts at a task by an agent.

lock.json lists the planned trials without their names, and a trial's result.json holds its configuration. Both name
task and agent; all else is the same throughout a job. Trials of one kind are attempts.
"""

import json
from collections.abc import Callable, Mapping
from typing import Any

_KEPT, _KEPT_AGENTS = 20_000, 100


class TrialKinds:
    """Numbers the kinds of trial from 0, in the order in which they are first asked for."""

    def __init__(self) -> None:
        self._numbers: dict[tuple[object, ...], int] = {}

    def planned(self, task: Mapping[str, Any], agent: str) -> int:
        """The kind of an entry of lock.json.

        Raises:
            TypeError, KeyError, AttributeError: the task is not one.
        """
        name = task["name"] if task["type"] == "package" else None
        return self._number(task.get("path"), task.get("git_url"), name, task.get("source"), agent)

    def found(self, task: Mapping[str, Any], agent: str) -> int:
        """The kind of a trial whose result.json holds this configuration.

        Raises:
            TypeError: something that names the task is no string.
        """
        return self._number(task.get("path"), task.get("git_url"), task.get("name"), task.get("source"), agent)

    def _number(self, *kind: str | None) -> int:
        return self._numbers.setdefault(kind, len(self._numbers))


class KindsOfTexts:
    """Remembers kinds by the texts that they were parsed from: that of the task, and that of all else.

    Args:
        agent: from the text of all else to the agent's, as `agent_text` gives it.
        kind: from the text of the task and the agent's to the kind.
    """

    def __init__(self, agent: Callable[[str], str], kind: Callable[[str, str], int]) -> None:
        self._agent, self._kind = agent, kind
        self._agents: dict[str, str] = {}
        self._kinds: dict[tuple[str, str], int] = {}

    def find(self, task: str, others: str) -> int:
        """The kind. What the two functions raise passes through."""
        agent = self._agents.get(others)
        if agent is None:
            if len(self._agents) >= _KEPT_AGENTS:
                self._agents.clear()
            agent = self._agents[others] = self._agent(others)
        kind = self._kinds.get((task, agent))
        if kind is None:
            if len(self._kinds) >= _KEPT:
                self._kinds.clear()
            kind = self._kinds[task, agent] = self._kind(task, agent)
        return kind


def agent_text(agent: object) -> str:
    """An agent's configuration as a text, the same for the same agent; lock.json leaves out what is null.

    Raises:
        TypeError: it is no object.
    """
    if not isinstance(agent, dict):
        raise TypeError(agent)
    return json.dumps(_without_nulls(agent), sort_keys=True)


def _without_nulls(value: object) -> object:
    if isinstance(value, dict):
        return {key: _without_nulls(item) for key, item in value.items() if item is not None}
    if isinstance(value, list):
        return [_without_nulls(item) for item in value]
    return value
