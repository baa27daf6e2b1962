"""The cases of `trial_score` that its rules are about."""

import json
import math
from collections.abc import Callable
from functools import lru_cache
from typing import Any

from pydantic import ValidationError

from parity.operations.rule import When
from parity.operations.trial_score.case import TrialText
from parity.scorer.from_disk.trial_score import TRIAL_RESULT
from parity.scorer.number_text import lax_number


@lru_cache(64)
def _refusals(text: str) -> frozenset[str]:
    """Return why Harbor refuses the text, apart from its rewards: pydantic's kinds of errors."""
    document = TrialText(text).document()
    if not isinstance(document, dict):
        return frozenset({"not-json"})
    if isinstance(document.get("verifier_result"), dict):
        document["verifier_result"] = None
    try:
        TRIAL_RESULT.model_validate_json(json.dumps(document))
    except ValidationError as error:
        return frozenset(each["type"] for each in error.errors(include_url=False))
    return frozenset()


def is_refused(case: TrialText) -> bool:
    """Return whether the text is no JSON object, or a key other than the rewards is missing or wrong."""
    return bool(_refusals(case.text))


def in_trial(holds: Callable[[dict[str, Any]], bool]) -> When:
    """Return a condition: only the rewards may be wrong, a key may be missing, and the predicate holds."""

    def condition(case: TrialText) -> bool:
        return _refusals(case.text) <= {"missing"} and holds(case.document())

    return condition


def has_exception(trial: dict[str, Any]) -> bool:
    return bool((trial.get("exception_info") or {}).get("exception_type"))


def has_steps(trial: dict[str, Any]) -> bool:
    return bool(trial.get("step_results"))


def _rewards(trial: dict[str, Any]) -> Any:
    verifier = trial.get("verifier_result")
    return verifier.get("rewards") if isinstance(verifier, dict) else None


def has_no_rewards(trial: dict[str, Any]) -> bool:
    """Return whether there is no verifier's result, or it has no rewards."""
    verifier = trial.get("verifier_result")
    return (verifier is None or isinstance(verifier, dict)) and _rewards(trial) in (None, {})


def has_several_keys(trial: dict[str, Any]) -> bool:
    rewards = _rewards(trial)
    return isinstance(rewards, dict) and len(rewards) > 1


def has_other_key(trial: dict[str, Any]) -> bool:
    """Return whether the only reward has another key than `reward`."""
    rewards = _rewards(trial)
    return isinstance(rewards, dict) and len(rewards) == 1 and "reward" not in rewards


def has_reward(holds: Callable[[Any], bool]) -> When:
    """Build a condition from a predicate of a value among the rewards."""

    def in_rewards(trial: dict[str, Any]) -> bool:
        rewards = _rewards(trial)
        return isinstance(rewards, dict) and any(map(holds, rewards.values()))

    return in_trial(in_rewards)


def _is_no_number(value: Any) -> bool:
    """Return whether a value is no number, and no string that pydantic reads as one."""
    return value is None or isinstance(value, tuple | list) or (isinstance(value, str) and lax_number(value) is None)


def _reward_pairs(text: str) -> tuple[tuple[str, Any], ...]:
    """Return the rewards of a trial, also those that a later one of the same key replaces. Objects are tuples."""
    verifier = dict(json.loads(text, object_pairs_hook=tuple)).get("verifier_result")
    rewards = dict(verifier).get("rewards") if isinstance(verifier, tuple) else None
    return rewards if isinstance(rewards, tuple) else ()


def _has_no_number(case: TrialText) -> bool:
    return any(_is_no_number(value) for _, value in _reward_pairs(case.text))


def has_bad_reward(case: TrialText) -> bool:
    """Return whether a reward is no number, also one that is replaced later, or the rewards are no object."""
    if not _refusals(case.text) <= {"missing"}:
        return False
    return _has_no_number(case) or not isinstance(_rewards(case.document()), dict | None)


def has_duplicate_key(case: TrialText) -> bool:
    """Return whether a key occurs twice in an object, where neither the trial nor a reward is refused."""
    duplicates = []

    def document(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        duplicates.append(len(dict(pairs)) < len(pairs))
        return dict(pairs)

    if _refusals(case.text) or has_bad_reward(case):
        return False
    json.loads(case.text, object_pairs_hook=document)
    return any(duplicates)


def _number(value: Any) -> float | None:
    """Return a number, or that which a string spells; None for a boolean and all else."""
    if isinstance(value, str):
        return lax_number(value)
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
    return isinstance(value, bool) or (isinstance(value, str) and lax_number(value) is not None)


def is_another_double(value: Any) -> bool:
    """Return whether a number counts as a double of another form: an int that has one, or -0.0."""
    number = _number(value)
    if isinstance(number, int):
        return not is_beyond_double(value)
    return number == 0 and math.copysign(1, number) < 0
