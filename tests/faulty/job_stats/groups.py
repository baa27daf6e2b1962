"""Faults in the groups of a job's stats: keys, rewards, errors and usage."""

import re
from collections import Counter
from dataclasses import replace

from parity.runners import CleanRoom
from parity.scorer import Job, JobTrial
from parity.scorer.result_text import Members, value_text
from tests.faulty.fault import breaks
from tests.faulty.job_stats.fault import Stats, each_group, each_trial, in_stats, number


@breaks("job-stats/evals-key", seen_by="test_finished_jobs")
@each_trial
def NoneIsInTheKey(trial: JobTrial) -> JobTrial:
    """Names a group without a model after `None`."""
    return replace(trial, model=trial.model or "None")


@breaks("job-stats/literal-nan", seen_by="test_finished_jobs")
@each_trial
def LiteralNansAreApart(trial: JobTrial) -> JobTrial:
    """Lists each trial with the literal `NaN` under a key of its own."""
    return replace(trial, literal_nans=())


@breaks("job-stats/nan-keys", seen_by="test_finished_jobs")
@each_group
def NansShareAKey(group: Stats, job: Job) -> None:
    """Lists all trials with nan under one key."""
    for key, table in group["reward_stats"].items():
        if isinstance(table, Members):
            merged: dict[str, list[str]] = {}
            for value, names in table.pairs:
                merged.setdefault(value, []).extend(names)  # type: ignore[arg-type]
            group["reward_stats"][key] = merged


@breaks("job-stats/float-keys", seen_by="test_finished_jobs")
def KeysAreSpelledLikeValues(right: CleanRoom, job: Job) -> str:
    """Spells floats that are keys as if they were values."""

    def respelled(found: re.Match[str]) -> str:
        return f'"{value_text(float(found[1]))}": ['

    return re.sub(r'"(-?[\d.]+e-\d+)": \[', respelled, right.job_stats(job))


@breaks("job-stats/equal-rewards", seen_by="test_finished_jobs")
@in_stats
def EqualRewardsAreApart(stats: Stats, job: Job) -> None:
    """Keeps 1 and 1.0 apart."""
    spelled: dict[tuple[str, str], dict[str, list[str]]] = {}
    for trial in job.planned_results() if job.finished else ():
        for key, value in (trial.rewards or {}).items():
            table = spelled.setdefault((trial.key, key), {})
            table.setdefault(str(value), []).append(trial.name)
    for name, group in stats["evals"].items():
        for key, table in group["reward_stats"].items():
            if isinstance(table, dict) and (name, key) in spelled:
                group["reward_stats"][key] = spelled[name, key]


@breaks("job-stats/reward-order", seen_by="test_finished_jobs")
@each_group
def RewardsAreSorted(group: Stats, job: Job) -> None:
    """Lists rewards in ascending order."""
    for key, table in group["reward_stats"].items():
        if isinstance(table, dict):
            group["reward_stats"][key] = dict(sorted(table.items(), key=lambda entry: float(entry[0])))


@breaks("job-stats/reward-stats", seen_by="test_finished_jobs")
@each_group
def OneKeyIsListed(group: Stats, job: Job) -> None:
    """Lists only the first key of a trial's rewards."""
    group["reward_stats"] = dict(list(group["reward_stats"].items())[:1])


@breaks("job-stats/rewarded-trials", seen_by="test_finished_jobs")
@in_stats
def EveryTrialIsRewarded(stats: Stats, job: Job) -> None:
    """Counts trials without rewards among a group's n_trials."""
    counts = Counter(trial.key for trial in job.planned_results())
    for key, group in stats["evals"].items() if job.finished else ():
        group["n_trials"] = counts[key]


@breaks("job-stats/errors-and-rewards", seen_by="test_finished_jobs")
@each_trial
def ErrorsHaveNoRewards(trial: JobTrial) -> JobTrial:
    """Takes the rewards of a trial with an error for none."""
    return replace(trial, rewards=None) if trial.exception else trial


@breaks("job-stats/errors", seen_by="test_finished_jobs")
@each_group
def CancelledIsNoError(group: Stats, job: Job) -> None:
    """Does not count cancelled trials as errors."""
    names = group["exception_stats"].pop("CancelledError", [])
    group["n_errors"] = number(group["n_errors"]) - len(names)


@breaks("job-stats/several-runs", seen_by="test_finished_jobs")
@each_trial
def LastRunCounts(trial: JobTrial) -> JobTrial:
    """Takes what the last run of a trial's agent used for all that it used."""
    return replace(trial, usage=trial.usage[-1:])


@breaks("job-stats/cost", seen_by="test_finished_jobs")
@in_stats
def CostsAreCompensated(stats: Stats, job: Job) -> None:
    """Adds costs as `sum` does."""
    costs = [used.cost for trial in job.planned_results() for used in trial.usage if used.cost is not None]
    if job.finished:
        stats["cost_usd"] = sum(costs) if costs else None


@breaks("job-stats/usage", seen_by="test_finished_jobs")
def NothingUsedIsZero(right: CleanRoom, job: Job) -> str:
    """Writes 0 tokens where no trial reports any."""
    return right.job_stats(job).replace('_tokens": null', '_tokens": 0')


@breaks("job-stats/group-order", seen_by="test_finished_jobs")
@in_stats
def GroupsAreSorted(stats: Stats, job: Job) -> None:
    """Lists groups by name."""
    stats["evals"] = dict(sorted(stats["evals"].items()))


@breaks("job-stats/layout", seen_by="test_finished_jobs")
def TwoBlanks(right: CleanRoom, job: Job) -> str:
    """Indents by two blanks a level."""
    return right.job_stats(job).replace("    ", "  ")


@breaks("job-stats/stats", seen_by="test_finished_jobs")
@in_stats
def CompletedWithoutErrors(stats: Stats, job: Job) -> None:
    """Does not count trials with an error as completed."""
    stats["n_completed_trials"] = number(stats["n_completed_trials"]) - number(stats["n_errored_trials"])
