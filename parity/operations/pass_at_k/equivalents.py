"""Functions that build equivalent cases of `pass_at_k`, by which attribution finds the rule that a runner breaks."""

from collections.abc import Callable
from dataclasses import replace

from parity.operations.pass_at_k.case import PassAtKCase, group_key
from parity.scorer.pass_at_k import Trial
from parity.scorer.values import Rewards


def _trials(change: Callable[[Trial], Trial]) -> Callable[[PassAtKCase], PassAtKCase]:
    return lambda case: PassAtKCase(tuple(map(change, case.trials)))


def _with_rewards(change: Callable[[Rewards], Rewards]) -> Callable[[PassAtKCase], PassAtKCase]:
    return _trials(lambda trial: replace(trial, rewards=change(trial.rewards)) if trial.rewards else trial)


def with_one_name_a_group(case: PassAtKCase) -> PassAtKCase:
    firsts: dict[str, Trial] = {}
    renamed = []
    for trial in case.trials:
        first = firsts.setdefault(group_key(trial), trial)
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


without_empty_names = _trials(_without_empty_names)
failed_for_null = _trials(_failed_for_null)
with_ints = _with_rewards(_as_int)
under_reward = _with_rewards(_under_reward)
