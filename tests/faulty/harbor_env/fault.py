"""What faulty runners have in common that run environments wrong."""

import copy
from abc import abstractmethod
from collections.abc import Iterator
from typing import Any

from parity.operations.harbor_env.recorded.scenario import EnvScenario, TaskScenario
from parity.operations.scenarios.records import Record
from tests.faulty.fault import Fault


class EnvFault(Fault):
    """A runner that records wrongly what its environment did."""

    def harbor_env(self, scenario: EnvScenario) -> Record:
        record = copy.deepcopy(super().harbor_env(scenario))
        return self.rewritten(record, scenario) if scenario.scoring == self.scoring else record

    scoring = "documented"

    def rewritten(self, record: Record, scenario: EnvScenario) -> Record:
        """The record as the runner gives it; it may be changed in place."""
        if "refused" not in record:
            for rollout, task in rollouts(record, scenario):
                self.rolled_out(rollout, task, scenario)
            if record["rollouts"] and self.scoring == "documented":
                rewards = [rollout["reward"] for rollout in record["rollouts"]]
                record["average"] = sum(rewards) / len(rewards)
        return record

    @abstractmethod
    def rolled_out(self, rollout: Record, task: TaskScenario, scenario: EnvScenario) -> None:
        """Change the record of one rollout."""


class HarborScoringFault(EnvFault):
    """One that is wrong under Harbor's scoring."""

    scoring = "harbor"
    seen_by = "test_what_tests_leave"


class DocumentedFault(EnvFault):
    """One that is wrong under the documentation's scoring."""

    seen_by = "test_documented_scoring"


class DatasetFault(DocumentedFault):
    """One that takes other rows."""

    def rolled_out(self, rollout: Record, task: TaskScenario, scenario: EnvScenario) -> None:
        """Rollouts are as they are."""


def rollouts(record: Record, scenario: EnvScenario) -> Iterator[tuple[Record, TaskScenario]]:
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
