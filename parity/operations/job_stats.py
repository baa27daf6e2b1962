"""`job_stats`: what happened to the trials of a job to the `stats` of its result.json, as text."""

import json
import math
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, replace
from typing import Any

from parity.compare import Difference, compare
from parity.operations.aggregate import as_rewards, sum_flags
from parity.operations.operation import Operation
from parity.scorer.job import CANCELLED, Event, Job, JobTrial, Usage
from parity.scorer.pass_at_k import Trial
from parity.scorer.values import Number, Rewards
from parity.wire import Json, WireError, decode, encode


@contextmanager
def _arguments(case: Job) -> Iterator[tuple[Job]]:
    events = (replace(each, trial=_copied(each.trial) if each.trial else None) for each in case.events)
    yield (replace(case, events=tuple(events), earlier=tuple(map(_copied, case.earlier))),)


def _copied(trial: JobTrial) -> JobTrial:
    return replace(trial, rewards=None if trial.rewards is None else dict(trial.rewards))


def _encode(case: Job) -> Json:
    return encode(asdict(case))


def _decode(value: Any) -> Job:
    match value:
        case {
            "total": total,
            "events": [*events],
            "metrics": [*metrics],
            "datasets": [*datasets],
            "earlier": [*earlier],
            "retries": retries,
            "finished": bool(finished),
        } if all(isinstance(name, str) for name in (*metrics, *datasets)):
            return Job(
                _count(total),
                tuple(map(_event, events)),
                tuple(metrics),
                tuple(datasets),
                tuple(map(_trial, earlier)),
                _count(retries),
                finished,
            )
    raise WireError("a job_stats case takes total, events, metrics, datasets, earlier, retries and finished")


def _event(value: Any) -> Event:
    match value:
        case {"kind": "start" | "cancel" as kind, "name": str(name), "trial": None}:
            return Event(kind, name)
        case {"kind": "end", "name": str(name), "trial": {"name": same} as trial} if name == same:
            return Event("end", name, _trial(trial))
    raise WireError("an event takes kind, name and, if it is an end, a trial of that name")


def _trial(value: Any) -> JobTrial:
    match value:
        case {
            "agent": str(agent),
            "model": str() | None as model,
            "source": str() | None as source,
            "task": str(task),
            "rewards": rewards,
            "name": str(name),
            "exception": str() | None as exception,
            "usage": [*usage],
        }:
            used = tuple(map(_usage, usage))
            return JobTrial(agent, model, source, task, as_rewards(decode(rewards)), name, exception, used)
    raise WireError("a trial takes agent, model, source, task, rewards, name, exception and usage")


def _usage(value: Any) -> Usage:
    match value:
        case {"input_tokens": given, "cache_tokens": cached, "output_tokens": made, "cost": cost}:
            paid = decode(cost)
            if paid is None or type(paid) is float:
                return Usage(_tokens(given), _tokens(cached), _tokens(made), paid)
    raise WireError("usage takes input_tokens, cache_tokens, output_tokens and a float cost, or null for each")


def _tokens(value: Json) -> int | None:
    return None if value is None else _count(value)


def _count(value: Json) -> int:
    decoded = decode(value)
    if type(decoded) is not int:
        raise WireError("a count takes an int")
    return decoded


class Spelling(str):
    """A number as it is written."""


def _locate(expected: str, actual: str) -> Difference | None:
    """Where two documents part in what they say, the spelling of numbers included; None where only layout differs."""
    try:
        return compare(_look(expected), _look(actual))
    except (ValueError, RecursionError):
        return None


def _look(text: str) -> Any:
    return json.loads(
        text, parse_int=Spelling, parse_float=Spelling, parse_constant=Spelling, object_pairs_hook=_members
    )


def _members(pairs: list[tuple[str, Any]]) -> Any:
    """An object; one with repeated keys as the list of its members."""
    members = dict(pairs)
    return members if len(members) == len(pairs) else [{key: value} for key, value in pairs]


def _flags(case: Job) -> frozenset[str]:
    trials = [*case.earlier, *(event.trial for event in case.events if event.trial)]
    flags = _job_flags(case) | _event_flags(case) | _name_flags(case, trials)
    for trial in trials:
        flags |= _trial_flags(trial)
    costs = [used.cost for trial in trials for used in trial.usage if used.cost is not None]
    if "inexact-sum" in sum_flags([*costs]):
        flags.add("inexact-cost")
    by_group: dict[str, list[JobTrial]] = {}
    for trial in case.planned_results():
        by_group.setdefault(trial.key, []).append(trial)
    if len(by_group) > 1:
        flags.add("several-groups")
    for group in by_group.values():
        flags |= _group_flags(group)
    return frozenset(flags)


def _job_flags(case: Job) -> set[str]:
    flags = {"finished" if case.finished else "interim"}
    if not case.metrics:
        flags.add("no-metrics")
    if len(case.metrics) > 1:
        flags.add("several-metrics")
    if len(set(case.datasets)) < len(case.datasets) or "adhoc" in case.datasets:
        flags.add("repeated-dataset")
    if case.earlier:
        flags.add("resumed")
    if any(_non_finite(trial.rewards) for trial in case.earlier):
        flags.add("non-finite-earlier")
    if len(case.planned_results()) > case.total:
        flags.add("more-than-planned")
    return flags


def _event_flags(case: Job) -> set[str]:
    flags = set()
    ended = {trial.name for trial in case.earlier}
    running: set[str] = set()
    order: list[str] = []
    for event in case.events:
        if event.kind == "start":
            running.add(event.name)
            if event.name in ended:
                flags.add("retried")
            ended.discard(event.name)
        elif event.kind == "cancel":
            flags.add("cancel-event")
        else:
            flags |= {"replaced"} if event.name in ended else set()
            running.discard(event.name)
            ended.add(event.name)
            order.append(event.name)
    if running:
        flags.add("running")
    last = list(dict.fromkeys(reversed(order)))[::-1]
    if last != [name for name in dict.fromkeys(event.name for event in case.events) if name in last]:
        flags.add("out-of-order")
    return flags


def _name_flags(case: Job, trials: Iterable[JobTrial]) -> set[str]:
    flags = set()
    for trial in trials:
        if not trial.model:
            flags.add("no-model")
        if not trial.source:
            flags.add("no-source")
        elif trial.source not in case.datasets and trial.source != "adhoc":
            flags.add("unknown-dataset")
        if "__" in (trial.source or ""):
            flags.add("separator-in-dataset")
        names = (trial.agent, trial.model or "", trial.name, trial.exception or "", *(trial.rewards or {}))
        if any(character < " " or character in '"\\\x7f' for name in names for character in name):
            flags.add("escaped-name")
        if not all(name.isascii() for name in names):
            flags.add("non-ascii-name")
        if any("\ud800" <= character <= "\udfff" for key in trial.rewards or () for character in key):
            flags.add("lone-surrogate")
    return flags


def _trial_flags(trial: JobTrial) -> set[str]:
    flags = set()
    if trial.rewards is None:
        flags.add("null-reward")
    elif not trial.rewards:
        flags.add("empty-rewards")
    if trial.exception is not None:
        flags.add("error-with-reward" if trial.rewards is not None else "error")
    if trial.exception == CANCELLED:
        flags.add("cancelled")
    if trial.usage:
        flags.add("usage")
    if len(trial.usage) > 1:
        flags.add("several-runs")
    if any(used.cost is not None and not math.isfinite(used.cost) for used in trial.usage):
        flags.add("non-finite-cost")
    for number in (*(trial.rewards or {}).values(), *(used.cost or 0.0 for used in trial.usage)):
        flags |= _spelling_flags(number)
    return flags


def _spelling_flags(number: Number) -> set[str]:
    if isinstance(number, int):
        return {"int-beyond-2**53"} if abs(number) > 2**53 else set()
    if not math.isfinite(number):
        return {"non-finite-key"}
    return {"exponent"} if "e" in repr(number) else set()


def _group_flags(trials: list[JobTrial]) -> set[str]:
    flags = set()
    keys = list(dict.fromkeys(key for trial in trials for key in trial.rewards or {}))
    if len({(trial.agent, trial.model, trial.source) for trial in trials}) > 1:
        flags.add("colliding-keys")
    if len(keys) > 1:
        flags.add("several-keys")
    for key in keys:
        values = [trial.rewards[key] for trial in trials if trial.rewards and key in trial.rewards]
        if any(a == b and repr(a) != repr(b) for a in values for b in values):
            flags.add("equal-across-types")
        if sum(value != value for value in values) > 1:
            flags.add("repeated-nan")
        column = [(trial.rewards or {}).get(key, 0) for trial in trials]
        flags |= sum_flags(column) & {"inexact-sum", "mixed-int-float", "int-beyond-double"}
        if values != sorted(values):
            flags.add("unsorted-rewards")
    if _is_binary(trials):
        flags.add("pass-at-k")
    return flags


def _is_binary(trials: Iterable[Trial]) -> bool:
    attempts: dict[str, int] = {}
    for trial in trials:
        if trial.rewards is not None and (len(trial.rewards) != 1 or next(iter(trial.rewards.values())) not in (0, 1)):
            return False
        attempts[trial.task] = attempts.get(trial.task, 0) + 1
    return min(attempts.values()) > 1


def _non_finite(rewards: Rewards | None) -> bool:
    return any(isinstance(number, float) and not math.isfinite(number) for number in (rewards or {}).values())


def _describe(case: Job) -> str:
    told = [f"{case.total} trials planned, metrics {list(case.metrics)}, datasets {list(case.datasets)}"]
    if case.retries:
        told.append(f"{case.retries} retries so far")
    told += [f"earlier {_describe_trial(trial)}" for trial in case.earlier]
    told += [
        f"{event.kind} of {_describe_trial(event.trial) if event.trial else repr(event.name)}" for event in case.events
    ]
    return "; ".join([*told, "the job ends" if case.finished else "so far"])


def _describe_trial(trial: JobTrial) -> str:
    told = f"{trial.name!r} ({trial.agent!r}, {trial.model!r}, {trial.source!r}, {trial.task!r}): {trial.rewards!r}"
    if trial.exception is not None:
        told += f" and {trial.exception}"
    return told + "".join(f", {tuple(asdict(used).values())!r}" for used in trial.usage)


JOB_STATS = Operation("job_stats", _arguments, _describe, _flags, _encode, _decode, locate=_locate)
