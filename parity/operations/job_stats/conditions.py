"""Conditions on cases of `job_stats`, which its rules use."""

import math
from collections import Counter
from collections.abc import Callable, Iterator

from parity.operations import columns
from parity.operations.columns import Column
from parity.operations.rule import When
from parity.scorer.job import CANCELLED, Event, Job, JobTrial
from parity.scorer.job_stats import RunningStats, metrics_of_datasets
from parity.scorer.series import OFFICIAL
from parity.scorer.values import Number

# Conditions on the settings of the job.


def has_not_ended(job: Job) -> bool:
    return not job.finished


def is_resumed(job: Job) -> bool:
    return bool(job.earlier)


def has_no_metrics(job: Job) -> bool:
    return not job.metrics


def has_several_metrics(job: Job) -> bool:
    return len(job.metrics) > 1


def repeats_dataset(job: Job) -> bool:
    """Return whether two datasets have the same name, or one is named `adhoc`."""
    return len(set(job.datasets)) < len(job.datasets) or "adhoc" in job.datasets


def earlier_dataset_is_unknown(job: Job) -> bool:
    """Return whether a trial from an earlier run belongs to a dataset that is not configured."""
    return any(not _is_configured(trial, job) for trial in job.earlier)


def ends_with_unknown_dataset(job: Job) -> bool:
    """Return whether a trial that ends in this run belongs to a dataset that is not configured."""
    return any(event.trial is not None and not _is_configured(event.trial, job) for event in job.events)


def _is_configured(trial: JobTrial, job: Job) -> bool:
    return (trial.source or "adhoc") in ("adhoc", *job.datasets)


def has_non_finite_earlier_reward(job: Job) -> bool:
    return any(map(is_non_finite, (reward for trial in job.earlier for reward in (trial.rewards or {}).values())))


# Conditions on the events of the job's trials.


def _events(job: Job) -> Iterator[tuple[Event, set[str]]]:
    """Yield each event together with the names of the trials that ended before the event."""
    ended = {trial.name for trial in job.earlier}
    for event in job.events:
        yield event, ended
        if event.kind == "start":
            ended.discard(event.name)
        elif event.kind == "end":
            ended.add(event.name)


def starts_again(job: Job) -> bool:
    """Return whether a trial starts after it has ended."""
    return any(event.kind == "start" and event.name in ended for event, ended in _events(job))


def ends_again(job: Job) -> bool:
    """Return whether a trial ends a second time without starting again."""
    return any(event.kind == "end" and event.name in ended for event, ended in _events(job))


def starts_or_ends_again(job: Job) -> bool:
    return starts_again(job) or ends_again(job)


def has_running_trial(job: Job) -> bool:
    """Return whether a trial has started but not ended."""
    last = {event.name: event.kind for event in job.events if event.kind != "cancel"}
    return "start" in last.values()


def has_cancelled_trial(job: Job) -> bool:
    return any(event.kind == "cancel" for event in job.events) or has_trial(_is_cancelled)(job)


def _is_cancelled(trial: JobTrial) -> bool:
    return trial.exception == CANCELLED


def ends_in_another_order(job: Job) -> bool:
    """Return whether the order in which trials end differs from the order of their first events."""
    ends = [event.name for event in job.events if event.kind == "end"]
    by_last_end = list(dict.fromkeys(reversed(ends)))[::-1]
    return by_last_end != [name for name in dict.fromkeys(event.name for event in job.events) if name in ends]


def shows_int_beyond_double(job: Job) -> bool:
    """Return whether a metric can be computed but not displayed."""
    running = RunningStats(job, metrics_of_datasets(job.metrics, job.datasets), OFFICIAL)
    for event in job.events:
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


# Conditions on single trials.


def _trials(job: Job) -> list[JobTrial]:
    return [*job.earlier, *(event.trial for event in job.events if event.trial)]


def has_trial(holds: Callable[[JobTrial], bool]) -> When:
    """Build a condition that holds if the predicate holds for a trial from this run or from an earlier run."""
    return lambda job: any(map(holds, _trials(job)))


def has_no_source(trial: JobTrial) -> bool:
    return not trial.source


def has_separator_in_dataset(trial: JobTrial) -> bool:
    return "__" in (trial.source or "")


def has_escaped_name(trial: JobTrial) -> bool:
    """Return whether a name contains a quote, a backslash or a control character."""
    return any(character < " " or character in '"\\\x7f' for name in _names(trial) for character in name)


def has_non_ascii_name(trial: JobTrial) -> bool:
    return not all(map(str.isascii, _names(trial)))


def _names(trial: JobTrial) -> tuple[str, ...]:
    return trial.agent, trial.model or "", trial.source or "", trial.name, trial.exception or "", *(trial.rewards or ())


def has_lone_surrogate(trial: JobTrial) -> bool:
    """Return whether a reward key contains half of a surrogate pair."""
    return any("\ud800" <= character <= "\udfff" for key in trial.rewards or () for character in key)


def has_null_rewards(trial: JobTrial) -> bool:
    return trial.rewards is None


def has_no_rewards(trial: JobTrial) -> bool:
    """Return whether the rewards are null or `{}`."""
    return not trial.rewards


def has_error(trial: JobTrial) -> bool:
    return trial.exception is not None


def has_error_and_rewards(trial: JobTrial) -> bool:
    return trial.exception is not None and trial.rewards is not None


def has_several_runs(trial: JobTrial) -> bool:
    return len(trial.usage) > 1


# Conditions on single numbers.


def has_reward(holds: Callable[[Number], bool]) -> When:
    """Build a condition that holds if the predicate holds for a reward."""
    return has_trial(lambda trial: any(map(holds, (trial.rewards or {}).values())))


def has_number(holds: Callable[[Number], bool]) -> When:
    """Build a condition that holds if the predicate holds for a reward, a number of tokens or a cost."""
    return has_trial(lambda trial: any(map(holds, [*(trial.rewards or {}).values(), *_used(trial)])))


def _used(trial: JobTrial) -> Iterator[Number]:
    for usage in trial.usage:
        for number in (usage.input_tokens, usage.cache_tokens, usage.output_tokens, usage.cost):
            if number is not None:
                yield number


def is_non_finite(number: Number) -> bool:
    return isinstance(number, float) and not math.isfinite(number)


def has_non_finite_number(job: Job) -> bool:
    """Return whether a number is nan or infinite, or the sum of a group's rewards is infinite."""
    return has_number(is_non_finite)(job) or adds(columns.overflows)(job)


def has_exponent(number: Number) -> bool:
    """Return whether Python writes the number with an exponent."""
    return "e" in repr(number)


def is_spelled_differently_as_key(number: Number) -> bool:
    """Return whether the number is nan or infinite, or Python writes it with an exponent."""
    return is_non_finite(number) or has_exponent(number)


def is_inexact_int(number: Number) -> bool:
    """Return whether the number is an int that a double may not represent exactly."""
    return isinstance(number, int) and abs(number) > 2**53


def has_inexact_cost(job: Job) -> bool:
    """Return whether the result of adding the costs one by one has different bits than the result of `sum`."""
    costs = [usage.cost for trial in _trials(job) for usage in trial.usage if usage.cost is not None]
    return columns.differs_one_by_one([*costs])


# Conditions on groups. A group consists of the trials with the same evals key, each with its last result.


def _groups(job: Job) -> list[list[JobTrial]]:
    groups: dict[str, list[JobTrial]] = {}
    for trial in job.planned_results():
        groups.setdefault(trial.key, []).append(trial)
    return list(groups.values())


def has_several_groups(job: Job) -> bool:
    return len(_groups(job)) > 1


def has_unusual_evals_key(job: Job) -> bool:
    """Return whether a trial lacks a model or a dataset, or different names result in the same evals key."""
    is_shared = any(len({(each.agent, each.model, each.source) for each in group}) > 1 for group in _groups(job))
    return is_shared or any(not trial.model or not trial.source for trial in _trials(job))


def has_pass_at_k(job: Job) -> bool:
    return any(map(_has_pass_at_k, _groups(job)))


def _has_pass_at_k(group: list[JobTrial]) -> bool:
    """Return whether each task has at least two attempts, and each attempt has no rewards or one reward of 0 or 1."""
    rewards = [list(trial.rewards.values()) for trial in group if trial.rewards is not None]
    attempts = Counter(trial.task for trial in group)
    return all(len(each) == 1 and each[0] in (0, 1) for each in rewards) and min(attempts.values()) > 1


def _columns(job: Job) -> Iterator[tuple[str, list[JobTrial]]]:
    """Yield each reward key that occurs in a group, together with the group."""
    for group in _groups(job):
        for key in dict.fromkeys(key for trial in group for key in trial.rewards or ()):
            yield key, group


def _rewards(key: str, group: list[JobTrial]) -> Column:
    return [trial.rewards[key] for trial in group if trial.rewards and key in trial.rewards]


def adds(holds: Callable[[Column], bool]) -> When:
    """Build a condition that holds if the predicate holds for a group's rewards under one key, 0 for missing ones."""
    return lambda job: any(holds([(each.rewards or {}).get(key, 0) for each in group]) for key, group in _columns(job))


def has_rewards(holds: Callable[[Column], bool]) -> When:
    """Build a condition that holds if the predicate holds for a group's rewards under one key."""
    return lambda job: any(holds(_rewards(key, group)) for key, group in _columns(job))


def has_equal_rewards_of_two_spellings(rewards: Column) -> bool:
    """Return whether two equal rewards are written differently, such as 1 and 1.0."""
    numbers = [reward for reward in rewards if reward == reward]
    return len(set(numbers)) < len(set(map(repr, numbers)))


def is_unsorted(rewards: Column) -> bool:
    return rewards != sorted(rewards)


def repeats_nan(*, literal: bool) -> When:
    """Build a condition that holds if two trials in a group have a nan reward under the same key.

    `literal` selects whether only nans that are literals in reward.json are considered, or only other nans.
    """

    def condition(job: Job) -> bool:
        for key, group in _columns(job):
            nans = [trial for trial in group if columns.has_nan(_rewards(key, [trial]))]
            if sum((key in trial.literal_nans) is literal for trial in nans) > 1:
                return True
        return False

    return condition
