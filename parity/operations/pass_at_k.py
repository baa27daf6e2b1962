"""`pass_at_k`: the trials of a job to pass@k of each group."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, replace
from itertools import groupby
from typing import Any

from parity.compare import below_the_top
from parity.operations.aggregate import as_rewards
from parity.operations.operation import Operation
from parity.scorer.pass_at_k import Trial, evals_key
from parity.wire import Json, WireError, decode, encode, int_from_text


@dataclass(frozen=True)
class PassAtKCase:
    """The trials of a job, in the order in which they count."""

    trials: tuple[Trial, ...]


@contextmanager
def _arguments(case: PassAtKCase) -> Iterator[tuple[list[Trial]]]:
    yield ([replace(trial, rewards=None if trial.rewards is None else dict(trial.rewards)) for trial in case.trials],)


def _encode(case: PassAtKCase) -> Json:
    return {"trials": [encode(asdict(trial)) for trial in case.trials]}


def _decode(value: Any) -> PassAtKCase:
    match value:
        case {"trials": [*trials]}:
            return PassAtKCase(tuple(as_trial(trial) for trial in trials))
    raise WireError("a pass_at_k case takes a list of trials")


def as_trial(value: Any) -> Trial:
    """What pass@k reads of a trial, whatever else the object holds.

    Raises:
        WireError: something of it is missing or of another type.
    """
    match value:
        case {
            "agent": str(agent),
            "model": str() | None as model,
            "source": str() | None as source,
            "task": str(task),
            "rewards": rewards,
        }:
            return Trial(agent, model, source, task, as_rewards(decode(rewards)))
    raise WireError("a trial takes agent, model, source, task and rewards")


def _decode_value(value: Json) -> Any:
    decoded = decode(value)
    if not isinstance(decoded, dict):
        return decoded
    try:
        return {key: {int_from_text(k): each for k, each in group.items()} for key, group in decoded.items()}
    except (AttributeError, WireError):
        raise WireError("pass@k takes an object of groups, each an object from k, in decimal, to a number") from None


def _flags(case: PassAtKCase) -> frozenset[str]:
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


def _describe(case: PassAtKCase) -> str:
    """Runs of trials that differ in nothing but their rewards stand together."""
    runs = groupby(case.trials, key=lambda trial: (trial.agent, trial.model, trial.source, trial.task))
    told = [
        f"agent {agent!r}, model {model!r}, source {source!r}, task {task!r}: {[trial.rewards for trial in trials]!r}"
        for (agent, model, source, task), trials in runs
    ]
    return "; ".join(told) or "no trials"


PASS_AT_K = Operation(
    "pass_at_k",
    _arguments,
    _describe,
    _flags,
    _encode,
    _decode,
    decode_value=_decode_value,
    case_of=lambda trials: PassAtKCase(tuple(trials)),
    ordered=lambda case: below_the_top,
)
