"""Golden inputs of `trial_reward`: steps with rewards, errors and thresholds, each under every strategy."""

from collections.abc import Iterator
from dataclasses import replace

from parity.operations.vector import Vector
from parity.scorer import MultiStepTrial, Number, Rewards, Step
from parity.scorer.trial_reward import Strategy

_NAN, _INF = float("nan"), float("inf")
_ONE: Rewards = {"reward": 1.0}
_HALF: Rewards = {"reward": 0.5}
_ZERO: Rewards = {"reward": 0.0}


def _of(*rewards: Rewards | Number | None) -> tuple[Step, ...]:
    """Build steps that have rewards and nothing else; a number stands for a single reward."""
    return tuple(Step({"reward": given} if isinstance(given, int | float) else given) for given in rewards)


def _raising(place: int, *, agent: str | None = None, verifier: str | None = None, of: int = 3) -> tuple[Step, ...]:
    """Build steps that all get 1.0; one of them raises."""
    return tuple(Step(_ONE, agent=agent, verifier=verifier) if i == place else Step(_ONE) for i in range(of))


def _gated(rewards: Rewards | None, threshold: object, then: Rewards | None = None) -> tuple[Step, ...]:
    """Build a step with a threshold, and a second step that runs only if the threshold is met."""
    return Step(rewards, threshold), Step(then or _HALF)  # type: ignore[arg-type]


# By rule: named steps.
_STEPS: dict[str, dict[str, tuple[Step, ...]]] = {
    "trial-reward/mean": {"one": _of(1.0), "two": _of(1.0, 0.0), "three": _of(1.0, 0.0, 0.5), "negative": _of(-1.0, 0.5), "thirds": _of(1.0, 0.0, 0.0), "beyond-one": _of(3.0, 0.5), "five": _of(0.1, 0.2, 0.3, 0.4, 0.5)},
    "trial-reward/type": {"ints": _of(1, 0), "one-int": _of(1), "even-ints": _of(2, 2), "mixed": _of(1, 1.0), "zero": _of(0, 0), "beyond-2**53": _of(2**53 + 1)},
    "trial-reward/final": {"last-is-best": _of(0.0, 1.0), "last-is-worst": _of(1.0, 0.0), "last-is-null": _of(1.0, None), "last-is-empty": _of(1.0, {}), "last-has-other-keys": _of({"a": 1.0}, {"b": 0, "a": 2}), "last-is-int": _of(0.5, 1)},
    "trial-reward/empty-counts": {"null-and-one": _of(1.0, None), "empty-and-one": _of({}, 1.0), "null-first": _of(None, 1.0, 1.0), "both": _of(None, {}, 0.3), "several-keys": _of({"a": 1.0, "b": 0.5}, None)},
    "trial-reward/no-keys": {"null": _of(None), "empty": _of({}), "all": _of(None, {}, None), "two-empty": _of({}, {})},
    "trial-reward/keys": {"twenty": _of({f"key-{n}": n for n in range(20)}, {"key-0": 1}), "two-keys": _of({"a": 1.0, "b": 0.5}, {"b": 0.5, "a": 1.0}), "disjoint": _of({"a": 1.0}, {"b": 1.0}), "three-steps": _of({"c": 1}, {"b": 1}, {"a": 1}), "odd-names": _of({"": 1, "é": 2, "f64": 3}), "integer-like": _of({"10": 1, "9": 2}), "one-more": _of({"a": 1}, {"a": 1, "b": 1})},
    "trial-reward/missing-key": {"second": _of({"a": 1.0, "b": 1.0}, {"a": 1.0}), "first": _of({"a": 0.5}, {"a": 0.5, "b": 0.5}), "negative": _of({"a": -1.0, "b": -1.0}, {"b": -0.5})},
    "trial-reward/summation": {
        "tenths": _of(*[0.1] * 10), "three-tenths": _of(0.1, 0.2, 0.3), "cancel": _of(1e16, 1.0, -1e16), "cancel-late": _of(1.0, 1e16, -1e16), "cancel-int": _of(1e16, 1, -1e16), "cancel-ints": _of(1e16, 1, 1, -1e16), "int-between": _of(0.1, 1, 0.1),
        "peters": _of(1.0, 1e100, 1.0, -1e100), "missing-between": _of({"a": 1e16}, {"a": 1.0, "b": 1}, {"a": -1e16}), "sevens": _of(*[0.7] * 7), "forty-tenths": _of(*[0.1, 0.2, 0.3, 0.4] * 10), "inf": _of(_INF, 1.0), "both-infinities": _of(_INF, -_INF), "nan": _of(_NAN, 1.0), "minus-zero": _of(-0.0, -0.0), "subnormal": _of(5e-324, 0.0),
    },
    "trial-reward/overflow": {"one": _of(10**400), "with-float": _of(2**1024, 0.5), "two-that-fit": _of(2**1023, 2**1023), "other-key": _of({"a": 1.0, "b": 10**400})},
    "trial-reward/unverified-step": {
        "verifier-last": _raising(2, verifier="RewardFileNotFoundError"), "verifier-second": _raising(1, verifier="RewardFileEmptyError"), "parse-error": _raising(1, verifier="VerifierOutputParseError"),
        "set-up-last": (*_of(1.0, 0.5), Step(preparation=("setup", "RuntimeError"))), "agent-and-verifier": _raising(2, agent="ValueError", verifier="OSError"),
    },
    "trial-reward/error-without-result": {"first-of-three": _raising(0, verifier="ValueError"), "only": _raising(0, verifier="ValueError", of=1), "custom": _raising(1, verifier="CustomError"), "agent-goes-on": _raising(0, agent="ValueError"), "agent-goes-on-to-the-end": _raising(2, agent="RuntimeError"), "agent-with-null": (Step(None, agent="ValueError"), Step(_ONE)), "agent-with-empty": (Step({}, agent="ValueError"), Step(_ONE))},
    "trial-reward/steps-left-out": {"by-verifier": _raising(1, verifier="ValueError", of=5), "by-threshold": (Step(_ZERO, 1), *_of(1.0, 1.0, 1.0)), "by-set-up": (Step(preparation=("setup", "RuntimeError")), *_of(1.0, 1.0))},
    "trial-reward/step-errors-stay": {"agent": _raising(1, agent="ValueError"), "verifier": _raising(1, verifier="ValueError"), "agent-alone": _raising(0, agent="NonZeroAgentExitCodeError", of=1), "all": tuple(Step(_ONE, agent="ValueError") for _ in range(3))},
    "trial-reward/first-error": {"agent-first": _raising(0, agent="ValueError", verifier="OSError"), "timeout-first": _raising(0, agent="TimeoutError", verifier="TimeoutError"), "second-step": _raising(1, agent="OSError", verifier="RewardFileNotFoundError")},
    "trial-reward/agent-timeout": {"builtin": _raising(0, agent="TimeoutError"), "harbor's": _raising(1, agent="AgentTimeoutError"), "of-verifying": _raising(0, agent="VerifierTimeoutError")},
    "trial-reward/verifier-timeout": {"builtin": _raising(0, verifier="TimeoutError"), "last": _raising(2, verifier="TimeoutError"), "harbor's": _raising(1, verifier="VerifierTimeoutError")},
    "trial-reward/preparation-error": {
        "set-up-exits": (*_of(1.0), Step(_ONE, preparation=("setup", "RuntimeError")), *_of(1.0)), "set-up-raises": (*_of(1.0), Step(_ONE, preparation=("setup", "TimeoutError"))), "health": (*_of(1.0), Step(_ONE, preparation=("healthcheck", "HealthcheckError")), *_of(1.0)),
        "first": (Step(_ONE, preparation=("setup", "RuntimeError")), *_of(1.0)), "with-agent-error": (Step(_ONE, preparation=("setup", "RuntimeError"), agent="ValueError"), *_of(1.0)), "with-threshold": (Step(_ONE, 0, preparation=("healthcheck", "HealthcheckError")), *_of(1.0)),
    },
    "trial-reward/escaping-error": {"workdir": (*_of(1.0), Step(_ONE, preparation=("workdir", "OSError"))), "workdir-first": (Step(_ONE, preparation=("workdir", "OSError")), *_of(1.0)), "workdir-times-out": (*_of(1.0), Step(preparation=("workdir", "TimeoutError"))), "health-raises": (*_of(1.0), Step(_ONE, preparation=("healthcheck", "OSError")), *_of(1.0)), "health-raises-another": (*_of(1.0), Step(_ONE, preparation=("healthcheck", "BlockingIOError")), *_of(1.0))},
    "trial-reward/blocked-folder": {"last": (*_of(1.0), Step(_HALF, blocked=True)), "first": (Step(_HALF, blocked=True), *_of(1.0)), "with-agent-error": (*_of(1.0), Step(_HALF, agent="ValueError", blocked=True)), "with-verifier-error": (*_of(1.0), Step(verifier="OSError", blocked=True)), "threshold-missed-too": (Step(_ZERO, 1.0, blocked=True), *_of(1.0)), "not-prepared": (*_of(1.0), Step(preparation=("setup", "RuntimeError"), blocked=True))},
    "trial-reward/threshold-number": {"missed": _gated(_ZERO, 0.5), "met": _gated(_ONE, 0.5), "int": _gated({"reward": 0}, 1), "other-keys-do-not-count": _gated({"reward": 1.0, "speed": 0.0}, 0.5), "only-other-keys": _gated({"speed": 1.0}, 0.5), "negative": _gated({"reward": -0.5}, -1.0), "zero": _gated(_ZERO, 0), "last-step": (*_of(1.0), Step(_ZERO, 1.0)), "infinite": _gated(_ONE, _INF)},
    "trial-reward/threshold-keys": {"both-met": _gated({"a": 1.0, "b": 1.0}, {"a": 0.5, "b": 0.5}), "second-missed": _gated({"a": 1.0, "b": 0.0}, {"a": 0.5, "b": 0.5}), "first-missed": _gated({"a": 0.0, "b": 1.0}, {"a": 0.5, "b": 0.5}), "mean-would-do": _gated({"a": 10.0, "b": 0.0}, {"a": 0.5, "b": 0.5}), "none": _gated(_ZERO, {}), "not-reward": _gated({"reward": 0.0, "a": 1.0}, {"a": 1.0})},
    "trial-reward/threshold-without-reward": {"missing-key": _gated({"a": 1.0}, {"b": 0.0}), "null": _gated(None, 0.0), "empty": _gated({}, 0.0), "negative": _gated({"a": 1.0}, -1e308), "minus-infinity": _gated({"a": 1.0}, -_INF), "null-minus-infinity": _gated(None, {"a": -_INF}), "agent-error": (Step({"a": 1.0}, 0.5, agent="ValueError"), Step(_HALF))},
    "trial-reward/threshold-met": {"float": _gated(_HALF, 0.5), "int": _gated({"reward": 1}, 1.0), "minus-zero": _gated({"reward": -0.0}, 0.0), "just-below": _gated({"reward": 0.49999999999999994}, 0.5), "just-above": _gated({"reward": 0.5000000000000001}, 0.5), "by-key": _gated({"a": 1.0}, {"a": 1})},
    "trial-reward/threshold-nan": {"threshold": _gated(_ZERO, _NAN), "reward": _gated({"reward": _NAN}, 0.5), "both": _gated({"reward": _NAN}, _NAN), "by-key": _gated({"a": _NAN, "b": 0.0}, {"a": 1.0, "b": 0.0}), "without-reward": _gated({"a": 1.0}, _NAN)},
    "trial-reward/threshold-beyond-2**53": {"rounded-down": _gated({"reward": 2.0**53}, 2**53 + 1), "int-reward": _gated({"reward": 2**53}, 2**53 + 1), "by-key": _gated({"a": 2**53}, {"a": 2**53 + 1}), "rounded-up": _gated({"reward": 2**53 + 3}, 2**53 + 3)},
    "trial-reward/step-record": {"verbatim": _of({"b": 1, "a": 0.5}, 1), "ints-and-floats": _of({"x": 1, "y": 1.0}), "nan-and-inf": _of({"x": _NAN, "y": -_INF}), "big": _of({"x": 2**70}), "null-and-empty": _of(None, {})},
}  # fmt: skip

# Thresholds and rewards that differ in their last digits, keys that are nearly the same, and more keys than a sample has.
_STEPS["trial-reward/threshold-met"] |= {
    "last-digit": _gated({"reward": 0.3}, 0.30000000000000004),
    "last-digit-by-key": _gated({"a": 0.3}, {"a": 0.30000000000000004}),
    "rounded-would-do": _gated({"reward": 0.2999999}, 0.3000001),
    "single-precision": _gated({"reward": 0.1}, 0.1),
}
_STEPS["trial-reward/threshold-without-reward"] |= {
    f"keys-alike/{name}": _gated({reward: 1.0}, {key: 0.5})
    for name, reward, key in (
        ("case", "reward", "Reward"),
        ("blank", "reward", "reward "),
        ("accent", "\u00e9", "e\u0301"),
        ("last-part", "reward", "task.reward"),
    )
}
_STEPS["trial-reward/threshold-keys"] |= {
    f"last-of-{count}-missed": _gated(
        {f"k{n}": float(n < count - 1) for n in range(count)}, {f"k{n}": 0.5 for n in range(count)}
    )
    for count in (12, 70)
}
_STEPS["trial-reward/escaping-error"] |= {
    f"workdir-{name}": (*_of(1.0), Step(_ONE, preparation=("workdir", name)), *_of(0.0))
    for name in ("PermissionError", "FileNotFoundError", "RuntimeError")
}

_STOPPED = (Step(_ONE), Step(_ONE, verifier="ValueError"), Step(_ONE))

# By rule: named trials; the strategy is added to each.
_TRIALS: dict[str, dict[str, MultiStepTrial]] = {
    "trial-reward/start-error": {"raises": MultiStepTrial(_of(1.0), start="RuntimeError"), "times-out": MultiStepTrial(_of(1.0), start="TimeoutError"), "harbor's": MultiStepTrial(_of(1.0), start="EnvironmentStartTimeoutError"), "and-stop": MultiStepTrial(_of(1.0), start="OSError", stop="ValueError")},
    "trial-reward/stop-error": {"keeps-rewards": MultiStepTrial(_of(1.0, 0.0), stop="RuntimeError"), "after-step-error": MultiStepTrial(_STOPPED, stop="OSError"), "times-out": MultiStepTrial(_of(1.0), stop="TimeoutError"), "after-escape": MultiStepTrial((Step(preparation=("workdir", "ValueError")),), stop="OSError"), "after-overflow": MultiStepTrial(_of(10**400), stop="OSError"), "unverified": MultiStepTrial(_of(1.0), verification=False, stop="OSError")},
    "trial-reward/verification-disabled": {"plain": MultiStepTrial(_of(1.0, 0.5), verification=False), "threshold": MultiStepTrial(_gated(_ZERO, 1.0), verification=False), "agent-error": MultiStepTrial(_raising(0, agent="ValueError"), verification=False), "agent-timeout": MultiStepTrial(_raising(1, agent="TimeoutError"), verification=False), "verifier-error": MultiStepTrial(_raising(0, verifier="ValueError"), verification=False), "blocked": MultiStepTrial((Step(_ONE, blocked=True),), verification=False), "set-up": MultiStepTrial((*_of(1.0), Step(preparation=("setup", "RuntimeError"))), verification=False)},
}  # fmt: skip

_STRATEGIES: dict[str, Strategy | None] = {"mean": "mean", "final": "final", "unset": None}
_OF_THE_MEAN = (
    *("mean", "type", "empty-counts", "no-keys", "keys", "missing-key", "summation", "overflow"),
    "unverified-step",
)


def _vectors() -> Iterator[Vector]:
    for rule, steps_by_name in _STEPS.items():
        for name, steps in steps_by_name.items():
            yield from _under_strategies(rule, name, MultiStepTrial(steps))
    for rule, trials in _TRIALS.items():
        for name, trial in trials.items():
            yield from _under_strategies(rule, name, trial)
    for name in ("mean", "two", "type"):
        steps = {"mean": _of(1.0, 0.0, 0.0), "two": _of({"a": 1, "b": 1}, {"a": 0}), "type": _of(1, 1)}[name]
        yield Vector("trial-reward/unset-is-mean", name, MultiStepTrial(steps))


def _under_strategies(rule: str, name: str, trial: MultiStepTrial) -> Iterator[Vector]:
    topic = rule.removeprefix("trial-reward/")
    names = ["final"] if topic == "final" else ["mean", "unset"] if topic in _OF_THE_MEAN else list(_STRATEGIES)
    for strategy_name in names:
        strategy = _STRATEGIES[strategy_name]
        yield Vector(rule, f"{name}/{strategy_name}", replace(trial, strategy=strategy))


VECTORS: list[Vector] = list(_vectors())
