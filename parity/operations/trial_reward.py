"""`trial_reward`: the steps of a multi-step trial to its rewards, and what is recorded of each step."""

import math
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, replace
from typing import Any

from parity.compare import Ordered, Path
from parity.operations.aggregate import as_rewards, sum_flags
from parity.operations.operation import Operation
from parity.scorer.job import CANCELLED
from parity.scorer.series import OFFICIAL
from parity.scorer.trial_reward import MultiStepTrial, Step, trial_reward
from parity.scorer.values import Number, Rewards
from parity.wire import Json, WireError, decode, encode


@contextmanager
def _arguments(case: MultiStepTrial) -> Iterator[tuple[MultiStepTrial]]:
    yield (replace(case, steps=tuple(_copied(step) for step in case.steps)),)


def _copied(step: Step) -> Step:
    threshold = dict(step.min_reward) if isinstance(step.min_reward, Mapping) else step.min_reward
    return replace(step, rewards=None if step.rewards is None else dict(step.rewards), min_reward=threshold)


def _encode(case: MultiStepTrial) -> Json:
    return encode(asdict(case))


def _decode(value: Any) -> MultiStepTrial:
    match value:
        case {
            "steps": [_, *_] as steps,
            "strategy": "mean" | "final" | None as strategy,
            "verification": bool(verification),
            "start": str() | None as start,
            "stop": str() | None as stop,
        } if CANCELLED not in (start, stop):
            return MultiStepTrial(tuple(map(_step, steps)), strategy, verification, start, stop)
    raise WireError("a trial_reward case takes one or more steps, strategy, verification, start and stop")


def _step(value: Any) -> Step:
    match value:
        case {
            "rewards": rewards,
            "min_reward": threshold,
            "preparation": [("workdir" | "setup" | "healthcheck"), str()] | None as preparation,
            "agent": str() | None as agent,
            "verifier": str() | None as verifier,
            "blocked": bool(blocked),
        } if CANCELLED not in (agent, verifier, *(preparation or ())):
            phase = None if preparation is None else (preparation[0], preparation[1])
            return Step(as_rewards(decode(rewards)), _threshold(decode(threshold)), phase, agent, verifier, blocked)
    raise WireError("a step takes rewards, min_reward, preparation, agent, verifier and blocked; it is never cancelled")


def _threshold(value: Any) -> Any:
    if type(value) in (int, float):
        return _toml_number(value)
    thresholds = as_rewards(value)
    if any("\ud800" <= character <= "\udfff" for key in thresholds or () for character in key):
        raise WireError("a threshold stands in task.toml, which takes no half of a surrogate pair")
    return thresholds and {key: _toml_number(bound) for key, bound in thresholds.items()}


def _toml_number(number: Number) -> Number:
    if isinstance(number, int) and not -(2**63) <= number < 2**63:
        raise WireError("a threshold stands in task.toml, whose ints have 64 bits")
    return number


def _shuffled(case: MultiStepTrial) -> Path | None:
    """A mean takes its keys from a set, whose order depends on the hash seed: equal as a set is equal."""
    return None if case.strategy == "final" else ("rewards",)


def _ordered(case: MultiStepTrial) -> Ordered:
    return lambda path: path[-1:] == ("rewards",) and path != _shuffled(case)


def _flags(case: MultiStepTrial) -> frozenset[str]:
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


def _describe(case: MultiStepTrial) -> str:
    settings = [f"strategy {case.strategy or 'unset'}"]
    if not case.verification:
        settings.append("verification disabled")
    settings += [f"{what} raises {error}" for what, error in (("start", case.start), ("stop", case.stop)) if error]
    steps = (f"step {number}: {_describe_step(step)}" for number, step in enumerate(case.steps, 1))
    return "; ".join([", ".join(settings), *steps])


def _describe_step(step: Step) -> str:
    told = []
    if step.preparation is not None:
        told.append(f"{step.preparation[0]} raises {step.preparation[1]}")
    if step.agent is not None:
        told.append(f"agent raises {step.agent}")
    told.append(f"verifier raises {step.verifier}" if step.verifier else f"rewards {step.rewards!r}")
    if step.blocked:
        told.append("its folder is blocked")
    if step.min_reward is not None:
        told.append(f"min_reward {step.min_reward!r}")
    return ", ".join(told)


TRIAL_REWARD = Operation(
    "trial_reward", _arguments, _describe, _flags, _encode, _decode, ordered=_ordered, shuffled=_shuffled
)
