"""Faults in which key, file or exit code counts under the documentation's scoring; golden vectors catch each."""

import json
import re
from collections.abc import Callable
from functools import wraps
from typing import Any

from parity.harbor_env.scoring import documented_score
from parity.operations.harbor_env.recorded.scenario import EnvScenario, TaskScenario
from parity.operations.scenarios.records import Record
from tests.faulty.fault import Patching, breaks
from tests.faulty.harbor_env.fault import each_rollout_under
from tests.faulty.harbor_env.reading import read_as


def each_object(changed: Callable[[list[tuple[str, Any]]], dict[str, Any]]) -> Patching:
    """Rewards under the documentation's scoring, of other JSON objects; given their members, the innermost first."""

    @read_as
    @wraps(changed)
    def taken(text: str) -> str:
        try:
            return json.dumps(json.loads(text, object_pairs_hook=changed)) if "{" in text else text
        except (ValueError, RecursionError):
            return text

    return taken


@breaks("documented-env/reward-key", seen_by="test_golden")
@each_object
def KeysHaveNoCase(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Takes `Reward` for the key, too."""
    return {key.lower(): value for key, value in pairs}


@breaks("documented-env/reward-key", seen_by="test_golden")
@each_object
def KeysMayBePadded(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Takes the white space around keys away."""
    return {key.strip(): value for key, value in pairs}


@breaks("documented-env/reward-key", seen_by="test_golden")
@each_object
def FirstOfEqualKeysCounts(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Takes the first of two members of one name."""
    return dict(reversed(pairs))


@breaks("documented-env/reward-key", seen_by="test_golden")
@each_object
def ScoresAreRewards(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Takes `score` where there is no `reward`."""
    members = dict(pairs)
    return {"reward": members["score"], **members} if "score" in members else members


@breaks("documented-env/reward-key", seen_by="test_golden")
@each_object
def NestedRewardsCount(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Takes the reward of an object within the object."""
    inner = [value for _, value in pairs if isinstance(value, dict) and "reward" in value]
    return {**dict(pairs), **(inner[-1] if inner else {})}


@breaks("documented-env/reward-key", seen_by="test_golden")
@each_object
def FalsyRewardsAreMissing(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Takes the first other key where `reward` is 0."""
    members = dict(pairs)
    others = [value for key, value in pairs if key != "reward" and not isinstance(value, str | dict)]
    return {"reward": members["reward"] or (others or [0])[0]} if "reward" in members else members


@breaks("documented-env/value", seen_by="test_golden")
@each_object
def TextsInJsonAreThoseOfJson(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Reads a string in place of a number only where it is spelled as in JSON."""
    loose = re.compile(r"\s*(\+.*|\.\d.*)")
    return {key: 0.0 if isinstance(value, str) and loose.fullmatch(value) else value for key, value in pairs}


@breaks("documented-env/empty-text", seen_by="test_golden")
@each_rollout_under("documented")
def BlankTextIsEmpty(rollout: Record, task: TaskScenario, scenario: EnvScenario) -> None:
    """Reads reward.json where reward.txt has nothing but white space."""
    if task.left.get("reward.txt") and not task.left["reward.txt"].strip():
        rollout["reward"] = documented_score(task.left.get("reward.json", b"").decode(errors="replace")).reward


@breaks("documented-env/empty-text", seen_by="test_golden")
@each_rollout_under("documented")
def JsonCountsWhereTextIsNone(rollout: Record, task: TaskScenario, scenario: EnvScenario) -> None:
    """Reads reward.json where reward.txt holds no number."""
    text, document = (task.left.get(name, b"").decode(errors="replace") for name in ("reward.txt", "reward.json"))
    if text and document and documented_score(text).rewards is None:
        rollout["reward"] = documented_score(document).reward


@breaks("documented-env/empty-text", seen_by="test_golden")
@each_rollout_under("documented")
def HigherCounts(rollout: Record, task: TaskScenario, scenario: EnvScenario) -> None:
    """Takes the higher of both files."""
    if task.left.get("reward.txt") and task.left.get("reward.json"):
        document = documented_score(task.left["reward.json"].decode(errors="replace"))
        rollout["reward"] = max(rollout["reward"], document.reward)


@breaks("documented-env/exit-code", seen_by="test_golden")
@each_rollout_under("documented")
def KilledTestsFail(rollout: Record, task: TaskScenario, scenario: EnvScenario) -> None:
    """Takes tests for failed that a signal ended."""
    if not 0 <= task.code < 128:
        rollout["reward"] = 0.0


@breaks("documented-env/exit-code", seen_by="test_golden")
@each_rollout_under("documented")
def FailingTestsAreErrors(rollout: Record, task: TaskScenario, scenario: EnvScenario) -> None:
    """Reports an error where the tests exit with another code than 0, but keeps the reward."""
    rollout["failed"] = rollout["failed"] or task.code != 0
