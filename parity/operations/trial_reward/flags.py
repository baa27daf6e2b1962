"""Flags of `trial_reward`: why a case is hard."""

from collections.abc import Mapping

from parity.operations.rule import carried
from parity.operations.sum_flags import sum_flags
from parity.scorer.series import OFFICIAL
from parity.scorer.trial_reward import MultiStepTrial, Step, trial_reward
from parity.scorer.values import Rewards

FLAGS = {
    "strategy-mean": "the task sets the strategy `mean`, over its steps",
    "strategy-final": "the task sets the strategy `final`, the rewards of its last step",
    "strategy-unset": "the task sets no strategy for its steps",
    "verification-disabled": "verification is disabled",
    "start-error": "the environment does not start",
    "stop-error": "the environment does not stop cleanly",
    "workdir-error": "a step's request for its working directory fails",
    "setup-error": "a step's set-up script fails",
    "healthcheck-error": "a step's healthcheck fails",
    "agent-error": "the agent fails",
    "agent-timeout": "the agent times out",
    "verifier-error": "the verifier fails",
    "verifier-timeout": "the verifier times out",
    "blocked-folder": "the files of a step's verifier cannot be moved to the step's folder",
    "two-errors": "agent and verifier of one step both fail",
    "steps-left-out": "a step stops the trial before its last step",
    "unverified-step": "some steps are verified, others are not",
    "threshold-number": "the threshold of a step is a number",
    "threshold-keys": "a step has thresholds by reward key",
    "threshold-without-reward": "a step has a threshold for a reward that is missing",
    "threshold-met-exactly": "a reward equals its threshold",
    "threshold-nan": "a reward or its threshold is nan",
    "threshold-beyond-2**53": "a threshold is an int that a double cannot hold exactly",
    "null-reward": "a verified step without rewards",
    "empty-rewards": "a verified step whose rewards are `{}`",
    "no-keys": "steps are verified, but none has any reward key",
    "several-keys": "more than one reward key",
    "many-keys": "more than 16 reward keys",
    "many-steps": "32 steps or more",
    "missing-key": "a verified step lacks a key that another has",
    "inexact-sum": "adding the floats one by one gives other bits than `sum`",
    "mixed-int-float": "ints and floats in one sum",
    "int-beyond-double": "an int larger than the largest double",
    "nan-value": "a nan among the numbers",
    "infinite-value": "an infinity among the numbers",
}


def flags_of(case: MultiStepTrial) -> frozenset[str]:
    """Return the flags that a case carries."""
    reached = trial_reward(case, series=OFFICIAL)["steps"] or []
    verified = [record["rewards"] for record in reached if record["verified"]]
    flags = carried(
        {
            "verification-disabled": not case.verification,
            f"strategy-{case.strategy or 'unset'}": True,
            "start-error": case.start is not None,
            "stop-error": case.stop is not None,
            "steps-left-out": len(reached) < len(case.steps),
            "unverified-step": len(reached) > 1 and 0 < len(verified) < len(reached),
        }
    )
    steps = (_step_flags(step, case.verification) for step in case.steps[: len(reached)])
    return frozenset(flags.union(_mean_flags(verified), *steps))


def _step_flags(step: Step, verification: bool) -> set[str]:
    if step.preparation is not None:
        return {f"{step.preparation[0]}-error"}
    timed_out = step.agent in ("TimeoutError", "AgentTimeoutError")
    verifier = step.verifier if verification else None
    flags = carried(
        {
            "blocked-folder": step.blocked and verification,
            "agent-timeout": timed_out,
            "agent-error": step.agent is not None and not timed_out,
            "verifier-timeout": verifier == "TimeoutError",
            "verifier-error": verifier is not None and verifier != "TimeoutError",
            "two-errors": verifier is not None and step.agent is not None,
        }
    )
    return flags if step.min_reward is None else flags | _threshold_flags(step)


def _threshold_flags(step: Step) -> set[str]:
    flags = {"threshold-keys" if isinstance(step.min_reward, Mapping) else "threshold-number"}
    thresholds = step.min_reward if isinstance(step.min_reward, Mapping) else {"reward": step.min_reward}
    rewards = (step.rewards if step.verifier is None else None) or {}
    for key, threshold in thresholds.items():
        if threshold is None:
            continue
        actual = rewards.get(key)
        flags |= carried(
            {
                "threshold-without-reward": actual is None,
                "threshold-met-exactly": actual == threshold,
                "threshold-nan": threshold != threshold or actual != actual,
                "threshold-beyond-2**53": isinstance(threshold, int) and abs(threshold) > 2**53,
            }
        )
    return flags


def _mean_flags(verified: list[Rewards | None]) -> set[str]:
    keys = list(dict.fromkeys(key for rewards in verified for key in rewards or {}))
    flags = carried(
        {
            "null-reward": None in verified,
            "empty-rewards": {} in verified,
            "no-keys": verified and not keys,
            "several-keys": len(keys) > 1,
            "many-keys": len(keys) > 16,
            "many-steps": len(verified) >= 32,
            "missing-key": any(key not in (rewards or {}) for rewards in verified for key in keys),
        }
    )
    for key in keys:
        flags |= sum_flags([(rewards or {}).get(key, 0) for rewards in verified]) & FLAGS.keys()
    return flags
