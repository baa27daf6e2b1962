"""Faults of the documented environment: which file counts, and which value it gives."""

import json
import re
from typing import Any

from parity.harbor_env import rollout
from parity.operations.harbor_env.recorded.scenario import EnvScenario, TaskScenario
from parity.operations.scenarios.records import Record
from tests.faulty.fault import breaks
from tests.faulty.harbor_env.fault import each_rollout_under, left, record_under
from tests.faulty.patches import instead_of


@breaks("documented-env/empty-text", seen_by="test_golden")
@each_rollout_under("documented")
def JsonCountsFirst(rollout: Record, task: TaskScenario, scenario: EnvScenario) -> None:
    """Reads reward.json first, as Harbor does."""
    try:
        rollout["reward"] = float(json.loads(left(task, "reward.json"))["reward"])
    except (ValueError, TypeError, KeyError, OverflowError):
        return


@breaks("documented-env/json-in-text", seen_by="test_golden")
@each_rollout_under("documented")
def TextIsANumber(rollout: Record, task: TaskScenario, scenario: EnvScenario) -> None:
    """Reads no JSON in reward.txt, and nothing but an object in reward.json."""
    if left(task, "reward.txt").startswith("{") or (
        not task.left.get("reward.txt") and "{" not in left(task, "reward.json")
    ):
        rollout["reward"] = 0.0


@breaks("documented-env/reward-key", seen_by="test_golden")
@each_rollout_under("documented")
def AnyKeyCounts(rollout: Record, task: TaskScenario, scenario: EnvScenario) -> None:
    """Takes the first key of reward.json whatever its name."""
    try:
        rollout["reward"] = float(next(iter(json.loads(left(task, "reward.json")).values())))
    except (ValueError, TypeError, AttributeError, OverflowError, StopIteration):
        return


@breaks("documented-env/value", seen_by="test_golden")
@each_rollout_under("documented")
def BoolsAreNoNumbers(rollout: Record, task: TaskScenario, scenario: EnvScenario) -> None:
    """Takes true and strings for no number."""
    if re.search(r'"reward": (true|")', left(task, "reward.json")):
        rollout["reward"] = 0.0


@breaks("documented-env/zero", seen_by="test_golden")
@each_rollout_under("documented")
def UnreadableIsHalf(rollout: Record, task: TaskScenario, scenario: EnvScenario) -> None:
    """Gives half a point where a reward cannot be read."""
    if rollout["reward"] == 0 and not rollout["failed"] and left(task, "reward.txt")[:1] not in ("0", "-"):
        rollout["reward"] = 0.5


@breaks("documented-env/unbounded", seen_by="test_golden")
@each_rollout_under("documented")
def KeepsDocumentedBounds(rollout: Record, task: TaskScenario, scenario: EnvScenario) -> None:
    """Keeps rewards between 0.0 and 1.0, as the documentation promises."""
    rollout["reward"] = min(max(rollout["reward"], 0.0), 1.0)


@breaks("documented-env/reward", seen_by="test_golden")
@each_rollout_under("documented")
def RewardsMayBeInts(rollout: Record, task: TaskScenario, scenario: EnvScenario) -> None:
    """Reports whole rewards as ints."""
    if rollout["reward"] in (1.0, 2.0, 10.0):
        rollout["reward"] = int(rollout["reward"])


@breaks("documented-env/never-raises", seen_by="test_golden")
@each_rollout_under("documented")
def UnforeseenDocumentsRaise(rollout: Record, task: TaskScenario, scenario: EnvScenario) -> None:
    """Lets errors out of the reading of JSON that holds no number, as most releases do."""
    if not left(task, "reward.txt"):
        try:
            document = json.loads(left(task, "reward.json"))
        except ValueError:
            return
        float(document if isinstance(document, float) else document.get("reward", 0.0))


@breaks("documented-env/average", seen_by="test_golden")
@record_under("documented")
def AveragesSuccesses(record: Record, scenario: EnvScenario) -> Record:
    """Leaves zeros out of the average."""
    rewards = [rollout["reward"] for rollout in record.get("rollouts", []) if rollout["reward"]]
    return {**record, "average": sum(rewards) / len(rewards)} if rewards else record


@breaks("documented-env/number", seen_by="test_golden")
@instead_of(rollout, "documented_score")
def NumbersAreThoseOfJson(original: Any, text: str) -> Any:
    """Reads the file with a JSON parser only."""
    try:
        json.loads(text)
    except (ValueError, RecursionError):
        return original("?")
    return original(text)


@breaks("documented-env/zero", seen_by="test_golden")
@instead_of(rollout, "documented_score")
def NumbersMayGoOn(original: Any, text: str) -> Any:
    """Reads the number that a text begins with, as C and JavaScript do."""
    number = re.match(r"\s*[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?", text, re.IGNORECASE)
    return original(number[0] if number else text)
