"""Naive readers, as people write them from a description of the files alone."""

import json
import math
from pathlib import Path
from typing import Any

from parity.scorer import Rewards


class Zeros:
    """Reads the first file that exists, and takes 0.0 for whatever it cannot read."""

    name = "zeros"

    def read_reward(self, directory: Path) -> Any:
        for name in ("reward.txt", "reward.json"):
            path = directory / name
            if path.exists():
                with path.open() as file:
                    text = file.read()
                return self._text(text) if name == "reward.txt" else self._document(text)
        return {"reward": 0.0}

    def _text(self, text: str) -> Any:
        try:
            value = float(text.strip() or 0)
        except ValueError:
            value = 0.0
        return {"reward": round(value, 6)}

    def _document(self, text: str) -> Any:
        try:
            document = json.loads(text)
        except json.JSONDecodeError:
            return {"reward": 0.0}
        if not isinstance(document, dict):
            return {"reward": float(document or 0)}
        return {key: float(value or 0) for key, value in document.items()}

    def aggregate(self, metric: str, rewards: list[Rewards | None]) -> Any:
        present = [each for each in rewards if each]
        keys = sorted({key for each in present for key in each})
        answer = {}
        for key in keys:
            values = [each[key] for each in present if key in each]
            total = 0.0
            for value in values:
                total += value
            numbers = {"mean": total / len(values), "sum": total, "max": max(values), "min": min(values)}
            answer[metric if len(keys) == 1 else key] = numbers[metric]
        return answer

    def pass_at_k(self, trials: list[Any]) -> Any:
        groups: dict[str, dict[str, list[bool]]] = {}
        for trial in trials:
            passed = ((trial.rewards or {}).get("reward") or 0) >= 1
            group = groups.setdefault(f"{trial.agent}__{trial.model}__{trial.source}", {})
            group.setdefault(trial.task, []).append(passed)
        return {name: self._estimates([*tasks.values()]) for name, tasks in groups.items()}

    def _estimates(self, tasks: list[list[bool]]) -> dict[int, float]:
        fewest = min(map(len, tasks))
        return {
            k: sum(1 - math.comb(len(each) - sum(each), k) / math.comb(len(each), k) for each in tasks) / len(tasks)
            for k in (1, 2, 4, 8)
            if k <= fewest
        }

    def trial_score(self, text: str) -> Any:
        result = json.loads(text)
        rewards = (result.get("verifier_result") or {}).get("rewards") or {}
        return {"mean": float(rewards.get("reward") or 0)}


class OneKey:
    """Reads only the key `reward`, and takes 0.0 for every error."""

    name = "one-key"

    def read_reward(self, directory: Path) -> Any:
        try:
            path = directory / "reward.json"
            if path.is_file():
                return {"reward": float(json.loads(path.read_text()).get("reward", 0))}
            return {"reward": float((directory / "reward.txt").read_text().strip())}
        except Exception:
            return {"reward": 0.0}


class TextFirst:
    """Prefers reward.txt, and leaves out values of reward.json that are no numbers."""

    name = "text-first"

    def read_reward(self, directory: Path) -> Any:
        path = directory / "reward.txt"
        if path.is_file():
            return {"reward": float(path.read_text())}
        path = directory / "reward.json"
        if path.is_file():
            document = json.loads(path.read_text())
            return {key: float(value) for key, value in document.items() if isinstance(value, (int, float))}
        return None


class Rounds:
    """Rounds to four places, and leaves out values that are true or false."""

    name = "rounds"

    def read_reward(self, directory: Path) -> Any:
        path = directory / "reward.json"
        if path.is_file():
            document = json.loads(path.read_text())
            return {key: round(float(value), 4) for key, value in document.items() if not isinstance(value, bool)}
        text = (directory / "reward.txt").read_text()
        return {"reward": round(float(text or 0), 4)}


NAIVE: tuple[type[Any], ...] = (Zeros, OneKey, TextFirst, Rounds)
"""All naive readers."""
