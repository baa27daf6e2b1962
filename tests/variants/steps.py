"""Ways to derive a trial's rewards from its steps, and to compare a reward with its threshold."""

import math
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from parity.operations.series import running_series
from parity.runners import CleanRoom
from parity.scorer import MultiStepTrial, Number, Step, TrialReward, exact_sum
from parity.scorer.trial_reward import StepReward
from tests.variants.changes import derives_with, each_step
from tests.variants.variant import variant

type Records = list[StepReward]


def _mean(numbers: list[Number]) -> float:
    return float(exact_sum(numbers, running_series()) / len(numbers)) if numbers else 0.0


def _verified(records: Records) -> list[dict[str, Number]]:
    return [record["rewards"] or {} for record in records if record["verified"]]


def _keys(records: Records) -> list[str]:
    return list(dict.fromkeys(key for rewards in _verified(records) for key in rewards))


def _by_column(column: Callable[[str, Records], list[Number]]) -> Callable[[Records], Any]:
    return lambda records: {key: _mean(column(key, records)) for key in _keys(records)}


_COLUMNS: dict[str, Callable[[str, Records], list[Number]]] = {
    "PresentOnly": lambda key, records: [r[key] for r in _verified(records) if key in r],
    "AllSteps": lambda key, records: [(record["rewards"] or {}).get(key, 0) for record in records],
    "WithoutNull": lambda key, records: [
        record["rewards"].get(key, 0) for record in records if record["verified"] and record["rewards"] is not None
    ],
    "WithoutEmpty": lambda key, records: [r.get(key, 0) for r in _verified(records) if r],
    "WithoutErrors": lambda key, records: [
        (record["rewards"] or {}).get(key, 0) for record in records if record["verified"] and not record["exception"]
    ],
    "FiniteOnly": lambda key, records: [n for r in _verified(records) if math.isfinite(n := r.get(key, 0))],
    "NansAreZero": lambda key, records: [n if (n := r.get(key, 0)) == n else 0 for r in _verified(records)],
    "PositiveOnly": lambda key, records: [n for r in _verified(records) if (n := r.get(key, 0)) > 0],
    "BestOnly": lambda key, records: [max(r.get(key, 0) for r in _verified(records))],
    "WorstOnly": lambda key, records: [min(r.get(key, 0) for r in _verified(records))],
    "FirstOnly": lambda key, records: [_verified(records)[0].get(key, 0)],
    "LastOnly": lambda key, records: [_verified(records)[-1].get(key, 0)],
    "OrZero": lambda key, records: [r.get(key) or 0 for r in _verified(records)],
    "MissingIsADouble": lambda key, records: [r.get(key, 0.0) for r in _verified(records)],
    "MissingIsTheLast": lambda key, records: [
        next((r[key] for r in reversed(_verified(records)[: n + 1]) if key in r), 0)
        for n in range(len(_verified(records)))
    ],
    "Clamped": lambda key, records: [min(max(r.get(key, 0), 0), 1) for r in _verified(records)],
    "First100": lambda key, records: [r.get(key, 0) for r in _verified(records)][:100],
}
for _name, _column in _COLUMNS.items():
    variant("trial_reward", f"Steps{_name}")(derives_with(_by_column(_column)))
variant("trial_reward", "StepsAsTheyAre", equivalent="This is the specified mean.")(
    derives_with(_by_column(lambda key, records: [r.get(key, 0) for r in _verified(records)]))
)


def _right(records: Records) -> dict[str, Any]:
    return {key: _mean([r.get(key, 0) for r in _verified(records)]) for key in _keys(records)}


_MEANS: dict[str, Callable[[Records], Any]] = {
    "CommonKeys": lambda records: {
        key: mean for key, mean in _right(records).items() if all(key in r for r in _verified(records))
    },
    "FirstKeys": lambda records: {key: mean for key, mean in _right(records).items() if key in _verified(records)[0]},
    "LastKeys": lambda records: {key: mean for key, mean in _right(records).items() if key in _verified(records)[-1]},
    "RewardOnly": lambda records: {"reward": _right(records).get("reward", 0.0)},
    "OneMean": lambda records: {"reward": _mean(list(_right(records).values()))},
    "MetricName": lambda records: (
        {"mean": next(iter(_right(records).values()))} if len(_keys(records)) == 1 else _right(records)
    ),
    "IntsIfWhole": lambda records: {
        key: int(n) if math.isfinite(n) and n.is_integer() else n for key, n in _right(records).items()
    },
    "RoundedTo6": lambda records: {key: round(n, 6) for key, n in _right(records).items()},
    "RoundedTo12": lambda records: {key: round(n, 12) for key, n in _right(records).items()},
    "Caseless": lambda records: {key.lower(): n for key, n in _right(records).items()},
    "Stripped": lambda records: {key.strip(): n for key, n in _right(records).items()},
    "Product": lambda records: {
        key: math.prod(float(r.get(key, 0)) for r in _verified(records)) for key in _keys(records)
    },
    "Total": lambda records: {
        key: float(exact_sum([r.get(key, 0) for r in _verified(records)], running_series())) for key in _keys(records)
    },
    "Merged": lambda records: {key: float(n) for r in _verified(records) for key, n in r.items()},
    "FirstMerged": lambda records: {key: float(n) for r in reversed(_verified(records)) for key, n in r.items()},
    "LaterWeighsMore": lambda records: {
        key: sum(float(r.get(key, 0)) * n for n, r in enumerate(_verified(records), 1))
        / sum(range(1, len(_verified(records)) + 1))
        for key in _keys(records)
    },
    "AllOrNothing": lambda records: {key: float(n == 1) for key, n in _right(records).items()},
}
for _name, _derive in _MEANS.items():
    variant("trial_reward", f"Mean{_name}")(derives_with(_derive))
variant(
    "trial_reward",
    "MeanSortedKeys",
    equivalent="Harbor takes the keys of a mean from a set, so their order is arbitrary, and is not compared.",
)(derives_with(lambda records: dict(sorted(_right(records).items()))))


def _thresholds(step: Step) -> dict[str, Number]:
    if step.min_reward is None:
        return {}
    return dict(step.min_reward) if isinstance(step.min_reward, Mapping) else {"reward": step.min_reward}


def _gated(misses: Callable[[dict[str, Any], dict[str, Number]], bool]) -> Callable[[Step], Step]:
    """Return a change of a step whose thresholds this predicate on rewards and thresholds judges."""

    def change(step: Step) -> Step:
        thresholds = _thresholds(step)
        if not thresholds:
            return step
        rewards = {} if step.verifier is not None else step.rewards or {}
        return replace(step, min_reward={"\0 no such key": 0.0} if misses(rewards, thresholds) else None)

    return change


def _below(rewards: dict[str, Any], thresholds: dict[str, Number], default: float = -math.inf) -> list[bool]:
    return [rewards.get(key, default) < float(least) for key, least in thresholds.items()]


def _only_number(
    rewards: dict[str, Any], thresholds: dict[str, Number], value: Callable[[dict[str, Any]], Any]
) -> bool:
    """Compare one threshold for `reward` with a value of all rewards."""
    if list(thresholds) != ["reward"] or not rewards:
        return any(_below(rewards, thresholds))
    return bool(value(rewards) < float(thresholds["reward"]))


_GATES: dict[str, Callable[[dict[str, Any], dict[str, Number]], bool]] = {
    "AtMost": lambda r, t: any(r.get(k, -math.inf) <= float(v) for k, v in t.items()),
    "NotAtLeast": lambda r, t: any(not r.get(k, -math.inf) >= float(v) for k, v in t.items()),
    "NotAbove": lambda r, t: any(not r.get(k, -math.inf) > float(v) for k, v in t.items()),
    "MissingIsZero": lambda r, t: any(_below(r, t, 0)),
    "MissingIsNan": lambda r, t: any(_below(r, t, math.nan)),
    "MissingIsMet": lambda r, t: any(_below(r, t, math.inf)),
    "MissingIsMissed": lambda r, t: any(k not in r or r[k] < float(v) for k, v in t.items()),
    "AllMissed": lambda r, t: all(_below(r, t)),
    "FirstThreshold": lambda r, t: _below(r, t)[0],
    "LastThreshold": lambda r, t: _below(r, t)[-1],
    "ExactInts": lambda r, t: any(r.get(k, -math.inf) < v for k, v in t.items()),
    "AsDoubles": lambda r, t: any(_clipped(r.get(k, -math.inf)) < float(v) for k, v in t.items()),
    "WithTolerance": lambda r, t: any(r.get(k, -math.inf) < float(v) - 1e-9 for k, v in t.items()),
    "Rounded": lambda r, t: any(round(_clipped(r.get(k, -math.inf)), 6) < round(float(v), 6) for k, v in t.items()),
    "ZeroIsNoThreshold": lambda r, t: any(_below(r, {k: v for k, v in t.items() if v})),
    "NegativeIsNoThreshold": lambda r, t: any(_below(r, {k: v for k, v in t.items() if v >= 0})),
    "InfinityIsNoThreshold": lambda r, t: any(_below(r, {k: v for k, v in t.items() if math.isfinite(v)})),
    "NanIsMissed": lambda r, t: any(math.isnan(float(v)) or r.get(k, -math.inf) < float(v) for k, v in t.items()),
    "NanRewardIsMissed": lambda r, t: any(r.get(k) != r.get(k) or r.get(k, -math.inf) < float(v) for k, v in t.items()),
    "AnyRewardOfNumber": lambda r, t: _only_number(r, t, lambda rewards: max(rewards.values())),
    "EveryRewardOfNumber": lambda r, t: _only_number(r, t, lambda rewards: min(rewards.values())),
    "FirstRewardOfNumber": lambda r, t: _only_number(r, t, lambda rewards: next(iter(rewards.values()))),
    "MeanOfNumber": lambda r, t: _only_number(
        r, t, lambda rewards: sum(map(_clipped, rewards.values())) / len(rewards)
    ),
    "SumOfNumber": lambda r, t: _only_number(r, t, lambda rewards: sum(map(_clipped, rewards.values()))),
    "OnlyKeyOfNumber": lambda r, t: _only_number(
        r, t, lambda rewards: next(iter(rewards.values())) if len(rewards) == 1 else rewards.get("reward", -math.inf)
    ),
    "EmptyRewardsAreMet": lambda r, t: bool(r) and any(_below(r, t)),
    "CaselessKeys": lambda r, t: any(
        _below({k.lower(): v for k, v in r.items()}, {k.lower(): v for k, v in t.items()})
    ),
    "KeysInCommon": lambda r, t: any(_below(r, {k: v for k, v in t.items() if k in r})),
    "MeanOfThresholds": lambda r, t: (
        sum(_clipped(r.get(k, 0)) for k in t) / len(t) < sum(float(v) for v in t.values()) / len(t)
    ),
    "TruthOfReward": lambda r, t: any(not r.get(k) or r[k] < float(v) for k, v in t.items()),
    "Never": lambda r, t: False,
    "Always": lambda r, t: True,
}


def _clipped(number: Number) -> float:
    try:
        return float(number)
    except OverflowError:
        return math.copysign(math.inf, number)


for _name, _misses in _GATES.items():
    variant("trial_reward", f"Gate{_name}")(each_step(_gated(_misses)))
variant("trial_reward", "GateAsItIs", equivalent="This is the specified comparison.")(
    each_step(_gated(lambda r, t: any(_below(r, t))))
)

_STEPS: dict[str, Callable[[Step], Step]] = {
    "NullIsEmpty": lambda step: replace(step, rewards=step.rewards or {}),
    "EmptyIsNull": lambda step: replace(step, rewards=step.rewards or None),
    "AgentErrorsAreIgnored": lambda step: replace(step, agent=None),
    "VerifierErrorsAreIgnored": lambda step: replace(step, verifier=None),
    "AgentErrorsSkipTheVerifier": lambda step: replace(step, verifier=step.verifier or step.agent),
    "AgentErrorsLoseRewards": lambda step: replace(step, rewards=None if step.agent else step.rewards),
    "AgentErrorsAreZero": lambda step: replace(step, rewards={"reward": 0} if step.agent else step.rewards),
    "VerifierErrorsAreZero": lambda step: (
        replace(step, verifier=None, agent=step.agent or step.verifier, rewards={"reward": 0})
        if step.verifier
        else step
    ),
    "SortedRewards": lambda step: replace(step, rewards=step.rewards and dict(sorted(step.rewards.items()))),
    "FloatRewards": lambda step: replace(
        step, rewards=step.rewards and {k: _clipped(v) for k, v in step.rewards.items()}
    ),
    "WithoutThresholds": lambda step: replace(step, min_reward=None),
    "EmptyThresholdsGate": lambda step: replace(
        step, min_reward={"reward": 0.0} if step.min_reward == {} else step.min_reward
    ),
    "BlockedIsIgnored": lambda step: replace(step, blocked=False),
    "BlockedIsUnverified": lambda step: (
        replace(step, verifier=step.verifier or "FileExistsError", blocked=False) if step.blocked else step
    ),
    "PreparationIsIgnored": lambda step: replace(step, preparation=None),
    "HealthchecksAreAgentErrors": lambda step: (
        replace(step, preparation=None, agent=step.preparation[1])
        if step.preparation and step.preparation[0] == "healthcheck"
        else step
    ),
    "SetUpEndsTheTrial": lambda step: (
        replace(step, preparation=("workdir", step.preparation[1])) if step.preparation else step
    ),
    "PreparationEndsTheStep": lambda step: (
        replace(step, preparation=("setup", step.preparation[1])) if step.preparation else step
    ),
    "TimeoutsAreErrors": lambda step: replace(
        step, agent="RuntimeError" if step.agent == "TimeoutError" else step.agent
    ),
    "VerifierTimeoutsAreRenamed": lambda step: replace(
        step, verifier="VerifierTimeoutError" if step.verifier == "TimeoutError" else step.verifier
    ),
}
for _name, _change in _STEPS.items():
    variant("trial_reward", f"Step{_name}")(each_step(_change))

_TRIALS: dict[str, Callable[[MultiStepTrial], MultiStepTrial]] = {
    "UnsetIsFinal": lambda trial: replace(trial, strategy=trial.strategy or "final"),
    "AlwaysMean": lambda trial: replace(trial, strategy="mean"),
    "AlwaysFinal": lambda trial: replace(trial, strategy="final"),
    "AlwaysVerified": lambda trial: replace(trial, verification=True),
    "StartIsIgnored": lambda trial: replace(trial, start=None),
    "StopIsIgnored": lambda trial: replace(trial, stop=None),
    "FirstStepOnly": lambda trial: replace(trial, steps=trial.steps[:1]),
    "First100Steps": lambda trial: replace(trial, steps=trial.steps[:100]),
    "Reversed": lambda trial: replace(trial, steps=trial.steps[::-1]),
    "LastStepHasNoThreshold": lambda trial: replace(
        trial, steps=(*trial.steps[:-1], replace(trial.steps[-1], min_reward=None))
    ),
    "StopTimeoutIsRenamed": lambda trial: replace(
        trial, stop="EnvironmentStopTimeoutError" if trial.stop == "TimeoutError" else trial.stop
    ),
}
_SAME_TRIALS = {"LastStepHasNoThreshold": "A threshold only decides whether a further step runs; the last has none."}
for _name, _of_trial in _TRIALS.items():
    variant("trial_reward", f"Trial{_name}", equivalent=_SAME_TRIALS.get(_name))(
        lambda right, trial, change=_of_trial: right.trial_reward(change(trial))
    )


def _records(change: Callable[[MultiStepTrial, Any], Any]) -> Callable[[CleanRoom, MultiStepTrial], Any]:
    return lambda right, trial: change(trial, right.trial_reward(trial))


def _final(choose: Callable[[Records], StepReward | None]) -> Callable[[MultiStepTrial, Any], TrialReward]:
    def change(trial: MultiStepTrial, answer: Any) -> Any:
        if trial.strategy != "final" or not answer["steps"] or answer["exception"] not in (None, trial.stop):
            return answer
        chosen = choose(answer["steps"])
        return {**answer, **({"verified": chosen["verified"], "rewards": chosen["rewards"]} if chosen else {})}

    return change


_ANSWERS: dict[str, Callable[[MultiStepTrial, Any], Any]] = {
    "FinalIsTheLastVerified": _final(lambda records: next((r for r in reversed(records) if r["verified"]), None)),
    "FinalIsTheLastWithRewards": _final(lambda records: next((r for r in reversed(records) if r["rewards"]), None)),
    "FinalIsTheFirst": _final(lambda records: records[0]),
    "FinalIsTheBest": _final(
        lambda records: max(records, key=lambda r: sum(map(_clipped, (r["rewards"] or {}).values())))
    ),
    "FinalIsFloat": lambda trial, answer: (
        {**answer, "rewards": answer["rewards"] and {k: _clipped(v) for k, v in answer["rewards"].items()}}
    ),
    "FinalNeedsAllSteps": lambda trial, answer: (
        {**answer, "verified": False, "rewards": None}
        if trial.strategy == "final" and answer["steps"] and len(answer["steps"]) < len(trial.steps)
        else answer
    ),
    "MeanNeedsAllSteps": lambda trial, answer: (
        {**answer, "verified": False, "rewards": None}
        if trial.strategy != "final" and answer["steps"] and len(answer["steps"]) < len(trial.steps)
        else answer
    ),
    "StepErrorIsTheTrials": lambda trial, answer: {
        **answer,
        "exception": answer["exception"]
        or next((r["exception"] for r in answer["steps"] or [] if r["exception"]), None),
    },
    "LastStepErrorIsTheTrials": lambda trial, answer: {
        **answer,
        "exception": answer["exception"] or (answer["steps"] or [{"exception": None}])[-1]["exception"],
    },
    "StopErrorLosesRewards": lambda trial, answer: (
        {**answer, "verified": False, "rewards": None} if trial.stop and answer["exception"] == trial.stop else answer
    ),
    "NoStepsIsEmpty": lambda trial, answer: {**answer, "steps": answer["steps"] or []},
    "EmptyIsNull": lambda trial, answer: {**answer, "rewards": answer["rewards"] or None},
    "NullIsEmpty": lambda trial, answer: {**answer, "rewards": answer["rewards"] or {}},
    "VerifiedIfRewards": lambda trial, answer: {**answer, "verified": bool(answer["rewards"])},
    "VerifiedIfNotNull": lambda trial, answer: {**answer, "verified": answer["rewards"] is not None},
    "WithoutMinusZero": lambda trial, answer: {
        **answer,
        "rewards": answer["rewards"] and {k: v or 0.0 for k, v in answer["rewards"].items()},
    },
}
for _name, _of_answer in _ANSWERS.items():
    variant("trial_reward", f"Answer{_name}")(_records(_of_answer))
