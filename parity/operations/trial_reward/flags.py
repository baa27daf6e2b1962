"""Flags of `trial_reward`: why a case is hard."""

import math
from collections.abc import Mapping

from parity.operations.sum_flags import sum_flags
from parity.scorer.series import OFFICIAL
from parity.scorer.trial_reward import MultiStepTrial, Step, trial_reward
from parity.scorer.values import Rewards

FLAGS = {
    "strategy-mean": "the task asks for the mean over its steps",
    "strategy-final": "the task asks for the rewards of its last step",
    "strategy-unset": "the task does not say how its steps count",
    "verification-disabled": "nothing is verified",
    "start-error": "the environment does not start",
    "stop-error": "the environment does not stop cleanly",
    "workdir-error": "a step cannot even ask for its working directory",
    "setup-error": "a step's set-up script fails",
    "healthcheck-error": "a step's healthcheck fails",
    "agent-error": "the agent fails",
    "agent-timeout": "the agent times out",
    "verifier-error": "verifying fails",
    "verifier-timeout": "verifying times out",
    "blocked-folder": "the files of a step's verifier cannot be moved to the step's folder",
    "two-errors": "agent and verifier of one step both fail",
    "steps-left-out": "a step stops the trial before its last step",
    "unverified-step": "some steps are verified, others are not",
    "threshold-number": "a step demands a number",
    "threshold-keys": "a step demands a number under certain keys",
    "threshold-without-reward": "a step demands a reward that it does not get",
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
    """Which of these a case carries."""
    flags = set() if case.verification else {"verification-disabled"}
    flags.add(f"strategy-{case.strategy or 'unset'}")
    if case.start is not None:
        flags.add("start-error")
    if case.stop is not None:
        flags.add("stop-error")
    reached = trial_reward(case, series=OFFICIAL)["steps"] or []
    for step in case.steps[: len(reached)]:
        flags |= _step_flags(step, case.verification)
    if len(reached) < len(case.steps):
        flags.add("steps-left-out")
    verified = [record["rewards"] for record in reached if record["verified"]]
    if len(reached) > 1 and 0 < len(verified) < len(reached):
        flags.add("unverified-step")
    return frozenset(flags | _mean_flags(verified))


def _step_flags(step: Step, verification: bool) -> set[str]:
    flags = set()
    if step.preparation is not None:
        flags.add(f"{step.preparation[0]}-error")
        return flags
    if step.blocked and verification:
        flags.add("blocked-folder")
    if step.agent is not None:
        flags.add("agent-timeout" if step.agent in ("TimeoutError", "AgentTimeoutError") else "agent-error")
    if step.verifier is not None and verification:
        flags.add("verifier-timeout" if step.verifier == "TimeoutError" else "verifier-error")
        if step.agent is not None:
            flags.add("two-errors")
    if step.min_reward is not None:
        flags |= _threshold_flags(step)
    return flags


def _threshold_flags(step: Step) -> set[str]:
    flags = {"threshold-keys" if isinstance(step.min_reward, Mapping) else "threshold-number"}
    thresholds = step.min_reward if isinstance(step.min_reward, Mapping) else {"reward": step.min_reward}
    rewards = step.rewards if step.verifier is None else None
    for key, threshold in thresholds.items():
        if threshold is None:
            continue
        actual = (rewards or {}).get(key)
        if actual is None:
            flags.add("threshold-without-reward")
        elif actual == threshold:
            flags.add("threshold-met-exactly")
        if threshold != threshold or (actual is not None and actual != actual):
            flags.add("threshold-nan")
        if isinstance(threshold, int) and abs(threshold) > 2**53:
            flags.add("threshold-beyond-2**53")
    return flags


def _mean_flags(verified: list[Rewards | None]) -> set[str]:
    flags = set()
    keys = list(dict.fromkeys(key for rewards in verified for key in rewards or {}))
    if None in verified:
        flags.add("null-reward")
    if {} in verified:
        flags.add("empty-rewards")
    if verified and not keys:
        flags.add("no-keys")
    if len(keys) > 1:
        flags.add("several-keys")
    if len(keys) > 16:
        flags.add("many-keys")
    if len(verified) >= 32:
        flags.add("many-steps")
    if any(key not in (rewards or {}) for rewards in verified for key in keys):
        flags.add("missing-key")
    for key in keys:
        column = [(rewards or {}).get(key, 0) for rewards in verified]
        flags |= sum_flags(column) & {"inexact-sum", "mixed-int-float", "int-beyond-double", "nan-value"}
        flags |= {"infinite-value"} if any(isinstance(n, float) and math.isinf(n) for n in column) else set()
    return flags
