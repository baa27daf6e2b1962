"""Hypothesis strategies for multi-step trials, with rewards, errors and thresholds for every step."""

from collections.abc import Mapping
from typing import Any

from hypothesis import strategies as st

from parity.operations.files.number_strategies import (
    choose,
    number_pools,
    numbers,
    seldom,
)
from parity.scorer.trial_reward import MultiStepTrial, Phase, Step
from parity.scorer.values import Number, Rewards

_keys = st.sampled_from(["reward", "reward", "reward", "speed", "a", "é\U0001f600", "f64"])
_values: st.SearchStrategy[Number] = st.one_of(
    st.sampled_from([0, 1, 1.0, 0.0, 0.1, 0.2, 0.3, 0.5, 0.7]),
    st.sampled_from([0.1, 0.7, 1e16, -1e16, 1, 10**400, float("nan"), float("inf")]),
    numbers,
)
_rewards: st.SearchStrategy[Rewards | None] = st.one_of(
    st.builds(lambda value: {"reward": value}, _values),
    st.dictionaries(_keys, _values, max_size=3),
    st.none(),
)
_bounds: st.SearchStrategy[Number] = st.one_of(
    st.sampled_from([0, 1, 0.5, -1.0, 2, 0.1, float("nan"), float("-inf"), 2**53 + 1]),
    st.floats(allow_nan=False),
)
_thresholds: st.SearchStrategy[Number | Mapping[str, Number] | None] = st.one_of(
    *[st.none()] * 4, _bounds, st.dictionaries(_keys, _bounds, max_size=2)
)
_errors = st.sampled_from(["ValueError", "TimeoutError", "TimeoutError", "AgentTimeoutError", "CustomError"])
_verifier_errors = st.one_of(
    _errors,
    st.sampled_from(["RewardFileNotFoundError", "RewardFileEmptyError", "VerifierOutputParseError"]),
)
_preparations: st.SearchStrategy[tuple[Phase, str]] = st.one_of(
    st.tuples(st.just("setup"), st.sampled_from(["RuntimeError", "TimeoutError"])),
    st.tuples(st.just("healthcheck"), st.sampled_from(["HealthcheckError", "OSError"])),
    st.tuples(st.just("workdir"), st.sampled_from(["OSError", "TimeoutError"])),
)


_gates = st.sampled_from(["reward", "a"])
_injected_faults: st.SearchStrategy[dict[str, Any]] = choose(
    *[st.just({})] * 6,
    st.just({"blocked": True}),
    st.fixed_dictionaries({"agent": _errors}),
    st.fixed_dictionaries({"verifier": _verifier_errors}),
    st.just({"verifier": "TimeoutError"}),
    st.fixed_dictionaries({"agent": _errors, "verifier": _verifier_errors}),
    *[st.fixed_dictionaries({"preparation": _preparations})] * 2,
)


@st.composite
def _step(draw: st.DrawFn) -> Step:
    rewards, threshold = draw(_rewards), draw(_thresholds)
    if rewards and "reward" in rewards and isinstance(threshold, float) and draw(st.booleans()):
        threshold = rewards["reward"] if abs(rewards["reward"]) < 2**63 else threshold
    return Step(rewards, threshold, **draw(_injected_faults))


_quiet: st.SearchStrategy[MultiStepTrial] = st.builds(
    MultiStepTrial,
    st.lists(st.builds(Step, _rewards), min_size=2, max_size=4).map(tuple),
    st.sampled_from(["mean", "final", None]),
)
_gated: st.SearchStrategy[MultiStepTrial] = st.builds(
    MultiStepTrial,
    st.lists(
        st.builds(
            Step,
            st.dictionaries(_gates, st.sampled_from([0, 0.0, 0.5, 1.0, 1]), min_size=1, max_size=2),
            st.one_of(st.sampled_from([0.5, 1, 0]), st.dictionaries(_gates, st.sampled_from([0.5, 1]), min_size=2)),
        ),
        min_size=2,
        max_size=3,
    ).map(tuple),
    st.sampled_from(["mean", "final", None]),
)
_beyond: st.SearchStrategy[MultiStepTrial] = st.builds(
    MultiStepTrial,
    st.lists(
        st.builds(
            Step,
            st.sampled_from([2.0**53, 2**53, 2**53 + 1]).map(lambda value: {"reward": value}),
            st.sampled_from([2**53 + 1, 2**53, 2.0**53]),
        ),
        min_size=2,
        max_size=3,
    ).map(tuple),
    st.sampled_from(["mean", "final", None]),
)
_summands = st.sampled_from([0.1, 0.2, 0.3, 0.7, 1e16, 1.0, 1, -1e16, 1e100, -1e100])
_sums: st.SearchStrategy[MultiStepTrial] = st.builds(
    MultiStepTrial,
    st.lists(st.builds(lambda value: Step({"reward": value}), _summands), min_size=3, max_size=6).map(tuple),
    st.sampled_from(["mean", None]),
)
_trials: st.SearchStrategy[MultiStepTrial] = st.builds(
    MultiStepTrial,
    st.lists(_step(), min_size=1, max_size=5).map(tuple),
    st.sampled_from(["mean", "final", None]),
    st.integers(0, 6).map(bool),
    seldom(_errors, 10),
    seldom(_errors, 8),
)
multi_step_trials: st.SearchStrategy[MultiStepTrial] = choose(*[_trials] * 4, _quiet, _gated, _beyond, _sums)
"""Trials with one to six steps. Errors are rare, so that most trials get beyond the first step."""


_few = st.integers(1, 2)


def _stepped(pool: list[Number], steps: int, keys: int) -> MultiStepTrial:
    rewards = ({f"key-{key}": pool[step % len(pool)] for key in range(keys)} for step in range(steps))
    return MultiStepTrial(tuple(map(Step, rewards)))


long_trials: st.SearchStrategy[tuple[MultiStepTrial, ...]] = st.tuples(
    st.builds(_stepped, number_pools, choose(st.integers(1, 8), st.integers(32, 40)), _few),
    st.builds(_stepped, number_pools, _few, choose(st.integers(1, 4), st.integers(17, 40))),
)
"""Pairs of a trial with up to 40 steps and a trial with up to 40 reward keys."""
