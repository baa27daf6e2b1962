"""Faults in the stats of a job that show only where it is large: they are right for few trials, groups and keys."""

from dataclasses import replace
from typing import Any
from unittest import mock

from parity.scorer import Job, JobTrial, Number, Series, metrics
from tests.faulty.job_stats.fault import StatsFault, groups


class LargeJobFault(StatsFault):
    """A runner that gets the stats of a large job wrong."""

    seen_by = "test_large_jobs"


class TwelveNamesAreListed(LargeJobFault):
    """Lists no more than twelve trials under a reward."""

    breaks = "job-stats/reward-stats"

    def job_stats(self, job: Job) -> str:
        def change(stats: dict[str, Any]) -> None:
            for group in groups(stats):
                for table in group["reward_stats"].values():
                    if isinstance(table, dict):
                        table.update({value: names[:12] for value, names in table.items()})

        return self.reworked(job, change)


class EightGroups(LargeJobFault):
    """Has no more than eight groups."""

    breaks = "job-stats/stats"

    def job_stats(self, job: Job) -> str:
        def change(stats: dict[str, Any]) -> None:
            stats["evals"] = dict(list(stats["evals"].items())[:8])

        return self.reworked(job, change)


class SixteenKeys(LargeJobFault):
    """Lists the rewards of no more than sixteen keys."""

    breaks = "job-stats/reward-stats"

    def job_stats(self, job: Job) -> str:
        def change(stats: dict[str, Any]) -> None:
            for group in groups(stats):
                group["reward_stats"] = dict(list(group["reward_stats"].items())[:16])

        return self.reworked(job, change)


class LongKeysAreCut(LargeJobFault):
    """Cuts reward keys to 64 characters."""

    breaks = "job-stats/reward-stats"

    def job_stats(self, job: Job) -> str:
        def cut(trial: JobTrial) -> JobTrial:
            return replace(trial, rewards=trial.rewards and {key[:64]: value for key, value in trial.rewards.items()})

        return self.with_trials(job, cut)


class HalvesAreAdded(LargeJobFault):
    """Adds the rewards of more than 32 trials as the sums of their halves."""

    breaks = "job-stats/summation"

    def job_stats(self, job: Job) -> str:
        def added(values: list[Number], series: Series) -> Number:
            half = len(values) // 2
            return added(values[:half], series) + added(values[half:], series) if half else values[0]

        def total(values: list[Number], series: Series) -> Number:
            return added(values, series) if len(values) > 32 else exact(values, series)

        def mean(values: list[Number], series: Series) -> Number:
            return total(values, series) / len(values)

        exact = metrics.METRICS["sum"]
        with mock.patch.dict(metrics.METRICS, {"sum": total, "mean": mean}):
            return super().job_stats(job)


class NoKAboveSixteen(LargeJobFault):
    """Has no pass@k for more than sixteen attempts."""

    breaks = "job-stats/pass-at-k"

    def job_stats(self, job: Job) -> str:
        def change(stats: dict[str, Any]) -> None:
            for group in groups(stats):
                group["pass_at_k"] = {k: value for k, value in group["pass_at_k"].items() if int(k) <= 16}

        return self.reworked(job, change)
