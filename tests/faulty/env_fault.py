"""What faulty runners have in common that run environments wrong."""

import copy
from abc import abstractmethod
from collections.abc import Iterator
from typing import Any

from parity.operations.harbor_env.recorded.plays import EnvPlay, TaskPlay
from parity.operations.harbor_env.recorded.records import Record
from tests.faulty.fault import Fault


class EnvFault(Fault):
    """A runner that tells wrongly what its environment did."""

    def harbor_env(self, play: EnvPlay) -> Record:
        record = copy.deepcopy(super().harbor_env(play))
        return self.rewritten(record, play) if play.scoring == self.scoring else record

    scoring = "documented"

    def rewritten(self, record: Record, play: EnvPlay) -> Record:
        """The record as the runner gives it; it may be changed in place."""
        if "refused" not in record:
            for rollout, task in rollouts(record, play):
                self.rolled_out(rollout, task, play)
            if record["rollouts"] and self.scoring == "documented":
                rewards = [rollout["reward"] for rollout in record["rollouts"]]
                record["average"] = sum(rewards) / len(rewards)
        return record

    @abstractmethod
    def rolled_out(self, rollout: Record, task: TaskPlay, play: EnvPlay) -> None:
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

    def rolled_out(self, rollout: Record, task: TaskPlay, play: EnvPlay) -> None:
        """Rollouts are as they are."""


def rollouts(record: Record, play: EnvPlay) -> Iterator[tuple[Record, TaskPlay]]:
    """Each rollout with its task."""
    chosen = sorted((task for task in play.tasks if is_task(task, play)), key=lambda task: task.name)
    yield from zip(record["rollouts"], chosen, strict=True)


def is_task(task: TaskPlay, play: EnvPlay) -> bool:
    """Whether a folder is taken for a task."""
    return {"task.toml", "instruction.md"} <= task.files.keys() and (not play.names or task.name in play.names)


def left(task: TaskPlay, name: str) -> str:
    """A file that the tests left, as text."""
    return task.left.get(name, b"").decode(errors="replace").strip()


def call(rollout: Record, name: str) -> Any:
    """What is told of a call, or an empty dict."""
    return next((told[name] for told in rollout["calls"] if name in told), {})
