"""Faults in the stats of a job."""

import json
import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from parity.scorer import Event, Job, JobTrial, Number, evals_key
from parity.scorer.result_text import Members, text_of, value_text
from tests.faulty.fault import Fault

type Groups = dict[str, dict[str, Any]]


class _JobFault(Fault):
    seen_by = "test_finished_jobs"

    def reworked(self, job: Job, change: Callable[[dict[str, Any]], None]) -> str:
        """The stats with something changed in what they say."""
        stats = json.loads(
            super().job_stats(job), parse_int=_Raw, parse_float=_Raw, parse_constant=_Raw, object_pairs_hook=_members
        )
        change(stats)
        return _RAW.sub(r"\1", text_of(stats, depth=1))

    def with_trials(self, job: Job, change: Callable[[JobTrial], JobTrial]) -> str:
        """The stats with every trial changed beforehand."""
        events = (replace(each, trial=change(each.trial) if each.trial else None) for each in job.events)
        return super().job_stats(replace(job, events=tuple(events), earlier=tuple(map(change, job.earlier))))


class _Raw(str):
    """A number as it is spelled, marked so that it can be told from a string once it is written again."""

    def __new__(cls, text: str) -> "_Raw":
        return super().__new__(cls, f"\ue000{text}\ue001")


_RAW = re.compile('"\ue000(.*?)\ue001"')


def _members(pairs: list[tuple[str, Any]]) -> Any:
    members = dict(pairs)
    return members if len(members) == len(pairs) else Members(pairs)


def _groups(stats: dict[str, Any]) -> list[dict[str, Any]]:
    return list(stats["evals"].values())


def _number(spelled: str) -> int:
    return int(spelled.strip("\ue000\ue001"))


class SurrogatesAreEscaped(_JobFault):
    """Writes half of a surrogate pair as an escape."""

    breaks = "result-text/surrogates"

    def job_stats(self, job: Job) -> str:
        return super().job_stats(job).replace("\ufffd" * 3, "\\ud800")


class DelIsEscaped(_JobFault):
    """Escapes DEL and slashes too."""

    breaks = "result-text/escapes"

    def job_stats(self, job: Job) -> str:
        return super().job_stats(job).replace("\x7f", "\\u007f").replace("\\u0001", "\\u1")


class EverythingIsAscii(_JobFault):
    """Escapes every character beyond ASCII."""

    breaks = "result-text/unescaped"

    def job_stats(self, job: Job) -> str:
        return re.sub("[\x80-\ufffc]", lambda found: f"\\u{ord(found[0]):04x}", super().job_stats(job))


class InfinityIsWritten(_JobFault):
    """Writes `Infinity` where Harbor writes null."""

    breaks = "result-text/non-finite-values"

    def job_stats(self, job: Job) -> str:
        return re.sub('("(?:mean|max|min|sum|cost_usd)": )null', r"\1Infinity", super().job_stats(job))


class ExponentsOfPython(_JobFault):
    """Writes values as Python's `repr` does."""

    breaks = "result-text/float-values"

    def job_stats(self, job: Job) -> str:
        def respelled(found: re.Match[str]) -> str:
            return f": {float(found[1])!r}"

        return re.sub(r": (-?\d+(?:\.\d+)?e-\d+|-?0\.0000\d+)(?=,?\n)", respelled, super().job_stats(job))


class BigIntsAreFloats(_JobFault):
    """Writes an int that a double cannot hold as a double."""

    breaks = "result-text/big-integers"

    def job_stats(self, job: Job) -> str:
        def rounded(found: re.Match[str]) -> str:
            return value_text(float(found[0])) if len(found[0]) < 300 else found[0]

        return re.sub(r"(?<=: )-?\d{17,}(?=,?\n)", rounded, super().job_stats(job))


class ResumesEverything(_JobFault):
    """Resumes a job whose rewards were written as null."""

    breaks = "job-stats/not-resumable"
    seen_by = "test_resumed_jobs"

    def job_stats(self, job: Job) -> str:
        def read(trial: JobTrial) -> JobTrial:
            kept = {key: value for key, value in (trial.rewards or {}).items() if abs(value) < float("inf")}
            return replace(trial, rewards=None if trial.rewards is None else kept)

        return super().job_stats(replace(job, earlier=tuple(map(read, job.earlier))))


class RetriesAreNotCounted(_JobFault):
    """Keeps the retries of the earlier run."""

    breaks = "job-stats/retry-is-counted"
    seen_by = "test_live_path"

    def job_stats(self, job: Job) -> str:
        def change(stats: dict[str, Any]) -> None:
            stats["n_retries"] = job.retries

        return self.reworked(job, change)


class ReplacingIsARetry(_JobFault):
    """Counts a result that replaces another as a retry."""

    breaks = "job-stats/replacing-is-no-retry"
    seen_by = "test_live_path"

    def job_stats(self, job: Job) -> str:
        ended = {trial.name for trial in job.earlier}
        again = 0
        for event in job.events:
            again += event.kind == "end" and event.name in ended
            ended ^= {event.name} & ended if event.kind == "start" else {event.name} - ended

        def change(stats: dict[str, Any]) -> None:
            stats["n_retries"] = _number(stats["n_retries"]) + again

        return self.reworked(job, change)


class EmptyListsAreDropped(_JobFault):
    """Drops the lists of names that a retry has emptied."""

    breaks = "job-stats/taken-back"
    seen_by = "test_live_path"

    def job_stats(self, job: Job) -> str:
        def change(stats: dict[str, Any]) -> None:
            for group in _groups(stats):
                for table in (group["exception_stats"], *group["reward_stats"].values()):
                    if isinstance(table, dict):
                        for key in [key for key, names in table.items() if names == []]:
                            del table[key]

        return self.reworked(job, change)


class UsageIsKept(_JobFault):
    """Leaves the usage of a retried trial in the totals."""

    breaks = "job-stats/usage-taken-back"
    seen_by = "test_live_path"

    def job_stats(self, job: Job) -> str:
        trials = [*job.earlier, *(event.trial for event in job.events if event.trial)]
        counts = [used.input_tokens for trial in trials for used in trial.usage if used.input_tokens is not None]

        def change(stats: dict[str, Any]) -> None:
            if counts and not job.finished:
                stats["n_input_tokens"] = sum(counts)

        return self.reworked(job, change)


class ResumedMetricsAreThere(_JobFault):
    """Computes the metrics of all groups as soon as a job is resumed."""

    breaks = "job-stats/interim-resumed-metrics"
    seen_by = "test_live_path"

    def job_stats(self, job: Job) -> str:
        if job.finished or not job.earlier:
            return super().job_stats(job)
        events = tuple(Event("end", trial.name, trial) for trial in job.earlier)
        text = super().job_stats(replace(job, events=events + job.events))
        retries = f'"n_retries": {json.loads(super().job_stats(job))["n_retries"]}'
        return re.sub(r'"n_retries": \d+', retries, text)


class InterimMetricsAreLate(_JobFault):
    """Has no metrics before the job ends."""

    breaks = "job-stats/interim-metrics"
    seen_by = "test_live_path"

    def job_stats(self, job: Job) -> str:
        def change(stats: dict[str, Any]) -> None:
            for group in _groups(stats):
                group["metrics"] = group["metrics"] if job.finished else []

        return self.reworked(job, change)


class InterimPassAtK(_JobFault):
    """Computes pass@k all the time."""

    breaks = "job-stats/interim-pass-at-k"
    seen_by = "test_live_path"

    def job_stats(self, job: Job) -> str:
        estimates = super().pass_at_k(job.planned_results())

        def change(stats: dict[str, Any]) -> None:
            for key, group in stats["evals"].items():
                group["pass_at_k"] = {str(k): value for k, value in estimates.get(key, {}).items()}

        return super().job_stats(job) if job.finished else self.reworked(job, change)


class EndedTrialsRun(_JobFault):
    """Takes a trial that was started for running until the job ends."""

    breaks = "job-stats/running"
    seen_by = "test_live_path"

    def job_stats(self, job: Job) -> str:
        def change(stats: dict[str, Any]) -> None:
            stats["n_running_trials"] = len({event.name for event in job.events if event.kind == "start"})

        return self.reworked(job, change)


class CancelledByErrorAlone(_JobFault):
    """Counts cancelled trials by their error alone, each time."""

    breaks = "job-stats/cancelled"
    seen_by = "test_live_path"

    def job_stats(self, job: Job) -> str:
        def change(stats: dict[str, Any]) -> None:
            lists = [group["exception_stats"].get("CancelledError", []) for group in _groups(stats)]
            stats["n_cancelled_trials"] = sum(map(len, lists))

        return self.reworked(job, change)


class PendingMayBeNegative(_JobFault):
    """Subtracts what ended from what was planned, and nothing else."""

    breaks = "job-stats/pending"

    def job_stats(self, job: Job) -> str:
        def change(stats: dict[str, Any]) -> None:
            stats["n_pending_trials"] = job.total - _number(stats["n_completed_trials"])

        return self.reworked(job, change)


class OverflowIsNull(_JobFault):
    """Ends a job whose metric is beyond a double with other metrics."""

    breaks = "job-stats/overflow"

    def job_stats(self, job: Job) -> str:
        try:
            return super().job_stats(job)
        except OverflowError:
            return super().job_stats(replace(job, metrics=("max",)))


class NoDefaultMetric(_JobFault):
    """Has no metrics where none is configured."""

    breaks = "job-stats/default-metric"

    def job_stats(self, job: Job) -> str:
        def change(stats: dict[str, Any]) -> None:
            for group in _groups(stats):
                group["metrics"] = group["metrics"] if job.metrics else []

        return self.reworked(job, change)


class SeparatorsAreFound(_JobFault):
    """Finds the metrics of a dataset whose name holds the separator."""

    breaks = "job-stats/separator-in-dataset"

    def job_stats(self, job: Job) -> str:
        parts = [name.split("__")[-1] for name in job.datasets if "__" in name]
        return super().job_stats(replace(job, datasets=(*job.datasets, *parts)))


class DatasetsAreDistinct(_JobFault):
    """Takes datasets of one name for one."""

    breaks = "job-stats/repeated-dataset"

    def job_stats(self, job: Job) -> str:
        return super().job_stats(replace(job, datasets=tuple(dict.fromkeys(job.datasets))))


class UnknownDatasetsHaveMetrics(_JobFault):
    """Computes the configured metrics for every dataset."""

    breaks = "job-stats/unknown-dataset"

    def job_stats(self, job: Job) -> str:
        unknown = {trial.source for trial in job.planned_results() if trial.source} - {*job.datasets, "adhoc"}
        return super().job_stats(replace(job, datasets=(*job.datasets, *(name for name in unknown if name))))


class AdhocHasOnlyMean(_JobFault):
    """Computes no more than one metric for trials without a dataset."""

    breaks = "job-stats/adhoc-metrics"

    def job_stats(self, job: Job) -> str:
        def change(stats: dict[str, Any]) -> None:
            for key, group in stats["evals"].items():
                group["metrics"] = group["metrics"][:1] if key.endswith("__adhoc") else group["metrics"]

        return super().job_stats(job) if "adhoc" in job.datasets else self.reworked(job, change)


class MetricsAreSorted(_JobFault):
    """Lists the metrics by name."""

    breaks = "job-stats/several-metrics"

    def job_stats(self, job: Job) -> str:
        return super().job_stats(replace(job, metrics=tuple(sorted(job.metrics))))


class CompletionOrder(_JobFault):
    """Counts trials in the order in which they ended."""

    breaks = "job-stats/planned-order"

    def job_stats(self, job: Job) -> str:
        ends = tuple(event for event in job.events if event.kind == "end")
        return super().job_stats(replace(job, events=ends) if job.finished else job)


class EarlierComeLast(_JobFault):
    """Counts the trials of an earlier run after the others."""

    breaks = "job-stats/earlier-first"

    def job_stats(self, job: Job) -> str:
        if not job.finished:
            return super().job_stats(job)
        again = {event.name for event in job.events}
        late = tuple(Event("end", trial.name, trial) for trial in job.earlier if trial.name not in again)
        finite = replace(job, events=job.events + late, earlier=tuple(t for t in job.earlier if t.name in again))
        return super().job_stats(finite)


class MetricsAreAddedOneByOne(_JobFault):
    """Adds the rewards of a group in a loop."""

    breaks = "job-stats/summation"

    def job_stats(self, job: Job) -> str:
        columns: dict[str, list[Number]] = {}
        for trial in job.planned_results():
            columns.setdefault(trial.key, []).append(next(iter((trial.rewards or {"": 0}).values()), 0))

        def change(stats: dict[str, Any]) -> None:
            for key, group in stats["evals"].items():
                total: Number = 0
                for number in columns.get(key, ()):
                    total += number
                for metric in group["metrics"] if isinstance(total, float) and len(group["reward_stats"]) < 2 else ():
                    metric.update({name: total for name in metric if name == "sum"})
                    metric.update({name: total / len(columns[key]) for name in metric if name == "mean"})

        return self.reworked(job, change) if job.finished else super().job_stats(job)


class NoPassAtK(_JobFault):
    """Never computes pass@k."""

    breaks = "job-stats/pass-at-k"

    def job_stats(self, job: Job) -> str:
        def change(stats: dict[str, Any]) -> None:
            for group in _groups(stats):
                group["pass_at_k"] = {}

        return self.reworked(job, change)


class NoneIsInTheKey(_JobFault):
    """Names a group without a model after `None`."""

    breaks = "job-stats/evals-key"

    def job_stats(self, job: Job) -> str:
        return self.with_trials(job, lambda trial: replace(trial, model=trial.model or "None"))


class NansShareAKey(_JobFault):
    """Lists all trials with nan under one key."""

    breaks = "job-stats/nan-keys"

    def job_stats(self, job: Job) -> str:
        def change(stats: dict[str, Any]) -> None:
            for group in _groups(stats):
                for key, table in group["reward_stats"].items():
                    if isinstance(table, Members):
                        merged: dict[str, list[str]] = {}
                        for value, names in table.pairs:
                            merged.setdefault(value, []).extend(names)  # type: ignore[arg-type]
                        group["reward_stats"][key] = merged

        return self.reworked(job, change)


class KeysAreSpelledLikeValues(_JobFault):
    """Spells floats that are keys as if they were values."""

    breaks = "job-stats/float-keys"

    def job_stats(self, job: Job) -> str:
        def respelled(found: re.Match[str]) -> str:
            return f'"{value_text(float(found[1]))}": ['

        return re.sub(r'"(-?[\d.]+e-\d+)": \[', respelled, super().job_stats(job))


class EqualRewardsAreApart(_JobFault):
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


class RewardsAreSorted(_JobFault):
    """Lists rewards in ascending order."""

    breaks = "job-stats/reward-order"

    def job_stats(self, job: Job) -> str:
        def change(stats: dict[str, Any]) -> None:
            for group in _groups(stats):
                for key, table in group["reward_stats"].items():
                    if isinstance(table, dict):
                        group["reward_stats"][key] = dict(sorted(table.items(), key=lambda entry: float(entry[0])))

        return self.reworked(job, change)


class OneKeyIsListed(_JobFault):
    """Lists only the first key of a trial's rewards."""

    breaks = "job-stats/reward-stats"

    def job_stats(self, job: Job) -> str:
        def change(stats: dict[str, Any]) -> None:
            for group in _groups(stats):
                group["reward_stats"] = dict(list(group["reward_stats"].items())[:1])

        return self.reworked(job, change)


class EveryTrialIsRewarded(_JobFault):
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


class ErrorsHaveNoRewards(_JobFault):
    """Takes the rewards of a trial with an error for none."""

    breaks = "job-stats/errors-and-rewards"

    def job_stats(self, job: Job) -> str:
        return self.with_trials(job, lambda trial: replace(trial, rewards=None) if trial.exception else trial)


class CancelledIsNoError(_JobFault):
    """Does not count cancelled trials as errors."""

    breaks = "job-stats/errors"

    def job_stats(self, job: Job) -> str:
        def change(stats: dict[str, Any]) -> None:
            for group in _groups(stats):
                names = group["exception_stats"].pop("CancelledError", [])
                group["n_errors"] = _number(group["n_errors"]) - len(names)

        return self.reworked(job, change)


class LastRunCounts(_JobFault):
    """Takes what the last run of a trial's agent used for all that it used."""

    breaks = "job-stats/several-runs"

    def job_stats(self, job: Job) -> str:
        return self.with_trials(job, lambda trial: replace(trial, usage=trial.usage[-1:]))


class CostsAreCompensated(_JobFault):
    """Adds costs as `sum` does."""

    breaks = "job-stats/cost"

    def job_stats(self, job: Job) -> str:
        costs = _costs(job.planned_results())

        def change(stats: dict[str, Any]) -> None:
            stats["cost_usd"] = sum(costs) if costs else None

        return self.reworked(job, change) if job.finished else super().job_stats(job)


def _costs(trials: Sequence[JobTrial]) -> list[float]:
    return [used.cost for trial in trials for used in trial.usage if used.cost is not None]


class NothingUsedIsZero(_JobFault):
    """Writes 0 tokens where no trial reports any."""

    breaks = "job-stats/usage"

    def job_stats(self, job: Job) -> str:
        return super().job_stats(job).replace('_tokens": null', '_tokens": 0')


class GroupsAreSorted(_JobFault):
    """Lists groups by name."""

    breaks = "job-stats/group-order"

    def job_stats(self, job: Job) -> str:
        def change(stats: dict[str, Any]) -> None:
            stats["evals"] = dict(sorted(stats["evals"].items()))

        return self.reworked(job, change)


class TwoBlanks(_JobFault):
    """Indents by two blanks a level."""

    breaks = "job-stats/layout"

    def job_stats(self, job: Job) -> str:
        return super().job_stats(job).replace("    ", "  ")


class CompletedWithoutErrors(_JobFault):
    """Does not count trials with an error as completed."""

    breaks = "job-stats/stats"

    def job_stats(self, job: Job) -> str:
        def change(stats: dict[str, Any]) -> None:
            done = _number(stats["n_completed_trials"]) - _number(stats["n_errored_trials"])
            stats["n_completed_trials"] = done

        return self.reworked(job, change)
