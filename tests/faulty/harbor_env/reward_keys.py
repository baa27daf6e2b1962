"""Faults in which key, file or exit code counts under the documentation's scoring; golden vectors catch each."""

import json
import re
from abc import abstractmethod
from typing import Any

from parity.harbor_env.scoring import documented_score
from parity.operations.harbor_env.recorded.scenario import EnvScenario, TaskScenario
from parity.operations.scenarios.records import Record
from tests.faulty.harbor_env.fault import DocumentedFault
from tests.faulty.harbor_env.reading import ReadingFault


class _DocumentFault(ReadingFault):
    """One that takes a JSON object for another one."""

    @abstractmethod
    def changed(self, pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        """The object made of these members, the innermost first."""

    def taken(self, text: str) -> str:
        try:
            return json.dumps(json.loads(text, object_pairs_hook=self.changed)) if "{" in text else text
        except (ValueError, RecursionError):
            return text


class KeysHaveNoCase(_DocumentFault):
    """Takes `Reward` for the key, too."""

    breaks = "documented-env/reward-key"

    def changed(self, pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        return {key.lower(): value for key, value in pairs}


class KeysMayBePadded(_DocumentFault):
    """Takes the white space around keys away."""

    breaks = "documented-env/reward-key"

    def changed(self, pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        return {key.strip(): value for key, value in pairs}


class FirstOfEqualKeysCounts(_DocumentFault):
    """Takes the first of two members of one name."""

    breaks = "documented-env/reward-key"

    def changed(self, pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        return dict(reversed(pairs))


class ScoresAreRewards(_DocumentFault):
    """Takes `score` where there is no `reward`."""

    breaks = "documented-env/reward-key"

    def changed(self, pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        members = dict(pairs)
        return {"reward": members["score"], **members} if "score" in members else members


class NestedRewardsCount(_DocumentFault):
    """Takes the reward of an object within the object."""

    breaks = "documented-env/reward-key"

    def changed(self, pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        inner = [value for _, value in pairs if isinstance(value, dict) and "reward" in value]
        return {**dict(pairs), **(inner[-1] if inner else {})}


class FalsyRewardsAreMissing(_DocumentFault):
    """Takes the first other key where `reward` is 0."""

    breaks = "documented-env/reward-key"

    def changed(self, pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        members = dict(pairs)
        others = [value for key, value in pairs if key != "reward" and not isinstance(value, str | dict)]
        return {"reward": members["reward"] or (others or [0])[0]} if "reward" in members else members


class TextsInJsonAreThoseOfJson(_DocumentFault):
    """Reads a string in place of a number only where it is spelled as in JSON."""

    breaks = "documented-env/value"

    def changed(self, pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        loose = re.compile(r"\s*(\+.*|\.\d.*)")
        return {key: 0.0 if isinstance(value, str) and loose.fullmatch(value) else value for key, value in pairs}


class BlankTextIsEmpty(DocumentedFault):
    """Reads reward.json where reward.txt has nothing but white space."""

    breaks = "documented-env/empty-text"
    seen_by = "test_golden"

    def rolled_out(self, rollout: Record, task: TaskScenario, scenario: EnvScenario) -> None:
        if task.left.get("reward.txt") and not task.left["reward.txt"].strip():
            rollout["reward"] = documented_score(task.left.get("reward.json", b"").decode(errors="replace")).reward


class JsonCountsWhereTextIsNone(DocumentedFault):
    """Reads reward.json where reward.txt holds no number."""

    breaks = "documented-env/empty-text"
    seen_by = "test_golden"

    def rolled_out(self, rollout: Record, task: TaskScenario, scenario: EnvScenario) -> None:
        text, document = (task.left.get(name, b"").decode(errors="replace") for name in ("reward.txt", "reward.json"))
        if text and document and documented_score(text).rewards is None:
            rollout["reward"] = documented_score(document).reward


class HigherCounts(DocumentedFault):
    """Takes the higher of both files."""

    breaks = "documented-env/empty-text"
    seen_by = "test_golden"

    def rolled_out(self, rollout: Record, task: TaskScenario, scenario: EnvScenario) -> None:
        if task.left.get("reward.txt") and task.left.get("reward.json"):
            document = documented_score(task.left["reward.json"].decode(errors="replace"))
            rollout["reward"] = max(rollout["reward"], document.reward)


class KilledTestsFail(DocumentedFault):
    """Takes tests for failed that a signal ended."""

    breaks = "documented-env/exit-code"
    seen_by = "test_golden"

    def rolled_out(self, rollout: Record, task: TaskScenario, scenario: EnvScenario) -> None:
        if not 0 <= task.code < 128:
            rollout["reward"] = 0.0


class FailingTestsAreErrors(DocumentedFault):
    """Reports an error where the tests exit with another code than 0, but keeps the reward."""

    breaks = "documented-env/exit-code"
    seen_by = "test_golden"

    def rolled_out(self, rollout: Record, task: TaskScenario, scenario: EnvScenario) -> None:
        rollout["failed"] = rollout["failed"] or task.code != 0
