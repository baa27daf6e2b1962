"""Faults of the documented environment: which file counts, and which value it gives."""

import json
import re

from parity.operations.harbor_env.recorded.scenario import EnvScenario, TaskScenario
from parity.operations.scenarios.records import Record
from tests.faulty.harbor_env.fault import DatasetFault, DocumentedFault, left


class JsonCountsFirst(DocumentedFault):
    """Reads reward.json first, as Harbor does."""

    breaks = "documented-env/empty-text"
    seen_by = "test_golden"

    def rolled_out(self, rollout: Record, task: TaskScenario, scenario: EnvScenario) -> None:
        try:
            rollout["reward"] = float(json.loads(left(task, "reward.json"))["reward"])
        except (ValueError, TypeError, KeyError, OverflowError):
            return


class TextIsANumber(DocumentedFault):
    """Reads no JSON in reward.txt, and nothing but an object in reward.json."""

    breaks = "documented-env/json-in-text"
    seen_by = "test_golden"

    def rolled_out(self, rollout: Record, task: TaskScenario, scenario: EnvScenario) -> None:
        if left(task, "reward.txt").startswith("{") or (
            not task.left.get("reward.txt") and "{" not in left(task, "reward.json")
        ):
            rollout["reward"] = 0.0


class AnyKeyCounts(DocumentedFault):
    """Takes the first key of reward.json whatever its name."""

    breaks = "documented-env/reward-key"
    seen_by = "test_golden"

    def rolled_out(self, rollout: Record, task: TaskScenario, scenario: EnvScenario) -> None:
        try:
            rollout["reward"] = float(next(iter(json.loads(left(task, "reward.json")).values())))
        except (ValueError, TypeError, AttributeError, OverflowError, StopIteration):
            return


class BoolsAreNoNumbers(DocumentedFault):
    """Takes true and strings for no number."""

    breaks = "documented-env/value"
    seen_by = "test_golden"

    def rolled_out(self, rollout: Record, task: TaskScenario, scenario: EnvScenario) -> None:
        if re.search(r'"reward": (true|")', left(task, "reward.json")):
            rollout["reward"] = 0.0


class UnreadableIsHalf(DocumentedFault):
    """Gives half a point where a reward cannot be read."""

    breaks = "documented-env/zero"
    seen_by = "test_golden"

    def rolled_out(self, rollout: Record, task: TaskScenario, scenario: EnvScenario) -> None:
        if rollout["reward"] == 0 and not rollout["failed"] and left(task, "reward.txt")[:1] not in ("0", "-"):
            rollout["reward"] = 0.5


class KeepsDocumentedBounds(DocumentedFault):
    """Keeps rewards between 0.0 and 1.0, as the documentation promises."""

    breaks = "documented-env/unbounded"
    seen_by = "test_golden"

    def rolled_out(self, rollout: Record, task: TaskScenario, scenario: EnvScenario) -> None:
        rollout["reward"] = min(max(rollout["reward"], 0.0), 1.0)


class RewardsMayBeInts(DocumentedFault):
    """Reports whole rewards as ints."""

    breaks = "documented-env/reward"
    seen_by = "test_golden"

    def rolled_out(self, rollout: Record, task: TaskScenario, scenario: EnvScenario) -> None:
        if rollout["reward"] in (1.0, 2.0, 10.0):
            rollout["reward"] = int(rollout["reward"])


class UnforeseenDocumentsRaise(DocumentedFault):
    """Lets errors out of the reading of JSON that holds no number, as most releases do."""

    breaks = "documented-env/never-raises"
    seen_by = "test_golden"

    def rolled_out(self, rollout: Record, task: TaskScenario, scenario: EnvScenario) -> None:
        if not left(task, "reward.txt"):
            try:
                document = json.loads(left(task, "reward.json"))
            except ValueError:
                return
            float(document if isinstance(document, float) else document.get("reward", 0.0))


class AveragesSuccesses(DatasetFault):
    """Leaves zeros out of the average."""

    breaks = "documented-env/average"

    def rewritten(self, record: Record, scenario: EnvScenario) -> Record:
        rewards = [rollout["reward"] for rollout in record.get("rollouts", []) if rollout["reward"]]
        return {**record, "average": sum(rewards) / len(rewards)} if rewards else record
