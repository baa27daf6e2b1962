"""Flags of `job_stats`, from the job's settings, events, names, numbers and groups."""

import math
from collections.abc import Iterable

from parity.operations.rule import carried
from parity.operations.sum_flags import sum_flags
from parity.scorer.job import CANCELLED, Job, JobTrial
from parity.scorer.job_stats import RunningStats, metrics_of_datasets
from parity.scorer.pass_at_k import Trial
from parity.scorer.series import OFFICIAL
from parity.scorer.values import Number, Rewards

FLAGS = {
    "finished": "the job has ended",
    "interim": "the job has not ended",
    "resumed": "an earlier run left trials",
    "non-finite-earlier": "an earlier run left a trial whose reward is nan or infinite",
    "retried": "a trial that has ended starts again",
    "replaced": "a trial that has ended ends again, without a start",
    "running": "a trial has started and not ended",
    "cancel-event": "a trial is being cancelled",
    "out-of-order": "trials end in another order than planned",
    "more-than-planned": "more trials have ended than were planned",
    "no-metrics": "no metric is configured",
    "several-metrics": "more than one metric is configured",
    "repeated-dataset": "two datasets share a name, or one is called `adhoc`",
    "no-model": "a trial has no model, or the empty string as its model",
    "no-source": "a trial has no dataset, or the empty string as its dataset",
    "unknown-dataset": "the dataset of a trial is not configured",
    "unknown-dataset-ends": "a trial ends in this run, and its dataset is not configured",
    "separator-in-dataset": "a dataset's name holds `__`, the separator of evals keys",
    "colliding-keys": "different agents, models or datasets give the same evals key",
    "several-groups": "trials of more than one evals key",
    "escaped-name": "a name holds a quote, a backslash or a control character",
    "non-ascii-name": "a name holds characters beyond ASCII",
    "lone-surrogate": "a reward key holds half of a surrogate pair",
    "null-reward": "a trial without rewards",
    "empty-rewards": "a trial whose rewards are `{}`",
    "several-keys": "more than one reward key in a group",
    "error": "a trial with an error and without rewards",
    "error-with-reward": "a trial with an error and with rewards",
    "cancelled": "a trial whose error is CancelledError",
    "usage": "a trial that reports tokens or costs",
    "several-runs": "a trial whose agent ran several times",
    "inexact-cost": "adding the costs one by one gives other bits than `sum`",
    "non-finite-cost": "a cost is nan or infinite",
    "exponent": "a number that Python writes with an exponent",
    "non-finite-key": "a reward is nan or infinite, so it is written as a key",
    "repeated-nan": "two trials got nan under one key, but not as the literal `NaN` of reward.json",
    "literal-nan": "two trials got the literal `NaN` of reward.json under one key",
    "equal-across-types": "two trials got equal rewards that are written differently",
    "unsorted-rewards": "the rewards under one key do not come in ascending order",
    "int-beyond-2**53": "an int that a double cannot hold exactly",
    "int-beyond-double": "an int larger than the largest double",
    "shown-int": "the first number of a group's first metric is an int beyond a double, and ends the job",
    "long-key": "a reward key of more than 64 characters",
    "many-keys": "more than 16 reward keys in a group",
    "many-groups": "trials of more than eight evals keys",
    "many-trials": "more than 32 trials in a group",
    "inexact-sum": "adding the floats one by one gives other bits than `sum`",
    "mixed-int-float": "ints and floats in one sum",
    "pass-at-k": "a group that has pass@k",
}


def job_flags(case: Job) -> frozenset[str]:
    """Return the flags that a case carries."""
    trials = [*case.earlier, *(event.trial for event in case.events if event.trial)]
    flags = _settings_flags(case) | _event_flags(case)
    for trial in trials:
        flags |= _name_flags(case, trial) | _trial_flags(trial)
    costs = [used.cost for trial in trials for used in trial.usage if used.cost is not None]
    by_group: dict[str, list[JobTrial]] = {}
    for trial in case.planned_results():
        by_group.setdefault(trial.key, []).append(trial)
    for group in by_group.values():
        flags |= _group_flags(group)
    flags |= carried(
        {
            "inexact-cost": "inexact-sum" in sum_flags([*costs]),
            "several-groups": len(by_group) > 1,
            "many-groups": len(by_group) > 8,
            "shown-int": "int-beyond-double" in flags and _shows_overflow(case),
        }
    )
    return frozenset(flags)


def _settings_flags(case: Job) -> set[str]:
    return carried(
        {
            "finished": case.finished,
            "interim": not case.finished,
            "no-metrics": not case.metrics,
            "several-metrics": len(case.metrics) > 1,
            "repeated-dataset": len(set(case.datasets)) < len(case.datasets) or "adhoc" in case.datasets,
            "resumed": case.earlier,
            "non-finite-earlier": any(_non_finite(trial.rewards) for trial in case.earlier),
            "unknown-dataset-ends": any(each.trial and not _is_configured(each.trial, case) for each in case.events),
            "more-than-planned": len(case.planned_results()) > case.total,
        }
    )


def _is_configured(trial: JobTrial, case: Job) -> bool:
    return (trial.source or "adhoc") in ("adhoc", *case.datasets)


def _shows_overflow(case: Job) -> bool:
    """Return whether the job ends because a metric can be computed, but not displayed."""
    running = RunningStats(case, metrics_of_datasets(case.metrics, case.datasets), OFFICIAL)
    for event in case.events:
        try:
            running.apply(event)
        except OverflowError:
            return False
        try:
            running.show(event)
        except OverflowError:
            return True
        except IndexError:
            return False
    return False


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


def _name_flags(case: Job, trial: JobTrial) -> set[str]:
    keys = trial.rewards or {}
    names = (trial.agent, trial.model or "", trial.name, trial.exception or "", *keys)
    return carried(
        {
            "no-model": not trial.model,
            "no-source": not trial.source,
            "unknown-dataset": not _is_configured(trial, case),
            "separator-in-dataset": "__" in (trial.source or ""),
            "escaped-name": any(each < " " or each in '"\\\x7f' for name in names for each in name),
            "non-ascii-name": not all(name.isascii() for name in names),
            "long-key": any(len(key) > 64 for key in keys),
            "lone-surrogate": any("\ud800" <= character <= "\udfff" for key in keys for character in key),
        }
    )


def _trial_flags(trial: JobTrial) -> set[str]:
    rewarded, failed = trial.rewards is not None, trial.exception is not None
    flags = carried(
        {
            "null-reward": not rewarded,
            "empty-rewards": trial.rewards == {},
            "error-with-reward": failed and rewarded,
            "error": failed and not rewarded,
            "cancelled": trial.exception == CANCELLED,
            "usage": trial.usage,
            "several-runs": len(trial.usage) > 1,
            "non-finite-cost": any(used.cost is not None and not math.isfinite(used.cost) for used in trial.usage),
        }
    )
    numbers = (*(trial.rewards or {}).values(), *(used.cost or 0.0 for used in trial.usage))
    return flags.union(*map(_spelling_flags, numbers))


def _spelling_flags(number: Number) -> set[str]:
    if isinstance(number, int):
        return {"int-beyond-2**53"} if abs(number) > 2**53 else set()
    if not math.isfinite(number):
        return {"non-finite-key"}
    return {"exponent"} if "e" in repr(number) else set()


def _group_flags(trials: list[JobTrial]) -> set[str]:
    keys = list(dict.fromkeys(key for trial in trials for key in trial.rewards or {}))
    flags = carried(
        {
            "colliding-keys": len({(trial.agent, trial.model, trial.source) for trial in trials}) > 1,
            "several-keys": len(keys) > 1,
            "many-keys": len(keys) > 16,
            "many-trials": len(trials) > 32,
            "pass-at-k": _is_binary(trials),
        }
    )
    for key in keys:
        values = [trial.rewards[key] for trial in trials if trial.rewards and key in trial.rewards]
        spellings: dict[Number, set[str]] = {}
        for value in values:
            spellings.setdefault(value, set()).add(repr(value))
        nans = [key in trial.literal_nans for trial in trials if _is_nan((trial.rewards or {}).get(key))]
        column = [(trial.rewards or {}).get(key, 0) for trial in trials]
        flags |= sum_flags(column) & {"inexact-sum", "mixed-int-float", "int-beyond-double"}
        flags |= carried(
            {
                "equal-across-types": any(len(spelled) > 1 for spelled in spellings.values()),
                "literal-nan": nans.count(True) > 1,
                "repeated-nan": nans.count(False) > 1,
                "unsorted-rewards": values != sorted(values),
            }
        )
    return flags


def _is_nan(value: Number | None) -> bool:
    return value != value


def _is_binary(trials: Iterable[Trial]) -> bool:
    attempts: dict[str, int] = {}
    for trial in trials:
        if trial.rewards is not None and (len(trial.rewards) != 1 or next(iter(trial.rewards.values())) not in (0, 1)):
            return False
        attempts[trial.task] = attempts.get(trial.task, 0) + 1
    return min(attempts.values()) > 1


def _non_finite(rewards: Rewards | None) -> bool:
    return any(isinstance(number, float) and not math.isfinite(number) for number in (rewards or {}).values())
