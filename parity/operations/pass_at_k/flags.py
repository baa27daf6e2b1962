"""Flags of `pass_at_k`: why a case is hard."""

from parity.operations.pass_at_k.case import PassAtKCase
from parity.scorer.pass_at_k import Trial, evals_key

FLAGS = {
    "no-trials": "no trials at all",
    "several-groups": "trials of more than one evals key",
    "no-model": "a trial without a model",
    "empty-model": "a trial whose model is the empty string",
    "no-source": "a trial without a dataset",
    "empty-source": "a trial whose dataset is the empty string",
    "double-underscore": "a name holds the separator of evals keys",
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


def flags_of(case: PassAtKCase) -> frozenset[str]:
    """Which of these a case carries."""
    groups: dict[str, list[Trial]] = {}
    for trial in case.trials:
        groups.setdefault(evals_key(trial.agent, trial.model, trial.source), []).append(trial)
    flags = set() if case.trials else {"no-trials"}
    if len(groups) > 1:
        flags.add("several-groups")
    if len(groups) > 8:
        flags.add("many-groups")
    for members in groups.values():
        flags |= _group_flags(members)
    for trial in case.trials:
        flags |= _name_flags(trial)
    return frozenset(flags)


def _name_flags(trial: Trial) -> set[str]:
    flags = set()
    if not trial.model:
        flags.add("no-model" if trial.model is None else "empty-model")
    if not trial.source:
        flags.add("no-source" if trial.source is None else "empty-source")
    if any("__" in (name or "") for name in (trial.agent, trial.model, trial.source)):
        flags.add("double-underscore")
    return flags


def _group_flags(members: list[Trial]) -> set[str]:
    flags: set[str] = set()
    if len({(trial.agent, trial.model, trial.source) for trial in members}) > 1:
        flags.add("colliding-keys")
    attempts: dict[str, int] = {}
    for trial in members:
        attempts[trial.task] = attempts.get(trial.task, 0) + 1
        flags |= _reward_flags(trial)
    counts = set(attempts.values())
    if len(attempts) > 1:
        flags.add("several-tasks")
    if len(counts) > 1:
        flags.add("uneven-attempts")
    if min(counts) == 1:
        flags.add("single-attempt")
    if min(counts) >= 5:
        flags.add("k-of-five")
    if min(counts) >= 15:
        flags.add("many-attempts")
    if min(counts) >= 100:
        flags.add("hundred-attempts")
    if len(attempts) >= 32:
        flags.add("many-tasks")
    runs = [trial.task for index, trial in enumerate(members) if not index or members[index - 1].task != trial.task]
    if len(runs) > len(attempts):
        flags.add("interleaved-tasks")
    return flags


def _reward_flags(trial: Trial) -> set[str]:
    if trial.rewards is None:
        return {"null-reward"}
    if not trial.rewards:
        return {"empty-rewards"}
    if len(trial.rewards) > 1:
        return {"several-keys"}
    ((key, value),) = trial.rewards.items()
    flags = set() if key == "reward" else {"unusual-key"}
    if value not in (0, 1):
        flags.add("not-binary")
    elif isinstance(value, float):
        flags.add("float-binary")
    return flags
