"""Conditions on cases of `trial_score`, which its rules use."""

import json
import math
from collections.abc import Callable
from functools import lru_cache
from typing import Any

from parity.operations.files.number_strings import number_in
from parity.operations.rule import When
from parity.operations.trial_score.case import TrialText
from parity.operations.trial_score.required_form import form_errors


@lru_cache(64)
def _refusals(text: str) -> frozenset[str]:
    """Return pydantic's error types for the text without its rewards; none if Harbor accepts it."""
    document = TrialText(text).document()
    if not isinstance(document, dict):
        return frozenset({"not-json"})
    if isinstance(document.get("verifier_result"), dict):
        document["verifier_result"] = None
    return form_errors(json.dumps(document))


def is_refused(case: TrialText) -> bool:
    """Return whether the text is not a JSON object, or a key other than the rewards is missing or invalid."""
    return bool(_refusals(case.text))


def in_trial(holds: Callable[[dict[str, Any]], bool]) -> When:
    """Build a condition that holds if the predicate holds for the trial, and the trial has no error that prevents this.

    Rewards may be invalid and keys may be missing; no other error is allowed.
    """

    def condition(case: TrialText) -> bool:
        return _refusals(case.text) <= {"missing"} and holds(case.document())

    return condition


def has_exception(trial: dict[str, Any]) -> bool:
    return bool((trial.get("exception_info") or {}).get("exception_type"))


def has_steps(trial: dict[str, Any]) -> bool:
    return bool(trial.get("step_results"))


def has_dataset(trial: dict[str, Any]) -> bool:
    """Return whether the trial belongs to a dataset, and the job finds the metrics of that dataset."""
    return bool(trial.get("source")) and not has_no_metric(trial)


def has_no_metric(trial: dict[str, Any]) -> bool:
    """Return whether the job looks for the metrics of another dataset than the trial's."""
    info = trial.get("agent_info") or {}
    model = (info.get("model_info") or {}).get("name")
    dataset = trial.get("source") or "adhoc"
    key = "__".join([info.get("name", ""), *([model] if model else []), dataset])
    return key.split("__")[-1] not in ("adhoc", dataset)


def _rewards(trial: dict[str, Any]) -> Any:
    verifier = trial.get("verifier_result")
    return verifier.get("rewards") if isinstance(verifier, dict) else None


def has_no_rewards(trial: dict[str, Any]) -> bool:
    """Return whether the verifier's result is missing or has no rewards."""
    verifier = trial.get("verifier_result")
    return (verifier is None or isinstance(verifier, dict)) and _rewards(trial) in (None, {})


def has_several_keys(trial: dict[str, Any]) -> bool:
    rewards = _rewards(trial)
    return isinstance(rewards, dict) and len(rewards) > 1


def has_other_key(trial: dict[str, Any]) -> bool:
    """Return whether there is only one reward, and its key is not `reward`."""
    rewards = _rewards(trial)
    return isinstance(rewards, dict) and len(rewards) == 1 and "reward" not in rewards


def has_reward(holds: Callable[[Any], bool]) -> When:
    """Build a condition that holds if the predicate holds for the value of a reward."""

    def in_rewards(trial: dict[str, Any]) -> bool:
        rewards = _rewards(trial)
        return isinstance(rewards, dict) and any(map(holds, rewards.values()))

    return in_trial(in_rewards)


def _is_no_number(value: Any) -> bool:
    """Return whether a value is neither a number nor a string that pydantic reads as a number."""
    return value is None or isinstance(value, tuple | list) or (isinstance(value, str) and number_in(value) is None)


def _reward_pairs(text: str) -> tuple[tuple[str, Any], ...]:
    """Return all keys and values of a trial's rewards, including duplicates of a key. JSON objects become tuples."""
    verifier = dict(json.loads(text, object_pairs_hook=tuple)).get("verifier_result")
    rewards = dict(verifier).get("rewards") if isinstance(verifier, tuple) else None
    return rewards if isinstance(rewards, tuple) else ()


def _has_no_number(case: TrialText) -> bool:
    return any(_is_no_number(value) for _, value in _reward_pairs(case.text))


def has_bad_reward(case: TrialText) -> bool:
    """Return whether the rewards are not an object, or one of them, including duplicates of a key, is not a number."""
    if not _refusals(case.text) <= {"missing"}:
        return False
    return _has_no_number(case) or not isinstance(_rewards(case.document()), dict | None)


def has_duplicate_key(case: TrialText) -> bool:
    """Return whether an object contains a key twice, and neither the trial nor a reward is refused."""
    duplicates = []

    def document(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        duplicates.append(len(dict(pairs)) < len(pairs))
        return dict(pairs)

    if _refusals(case.text) or has_bad_reward(case):
        return False
    json.loads(case.text, object_pairs_hook=document)
    return any(duplicates)


def _number(value: Any) -> float | None:
    """Return the value if it is a number, the number that a string spells, or None for other values, such as True."""
    if isinstance(value, str):
        return number_in(value)
    return value if type(value) in (int, float) else None


def is_beyond_double(value: Any) -> bool:
    number = _number(value)
    if not isinstance(number, int):
        return False
    try:
        float(number)
    except OverflowError:
        return True
    return False


def is_not_finite(value: Any) -> bool:
    number = _number(value)
    return isinstance(number, float) and not math.isfinite(number)


def is_read_as_number(value: Any) -> bool:
    """Return whether a value is a boolean, or a string that pydantic reads as a number."""
    return isinstance(value, bool) or (isinstance(value, str) and number_in(value) is not None)


def is_another_double(value: Any) -> bool:
    """Return whether the double that a number is read as is spelled differently: an int within its range, or -0.0."""
    number = _number(value)
    if isinstance(number, int):
        return not is_beyond_double(value)
    return number == 0 and math.copysign(1, number) < 0
