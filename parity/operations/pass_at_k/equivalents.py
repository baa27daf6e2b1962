"""Equivalent cases of `pass_at_k`. Attribution asks a runner for them to find out which rule it breaks."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from parity.operations.pass_at_k.case import PassAtKCase
from parity.scorer.pass_at_k import Trial, evals_key
from parity.scorer.values import Rewards


def _trials(change: Callable[[Trial], Trial]) -> Callable[[PassAtKCase], PassAtKCase]:
    return lambda case: PassAtKCase(tuple(map(change, case.trials)))


def _with_rewards(change: Callable[[Rewards], Rewards]) -> Callable[[PassAtKCase], PassAtKCase]:
    return _trials(lambda trial: replace(trial, rewards=change(trial.rewards)) if trial.rewards else trial)


def _one_name_a_group(case: PassAtKCase) -> PassAtKCase:
    firsts: dict[str, Trial] = {}
    renamed = []
    for trial in case.trials:
        first = firsts.setdefault(evals_key(trial.agent, trial.model, trial.source), trial)
        renamed.append(replace(trial, agent=first.agent, model=first.model, source=first.source))
    return PassAtKCase(tuple(renamed))


def _as_int(rewards: Rewards) -> Rewards:
    return {key: int(number) if number in (0, 1) else number for key, number in rewards.items()}


def _under_reward(rewards: Rewards) -> Rewards:
    return dict(zip(["reward"], rewards.values(), strict=True)) if len(rewards) == 1 else rewards


def _without_empty_names(trial: Trial) -> Trial:
    return replace(trial, model=trial.model or None, source=trial.source or None)


def _failed_for_null(trial: Trial) -> Trial:
    return replace(trial, rewards={"reward": 0}) if trial.rewards is None else trial


EQUIVALENTS: Mapping[str, Callable[[Any], Any]] = {
    "pass-at-k/colliding-keys": _one_name_a_group,
    "pass-at-k/empty-names": _trials(_without_empty_names),
    "pass-at-k/null-fails": _trials(_failed_for_null),
    "pass-at-k/float-binary": _with_rewards(_as_int),
    "pass-at-k/any-key": _with_rewards(_under_reward),
}
"""For each rule, a function that turns a case into another one whose answer is the same because of this rule."""
