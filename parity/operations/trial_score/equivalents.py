"""Functions that build equivalent cases of `trial_score`, by which attribution finds the rule that a runner breaks."""

import json
import math
from collections.abc import Callable
from typing import Any

from parity.operations.files.number_strings import number_in
from parity.operations.trial_score.case import TrialText


def _documents(change: Callable[[dict[str, Any]], dict[str, Any]]) -> Callable[[TrialText], TrialText]:
    def changed(case: TrialText) -> TrialText:
        document = case.document()
        return TrialText(json.dumps({**document, **change(document)})) if isinstance(document, dict) else case

    return changed


def _rewards(change: Callable[[Any], Any]) -> Callable[[TrialText], TrialText]:
    """Return a function that changes the rewards of a trial. Missing rewards are passed to `change` as None."""

    def changed(document: dict[str, Any]) -> dict[str, Any]:
        verifier = document.get("verifier_result") or {}
        if not isinstance(verifier, dict) or not isinstance(verifier.get("rewards") or {}, dict):
            return {}
        return {"verifier_result": {**verifier, "rewards": change(verifier.get("rewards"))}}

    return _documents(changed)


def _each(change: Callable[[Any], Any]) -> Callable[[TrialText], TrialText]:
    return _rewards(lambda rewards: rewards and {key: change(value) for key, value in rewards.items()})


def _number(value: Any) -> Any:
    if isinstance(value, bool):
        return float(value)
    number = number_in(value) if isinstance(value, str) else None
    return value if number is None else number


def _double(value: Any) -> Any:
    if type(value) not in (int, float):
        return value
    try:
        number = float(value)
    except OverflowError:
        return value
    return number + 0.0 if math.isfinite(number) else value


with_numbers = _each(_number)
with_doubles = _each(_double)
under_reward = _rewards(
    lambda rewards: {"reward": next(iter(rewards.values()))} if rewards and len(rewards) == 1 else rewards
)
zero_for_no_rewards = _rewards(lambda rewards: rewards or {"reward": 0.0})
without_steps = _documents(lambda document: {"step_results": None})
without_exception = _documents(lambda document: {"exception_info": None})
without_dataset = _documents(lambda document: {"source": None})
without_duplicates = _documents(lambda document: {})
