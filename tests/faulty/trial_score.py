"""Faulty runners for the operation `trial_score`, which scores a trial by its result.json."""

import json
from collections.abc import Callable
from typing import Any

from parity.operations.trial_score.case import AGENT_EXCEPTIONS
from parity.runners import CleanRoom
from tests.faulty.fault import breaks

type _Score = dict[str, Any] | None


_PLAIN_GROUP = {"source": None, "agent_info": {"name": "agent", "version": "1"}}


def _document(text: str) -> dict[str, Any]:
    """Parse a JSON object; return an empty dict if the text is not a JSON object."""
    try:
        document = json.loads(text)
    except ValueError:
        return {}
    return document if isinstance(document, dict) else {}


def _rewards(document: dict[str, Any]) -> Any:
    verifier = document.get("verifier_result")
    return verifier.get("rewards") if isinstance(verifier, dict) else None


def _with_rewards(right: CleanRoom, text: str, change: Callable[[dict[str, Any]], object]) -> _Score:
    """Return the correct answer for the result with its rewards changed, if its rewards are an object."""
    document = _document(text)
    rewards = _rewards(document)
    if not isinstance(rewards, dict):
        return right.trial_score(text)
    return right.trial_score(json.dumps({**document, "verifier_result": {"rewards": change(rewards)}}))


@breaks("trial-score/refused", seen_by="test_wrong_documents")
def BrokenIsLeftOut(right: CleanRoom, text: str) -> _Score:
    """Leaves out a result whose text is not a JSON object."""
    return right.trial_score(text) if _document(text) else None


@breaks("trial-score/bad-reward", seen_by="test_odd_rewards")
def NullIsDropped(right: CleanRoom, text: str) -> _Score:
    """Drops rewards that are null."""
    return _with_rewards(right, text, lambda rewards: {k: v for k, v in rewards.items() if v is not None})


@breaks("trial-score/coerced", seen_by="test_odd_rewards")
def BooleansAreNoNumbers(right: CleanRoom, text: str) -> _Score:
    """Counts booleans as 0."""
    return _with_rewards(right, text, lambda rewards: {k: 0.0 if v is True else v for k, v in rewards.items()})


@breaks("trial-score/several-keys", seen_by="test_results")
def RewardAlone(right: CleanRoom, text: str) -> _Score:
    """Reads only the reward `reward` if there are several rewards."""
    return _with_rewards(
        right, text, lambda rewards: {"reward": rewards.get("reward", 0)} if len(rewards) > 1 else rewards
    )


@breaks("trial-score/only-key", seen_by="test_results")
def OnlyKeyMustBeReward(right: CleanRoom, text: str) -> _Score:
    """Ignores the only reward unless its key is `reward`."""
    return _with_rewards(
        right, text, lambda rewards: {"reward": rewards.get("reward", 0)} if len(rewards) == 1 else rewards
    )


@breaks("trial-score/no-metric", seen_by="test_results")
def EveryTrialHasMetrics(right: CleanRoom, text: str) -> _Score:
    """Counts every trial, whatever its group is called."""
    return right.trial_score(text) or right.trial_score(json.dumps({**_document(text), **_PLAIN_GROUP}))


@breaks("trial-score/errored", seen_by="test_results")
def ErrorsCountAsZero(right: CleanRoom, text: str) -> _Score:
    """Counts a trial with an exception as 0."""
    errored = _document(text).get("exception_info") is not None
    return dict.fromkeys(right.trial_score(text) or {}, 0.0) or None if errored else right.trial_score(text)


@breaks("trial-score/errored", seen_by="test_results")
def OtherErrorsAreLeftOut(right: CleanRoom, text: str) -> _Score:
    """Leaves out a trial with an exception, unless it is one that the agent causes."""
    info = _document(text).get("exception_info")
    score = right.trial_score(text)
    return None if isinstance(info, dict) and info.get("exception_type") not in AGENT_EXCEPTIONS else score


@breaks("trial-score/no-rewards", seen_by="test_results")
def UnverifiedIsLeftOut(right: CleanRoom, text: str) -> _Score:
    """Leaves out a trial without rewards."""
    score = right.trial_score(text)
    return score if _rewards(_document(text)) else None


@breaks("trial-score/double", seen_by="test_results")
def IntsStay(right: CleanRoom, text: str) -> _Score:
    """Returns the mean of an int reward as an int."""
    whole = {key for key, value in (_rewards(_document(text)) or {}).items() if type(value) is int}
    score = right.trial_score(text)
    return score and {
        key: int(value) if whole and value and value.is_integer() else value for key, value in score.items()
    }


@breaks("trial-score/value", seen_by="test_results")
def PassedOrFailed(right: CleanRoom, text: str) -> _Score:
    """Counts a reward of at least 1 as 1, and any smaller reward as 0."""
    score = right.trial_score(text)
    return score and {key: value and float(value >= 1) for key, value in score.items()}
