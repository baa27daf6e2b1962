"""What faulty runners have in common that run environments wrong."""

import copy
from collections.abc import Callable, Iterator
from functools import wraps
from typing import Any

from parity.operations.harbor_env.recorded.scenario import EnvScenario, TaskScenario
from parity.operations.scenarios.records import Record
from parity.runners import CleanRoom
from tests.faulty.fault import Answer

type OfRecord = Callable[[Record, EnvScenario], Record]
type OfRollout = Callable[[Record, TaskScenario, EnvScenario], None]


def record_under(scoring: str) -> Callable[[OfRecord], Answer]:
    """What an environment with this scoring did, written down in another way; the record may be changed in place."""

    def made(change: OfRecord) -> Answer:
        @wraps(change)
        def harbor_env(right: CleanRoom, scenario: EnvScenario) -> Record:
            record = copy.deepcopy(right.harbor_env(scenario))
            return change(record, scenario) if scenario.scoring == scoring else record

        return harbor_env

    return made


def each_rollout_under(scoring: str) -> Callable[[OfRollout], Answer]:
    """What an environment with this scoring did, with the record of each rollout changed in place."""

    def made(change: OfRollout) -> Answer:
        @record_under(scoring)
        @wraps(change)
        def changed(record: Record, scenario: EnvScenario) -> Record:
            if "refused" not in record:
                for rollout, task in _rollouts(record, scenario):
                    change(rollout, task, scenario)
                if record["rollouts"] and scoring == "documented":
                    rewards = [rollout["reward"] for rollout in record["rollouts"]]
                    record["average"] = sum(rewards) / len(rewards)
            return record

        return changed

    return made


def _rollouts(record: Record, scenario: EnvScenario) -> Iterator[tuple[Record, TaskScenario]]:
    """Each rollout with its task."""
    chosen = sorted((task for task in scenario.tasks if is_task(task, scenario)), key=lambda task: task.name)
    yield from zip(record["rollouts"], chosen, strict=True)


def is_task(task: TaskScenario, scenario: EnvScenario) -> bool:
    """Whether a folder is taken for a task."""
    return {"task.toml", "instruction.md"} <= task.files.keys() and (not scenario.names or task.name in scenario.names)


def left(task: TaskScenario, name: str) -> str:
    """A file that the tests left, as text."""
    return task.left.get(name, b"").decode(errors="replace").strip()


def call(rollout: Record, name: str) -> Any:
    """What is reported of a call, or an empty dict."""
    return next((each[name] for each in rollout["calls"] if name in each), {})
