"""Faults in the groups of a job's stats: keys, rewards, errors and usage."""

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from parity.scorer import Job, JobTrial, evals_key
from parity.scorer.result_text import Members, value_text
from tests.faulty.job_stats.fault import StatsFault, groups, number


class NoneIsInTheKey(StatsFault):
    """Names a group without a model after `None`."""

    breaks = "job-stats/evals-key"

    def job_stats(self, job: Job) -> str:
        return self.with_trials(job, lambda trial: replace(trial, model=trial.model or "None"))


class LiteralNansAreApart(StatsFault):
    """Lists each trial with the literal `NaN` under a key of its own."""

    breaks = "job-stats/literal-nan"

    def job_stats(self, job: Job) -> str:
        return self.with_trials(job, lambda trial: replace(trial, literal_nans=()))


class NansShareAKey(StatsFault):
    """Lists all trials with nan under one key."""

    breaks = "job-stats/nan-keys"

    def job_stats(self, job: Job) -> str:
        def change(stats: dict[str, Any]) -> None:
            for group in groups(stats):
                for key, table in group["reward_stats"].items():
                    if isinstance(table, Members):
                        merged: dict[str, list[str]] = {}
                        for value, names in table.pairs:
                            merged.setdefault(value, []).extend(names)  # type: ignore[arg-type]
                        group["reward_stats"][key] = merged

        return self.reworked(job, change)


class KeysAreSpelledLikeValues(StatsFault):
    """Spells floats that are keys as if they were values."""

    breaks = "job-stats/float-keys"

    def job_stats(self, job: Job) -> str:
        def respelled(found: re.Match[str]) -> str:
            return f'"{value_text(float(found[1]))}": ['

        return re.sub(r'"(-?[\d.]+e-\d+)": \[', respelled, super().job_stats(job))


class EqualRewardsAreApart(StatsFault):
    """Keeps 1 and 1.0 apart."""

    breaks = "job-stats/equal-rewards"

    def job_stats(self, job: Job) -> str:
        spelled: dict[tuple[str, str], dict[str, list[str]]] = {}
        for trial in job.planned_results():
            for key, value in (trial.rewards or {}).items():
                table = spelled.setdefault((evals_key(trial.agent, trial.model, trial.source), key), {})
                table.setdefault(str(value), []).append(trial.name)

        def change(stats: dict[str, Any]) -> None:
            for name, group in stats["evals"].items():
                for key, table in group["reward_stats"].items():
                    if isinstance(table, dict) and (name, key) in spelled:
                        group["reward_stats"][key] = spelled[name, key]

        return self.reworked(job, change) if job.finished else super().job_stats(job)


class RewardsAreSorted(StatsFault):
    """Lists rewards in ascending order."""

    breaks = "job-stats/reward-order"

    def job_stats(self, job: Job) -> str:
        def change(stats: dict[str, Any]) -> None:
            for group in groups(stats):
                for key, table in group["reward_stats"].items():
                    if isinstance(table, dict):
                        group["reward_stats"][key] = dict(sorted(table.items(), key=lambda entry: float(entry[0])))

        return self.reworked(job, change)


class OneKeyIsListed(StatsFault):
    """Lists only the first key of a trial's rewards."""

    breaks = "job-stats/reward-stats"

    def job_stats(self, job: Job) -> str:
        def change(stats: dict[str, Any]) -> None:
            for group in groups(stats):
                group["reward_stats"] = dict(list(group["reward_stats"].items())[:1])

        return self.reworked(job, change)


class EveryTrialIsRewarded(StatsFault):
    """Counts trials without rewards among a group's n_trials."""

    breaks = "job-stats/rewarded-trials"

    def job_stats(self, job: Job) -> str:
        counts: dict[str, int] = {}
        for trial in job.planned_results():
            counts[trial.key] = counts.get(trial.key, 0) + 1

        def change(stats: dict[str, Any]) -> None:
            for key, group in stats["evals"].items():
                group["n_trials"] = counts.get(key, 0)

        return self.reworked(job, change) if job.finished else super().job_stats(job)


class ErrorsHaveNoRewards(StatsFault):
    """Takes the rewards of a trial with an error for none."""

    breaks = "job-stats/errors-and-rewards"

    def job_stats(self, job: Job) -> str:
        return self.with_trials(job, lambda trial: replace(trial, rewards=None) if trial.exception else trial)


class CancelledIsNoError(StatsFault):
    """Does not count cancelled trials as errors."""

    breaks = "job-stats/errors"

    def job_stats(self, job: Job) -> str:
        def change(stats: dict[str, Any]) -> None:
            for group in groups(stats):
                names = group["exception_stats"].pop("CancelledError", [])
                group["n_errors"] = number(group["n_errors"]) - len(names)

        return self.reworked(job, change)


class LastRunCounts(StatsFault):
    """Takes what the last run of a trial's agent used for all that it used."""

    breaks = "job-stats/several-runs"

    def job_stats(self, job: Job) -> str:
        return self.with_trials(job, lambda trial: replace(trial, usage=trial.usage[-1:]))


class CostsAreCompensated(StatsFault):
    """Adds costs as `sum` does."""

    breaks = "job-stats/cost"

    def job_stats(self, job: Job) -> str:
        costs = _costs(job.planned_results())

        def change(stats: dict[str, Any]) -> None:
            stats["cost_usd"] = sum(costs) if costs else None

        return self.reworked(job, change) if job.finished else super().job_stats(job)


def _costs(trials: Sequence[JobTrial]) -> list[float]:
    return [used.cost for trial in trials for used in trial.usage if used.cost is not None]


class NothingUsedIsZero(StatsFault):
    """Writes 0 tokens where no trial reports any."""

    breaks = "job-stats/usage"

    def job_stats(self, job: Job) -> str:
        return super().job_stats(job).replace('_tokens": null', '_tokens": 0')


class GroupsAreSorted(StatsFault):
    """Lists groups by name."""

    breaks = "job-stats/group-order"

    def job_stats(self, job: Job) -> str:
        def change(stats: dict[str, Any]) -> None:
            stats["evals"] = dict(sorted(stats["evals"].items()))

        return self.reworked(job, change)


class TwoBlanks(StatsFault):
    """Indents by two blanks a level."""

    breaks = "job-stats/layout"

    def job_stats(self, job: Job) -> str:
        return super().job_stats(job).replace("    ", "  ")


class CompletedWithoutErrors(StatsFault):
    """Does not count trials with an error as completed."""

    breaks = "job-stats/stats"

    def job_stats(self, job: Job) -> str:
        def change(stats: dict[str, Any]) -> None:
            done = number(stats["n_completed_trials"]) - number(stats["n_errored_trials"])
            stats["n_completed_trials"] = done

        return self.reworked(job, change)
