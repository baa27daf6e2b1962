"""Flags of `pass_at_k`: why a case is hard."""

import re
from collections import Counter

from parity.operations.pass_at_k.case import PassAtKCase
from parity.operations.rule import carried
from parity.scorer.pass_at_k import Trial, evals_key

FLAGS = {
    "no-trials": "no trials at all",
    "several-groups": "trials of more than one evals key",
    "empty-agent": "a trial whose agent is the empty string",
    "no-model": "a trial without a model",
    "empty-model": "a trial whose model is the empty string",
    "no-source": "a trial without a dataset",
    "empty-source": "a trial whose dataset is the empty string",
    "double-underscore": "the name of an agent, a model or a dataset holds `__`, the separator of evals keys",
    "unusual-name": "the name of an agent, a model or a dataset is long, or holds more than a to z, 0 to 9, - and _",
    "colliding-keys": "different agents, models or datasets give the same evals key",
    "several-tasks": "a group with more than one task",
    "uneven-attempts": "tasks of one group with different numbers of attempts",
    "single-attempt": "a task with one attempt, so that no k is eligible",
    "k-of-five": "at least 5 attempts at every task, so that k is not only a power of two",
    "many-attempts": "at least 15 attempts at every task",
    "hundred-attempts": "at least 100 attempts at every task",
    "many-tasks": "a group with 32 tasks or more",
    "many-groups": "trials of more than eight evals keys",
    "interleaved-tasks": "the attempts at a task do not follow each other",
    "null-reward": "a trial without rewards",
    "empty-rewards": "a trial whose rewards are `{}`",
    "several-keys": "more than one reward key",
    "unusual-key": "a key is not `reward`",
    "not-binary": "a reward other than 0 and 1",
    "float-binary": "a 0 or 1 that is a float",
}


_PLAIN_NAME = re.compile(r"[a-z0-9_-]{0,64}", re.ASCII)


def flags_of(case: PassAtKCase) -> frozenset[str]:
    """Return the flags that a case carries."""
    groups: dict[str, list[Trial]] = {}
    for trial in case.trials:
        groups.setdefault(evals_key(trial.agent, trial.model, trial.source), []).append(trial)
    flags = carried({"no-trials": not case.trials, "several-groups": len(groups) > 1, "many-groups": len(groups) > 8})
    return frozenset(
        flags.union(
            *map(_group_flags, groups.values()), *map(_name_flags, case.trials), *map(_reward_flags, case.trials)
        )
    )


def _name_flags(trial: Trial) -> set[str]:
    names = [name or "" for name in (trial.agent, trial.model, trial.source)]
    return carried(
        {
            "empty-agent": trial.agent == "",
            "no-model": trial.model is None,
            "empty-model": trial.model == "",
            "no-source": trial.source is None,
            "empty-source": trial.source == "",
            "double-underscore": any("__" in name for name in names),
            "unusual-name": not all(map(_PLAIN_NAME.fullmatch, names)),
        }
    )


def _group_flags(members: list[Trial]) -> set[str]:
    attempts = Counter(trial.task for trial in members)
    counts = attempts.values()
    runs = [trial.task for index, trial in enumerate(members) if not index or members[index - 1].task != trial.task]
    return carried(
        {
            "colliding-keys": len({(trial.agent, trial.model, trial.source) for trial in members}) > 1,
            "several-tasks": len(attempts) > 1,
            "uneven-attempts": len(set(counts)) > 1,
            "single-attempt": min(counts) == 1,
            "k-of-five": min(counts) >= 5,
            "many-attempts": min(counts) >= 15,
            "hundred-attempts": min(counts) >= 100,
            "many-tasks": len(attempts) >= 32,
            "interleaved-tasks": len(runs) > len(attempts),
        }
    )


def _reward_flags(trial: Trial) -> set[str]:
    if trial.rewards is None:
        return {"null-reward"}
    if len(trial.rewards) != 1:
        return {"several-keys" if trial.rewards else "empty-rewards"}
    ((key, value),) = trial.rewards.items()
    binary = value in (0, 1)
    return carried(
        {"unusual-key": key != "reward", "not-binary": not binary, "float-binary": binary and isinstance(value, float)}
    )
