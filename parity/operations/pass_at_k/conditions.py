"""Conditions on cases of `pass_at_k`, which its rules use."""

import re
from collections import Counter
from collections.abc import Callable, Set

from parity.operations.answers import Answer
from parity.operations.compare import Difference
from parity.operations.pass_at_k.case import PassAtKCase, group_key
from parity.operations.rule import When
from parity.scorer.pass_at_k import Trial
from parity.scorer.values import Rewards

_PLAIN_NAME = re.compile(r"[a-z0-9_-]{0,64}", re.ASCII)


def has_trial(holds: Callable[[Trial], bool]) -> When:
    """Build a condition that holds if the predicate holds for a trial."""
    return lambda case: any(map(holds, case.trials))


def has_reward(holds: Callable[[float], bool]) -> When:
    """Build a condition that holds if the predicate holds for the only reward of a trial."""
    return has_trial(lambda trial: len(trial.rewards or {}) == 1 and all(map(holds, (trial.rewards or {}).values())))


def _groups(case: PassAtKCase) -> list[list[Trial]]:
    groups: dict[str, list[Trial]] = {}
    for trial in case.trials:
        groups.setdefault(group_key(trial), []).append(trial)
    return list(groups.values())


def _attempts(group: list[Trial]) -> Counter[str]:
    return Counter(trial.task for trial in group)


def _names(trial: Trial) -> tuple[str, str, str]:
    return trial.agent, trial.model or "", trial.source or ""


def has_colliding_keys(case: PassAtKCase) -> bool:
    """Return whether different names result in the same evals key, or a name contains the separator of evals keys."""
    is_mixed = any(len({(each.agent, each.model, each.source) for each in group}) > 1 for group in _groups(case))
    return is_mixed or any("__" in name for trial in case.trials for name in _names(trial))


def has_many_groups(case: PassAtKCase) -> bool:
    return len(_groups(case)) > 8


def has_empty_name(trial: Trial) -> bool:
    return "" in (trial.model, trial.source)


def lacks_name(trial: Trial) -> bool:
    return trial.model is None or trial.source is None


def has_empty_agent(trial: Trial) -> bool:
    return trial.agent == ""


def has_unusual_name(trial: Trial) -> bool:
    return not all(map(_PLAIN_NAME.fullmatch, _names(trial)))


def has_single_attempt(case: PassAtKCase) -> bool:
    return any(min(_attempts(group).values()) == 1 for group in _groups(case))


def has_uneven_attempts(case: PassAtKCase) -> bool:
    """Return whether the tasks in a group have different numbers of attempts."""
    return any(len(set(_attempts(group).values())) > 1 for group in _groups(case))


def has_five_attempts(case: PassAtKCase) -> bool:
    """Return whether each task in a group has at least five attempts, so that k is not always a power of two."""
    return any(min(_attempts(group).values()) >= 5 for group in _groups(case))


def has_several_tasks(case: PassAtKCase) -> bool:
    return any(len(_attempts(group)) > 1 for group in _groups(case))


def has_no_rewards(trial: Trial) -> bool:
    return trial.rewards is None


def has_empty_rewards(trial: Trial) -> bool:
    return trial.rewards == {}


def has_several_keys(trial: Trial) -> bool:
    return len(trial.rewards or {}) > 1


def has_unusual_key(trial: Trial) -> bool:
    return len(trial.rewards or {}) == 1 and _only_key(trial.rewards or {}) != "reward"


def _only_key(rewards: Rewards) -> str:
    (key,) = rewards
    return key


def is_not_binary(reward: float) -> bool:
    return reward not in (0, 1)


def is_binary_float(reward: float) -> bool:
    return reward in (0, 1) and isinstance(reward, float)


def adds_keys(difference: Difference, answer: Answer) -> bool:
    """Return whether the runner's answer has an evals key or a k that the reference's has not."""
    expected, actual = _different_keys(difference)
    return bool(actual - expected)


def names_another_group(difference: Difference, answer: Answer) -> bool:
    """Return whether the runner's answer has an evals key that the reference's has not.

    A key that is missing alone is no wrong name: a runner that reads ints only has no pass@k for a group with floats.
    """
    return not difference.path and adds_keys(difference, answer)


def lacks_groups(difference: Difference, answer: Answer) -> bool:
    """Return whether evals keys are missing in the runner's answer, and the others are right."""
    expected, actual = _different_keys(difference)
    return not difference.path and actual < expected


def _different_keys(difference: Difference) -> tuple[Set[object], Set[object]]:
    """Return the keys of the reference's object and of the runner's; empty sets if the keys do not differ."""
    expected, actual = difference.expected, difference.actual
    if difference.aspect != "keys" or not isinstance(expected, dict) or not isinstance(actual, dict):
        return set(), set()
    return expected.keys(), actual.keys()
