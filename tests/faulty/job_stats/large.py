"""Faults in the stats of a job that show only where it is large: they are right for few trials, groups and keys."""

from dataclasses import replace
from unittest import mock

from parity.runners import CleanRoom
from parity.scorer import Job, JobTrial, Number, Series, metrics
from tests.faulty.fault import breaks
from tests.faulty.job_stats.fault import Stats, each_group, each_trial, in_stats


@breaks("job-stats/reward-stats", seen_by="test_large_jobs")
@each_group
def TwelveNamesAreListed(group: Stats, job: Job) -> None:
    """Lists no more than twelve trials under a reward."""
    for table in group["reward_stats"].values():
        if isinstance(table, dict):
            table.update({value: names[:12] for value, names in table.items()})


@breaks("job-stats/stats", seen_by="test_large_jobs")
@in_stats
def EightGroups(stats: Stats, job: Job) -> None:
    """Has no more than eight groups."""
    stats["evals"] = dict(list(stats["evals"].items())[:8])


@breaks("job-stats/reward-stats", seen_by="test_large_jobs")
@each_group
def SixteenKeys(group: Stats, job: Job) -> None:
    """Lists the rewards of no more than sixteen keys."""
    group["reward_stats"] = dict(list(group["reward_stats"].items())[:16])


@breaks("job-stats/reward-stats", seen_by="test_large_jobs")
@each_trial
def LongKeysAreCut(trial: JobTrial) -> JobTrial:
    """Cuts reward keys to 64 characters."""
    return replace(trial, rewards=trial.rewards and {key[:64]: value for key, value in trial.rewards.items()})


@breaks("job-stats/summation", seen_by="test_large_jobs")
def HalvesAreAdded(right: CleanRoom, job: Job) -> str:
    """Adds the rewards of more than 32 trials as the sums of their halves."""

    def added(values: list[Number], series: Series) -> Number:
        half = len(values) // 2
        return added(values[:half], series) + added(values[half:], series) if half else values[0]

    def total(values: list[Number], series: Series) -> Number:
        return added(values, series) if len(values) > 32 else exact(values, series)

    def mean(values: list[Number], series: Series) -> Number:
        return total(values, series) / len(values)

    exact = metrics.METRICS["sum"]
    with mock.patch.dict(metrics.METRICS, {"sum": total, "mean": mean}):
        return right.job_stats(job)


@breaks("job-stats/pass-at-k", seen_by="test_large_jobs")
@each_group
def NoKAboveSixteen(group: Stats, job: Job) -> None:
    """Has no pass@k for more than sixteen attempts."""
    group["pass_at_k"] = {k: value for k, value in group["pass_at_k"].items() if int(k) <= 16}
