"""Flags of `trial_score`: why a case is hard."""

import json
import math
from typing import Any

from pydantic import ValidationError

from parity.operations.rule import carried
from parity.operations.trial_score.case import TrialText
from parity.scorer.from_disk.trial_score import TRIAL_RESULT
from parity.scorer.number_text import lax_number

FLAGS = {
    "not-json": "the text is no JSON object",
    "missing-member": "result.json lacks a member that Harbor requires",
    "wrong-member": "a member of result.json other than its rewards has a wrong type",
    "no-verifier-result": "the trial has no verifier's result",
    "null-rewards": "the verifier's result has no rewards",
    "empty-rewards": "the rewards are `{}`",
    "several-keys": "there is more than one reward",
    "other-key": "the only reward has another key than `reward`",
    "without-reward-key": "there are several rewards, and none is called `reward`",
    "exception": "the trial has an exception other than a failed agent's",
    "agent-exception": "the trial's agent timed out or exited with an error, after which Harbor still verifies",
    "exception-and-rewards": "the trial has an exception and rewards",
    "no-agent-run": "the agent did not run, as in a trial whose environment does not start",
    "steps": "the trial has steps",
    "step-exception": "a step has an exception",
    "steps-alone": "the steps have rewards, and the trial has none",
    "null-reward": "a reward is null, as Harbor writes nan and infinities",
    "bad-reward": "a reward is an array or an object, or the rewards are no object",
    "bad-string": "a reward is a string that is no number",
    "number-string": "a reward is a string that pydantic reads as a number",
    "bool-reward": "a reward is a boolean",
    "int-reward": "a reward is an int",
    "int-beyond-2**53": "a reward is an int that a double cannot hold exactly",
    "int-beyond-double": "a reward is an int beyond the largest double",
    "non-finite": "a reward is nan or an infinity",
    "negative-zero": "a reward is -0.0",
    "outside-unit-interval": "a reward is below 0 or above 1",
}

AGENT_EXCEPTIONS = ("AgentTimeoutError", "NonZeroAgentExitCodeError")
"""The exceptions after which Harbor verifies what the agent left."""


def flags_of(case: TrialText) -> frozenset[str]:
    """Return the flags that a case carries."""
    document = case.document()
    if not isinstance(document, dict):
        return frozenset({"not-json"})
    verifier, steps = document.get("verifier_result"), document.get("step_results") or []
    refused = _refused({**document, "verifier_result": None} if isinstance(verifier, dict) else document)
    if "wrong-member" in refused:
        return frozenset(refused)
    kind = (document.get("exception_info") or {}).get("exception_type")
    has_rewards = bool(_rewards(verifier))
    return frozenset(
        refused
        | _reward_flags(verifier)
        | carried(
            {
                "exception": kind is not None and kind not in AGENT_EXCEPTIONS,
                "agent-exception": kind in AGENT_EXCEPTIONS,
                "exception-and-rewards": kind is not None and has_rewards,
                "no-agent-run": not steps and document.get("agent_execution") is None,
                "steps": steps,
                "step-exception": any(step.get("exception_info") for step in steps),
                "steps-alone": not has_rewards and any(_rewards(step.get("verifier_result")) for step in steps),
            }
        )
    )


def _refused(document: dict[str, Any]) -> set[str]:
    """Return the flags of a document that Harbor refuses for something else than its rewards."""
    try:
        TRIAL_RESULT.model_validate_json(json.dumps(document))
    except ValidationError as error:
        kinds = {each["type"] for each in error.errors(include_url=False)}
        return carried({"missing-member": "missing" in kinds, "wrong-member": kinds != {"missing"}})
    return set()


def _rewards(verifier: Any) -> Any:
    return verifier.get("rewards") if isinstance(verifier, dict) else None


def _reward_flags(verifier: Any) -> set[str]:
    if verifier is None:
        return {"no-verifier-result"}
    rewards = _rewards(verifier)
    if rewards is None:
        return {"null-rewards"}
    if not isinstance(rewards, dict):
        return {"bad-reward"}
    keys = {
        "empty-rewards": not rewards,
        "several-keys": len(rewards) > 1,
        "other-key": len(rewards) == 1 and "reward" not in rewards,
        "without-reward-key": len(rewards) > 1 and "reward" not in rewards,
    }
    return carried(keys).union(*map(_value_flags, rewards.values()))


def _value_flags(value: Any) -> set[str]:
    if value is None:
        return {"null-reward"}
    if isinstance(value, dict | list):
        return {"bad-reward"}
    if isinstance(value, str):
        number = lax_number(value)
        return {"bad-string"} if number is None else {"number-string"} | _number_flags(number)
    return {"bool-reward"} if isinstance(value, bool) else _number_flags(value)


def _number_flags(number: float) -> set[str]:
    if isinstance(number, int):
        try:
            kind = {"int-reward", "int-beyond-2**53"} if float(number) != number else {"int-reward"}
        except OverflowError:
            return {"int-beyond-double"}
    elif not math.isfinite(number):
        return {"non-finite"}
    else:
        kind = {"negative-zero"} if number == 0 and math.copysign(1, number) < 0 else set()
    return kind | carried({"outside-unit-interval": not 0 <= number <= 1})
