"""Compares the numbers that two releases compute for a job, from the stored results of its trials."""

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from parity.drift.folders import JobOnDisk
from parity.drift.releases import Release
from parity.judging.harm import Harm, harm_of, rank
from parity.operations.answers import Value
from parity.operations.wire import Json
from parity.reference.stored_jobs import StoredJob, stored_job
from parity.scorer.denominators import errors_of, explained
from parity.scorer.job import Job, JobTrial

_ZEROS = "counted as 0"
_OUT = "left out"


@dataclass(frozen=True)
class JobNumber:
    """A metric, pass@k or count of a job, under both releases."""

    what: str
    old: Json
    new: Json
    harm: Harm | None
    """None if the number is equal under both releases."""

    how: tuple[str, str] | None = None
    """For a metric: the trials that it counts under each release."""


@dataclass(frozen=True)
class MovedTrial:
    """A trial that counts differently."""

    trial: JobTrial
    old: Json
    new: Json
    """The metrics of this trial alone under each release; empty if it is left out."""

    @property
    def kind(self) -> tuple[str, str]:
        """What each release does with the trial, in words."""
        return _treatment(self.old), _treatment(self.new)


@dataclass
class JobDrift:
    """The differences in one job."""

    path: Path
    numbers: list[JobNumber] = field(default_factory=list)
    """The metrics, and the other numbers that move; the most harmful first."""

    trials: list[MovedTrial] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)

    @property
    def moved(self) -> list[JobNumber]:
        """The numbers that differ."""
        return [number for number in self.numbers if number.harm]

    def trials_in_words(self) -> Iterator[tuple[tuple[str, str], str]]:
        """Yield each kind of moved trials, and their number, errors and first names."""
        for kind in dict.fromkeys(moved.kind for moved in self.trials):
            trials = [moved.trial for moved in self.trials if moved.kind == kind]
            names = ", ".join(trial.name for trial in trials[:3])
            more = f" and {len(trials) - 3:,} more" if len(trials) > 3 else ""
            yield kind, f"{len(trials):,} trial{'s' * (len(trials) > 1)} ({errors_of(trials)}): {names}{more}"


def compare_numbers(old: Release, new: Release, job: JobOnDisk) -> JobDrift:
    """Let both releases compute a job from the result.json files of its trials.

    Raises:
        ReferenceLost: a release gives no answer.
    """
    trials = tuple(each.file.stored for each in job.trials)
    sources = dict.fromkeys(trial.source for trial in trials if trial.source)
    case = Job(len(trials), metrics=job.metrics, datasets=tuple(sources), earlier=trials)
    drift = JobDrift(job.path)
    answers = [_asked(release, case, job.path, drift.problems) for release in (old, new)]
    if drift.problems:
        drift.problems = [f"{job.path}: {problem}; its metrics are not compared" for problem in drift.problems]
        return drift
    drift.numbers = sorted(_numbers(case, *answers), key=lambda each: (not each.harm, rank(each.harm or "form")))
    alone = [answer.alone for answer in answers]
    drift.trials = [
        MovedTrial(trial, *sides) for trial in trials if _differ(*(sides := [each.get(trial.name) for each in alone]))
    ]
    return drift


def _asked(release: Release, case: Job, folder: Path, problems: list[str]) -> StoredJob:
    lack = release.lacking.get("job_stats")
    answer = StoredJob(problems=(lack,)) if lack else stored_job(release.runner, case, folder)
    problems += [f"{release.label}: {problem}" for problem in answer.problems]
    return answer


def _differ(old: Json, new: Json) -> bool:
    return repr(old) != repr(new)  # 1 and 1.0 differ


def _numbers(case: Job, old: StoredJob, new: StoredJob) -> Iterator[JobNumber]:
    sides = [dict(_places(case, answer)) for answer in (old, new)]
    for place in dict.fromkeys([*sides[0], *sides[1]]):
        key, what, member = place
        left, right = (side.get(place) for side in sides)
        how = None
        if member == "metrics":
            group = [trial for trial in case.earlier if trial.key == key]
            how = _how(what, left, group, old), _how(what, right, group, new)
        name = f"{key}: {what}" if key else what
        harm = harm_of("job_stats", Value({member: left}), Value({member: right})) if _differ(left, right) else None
        if harm or how:
            yield JobNumber(name, _shown(member, left), _shown(member, right), harm, how)


def _places(case: Job, answer: StoredJob) -> Iterator[tuple[tuple[str, str, str], Any]]:
    """Yield the numbers of a result.json, each with its group, its name, and the member that holds it."""
    stats = json.loads(answer.text)["stats"]
    for key, group in stats.pop("evals").items():
        for metric, computed in zip(case.metrics, group.pop("metrics"), strict=False):
            yield (key, metric, "metrics"), computed
        del group["reward_stats"]  # moved trials are compared one by one
        yield from (((key, member, member), value) for member, value in group.items())
    yield from ((("", member, member), value) for member, value in stats.items())


def _how(metric: str, computed: Any, group: Iterable[JobTrial], answer: StoredJob) -> str:
    trials = list(group)
    left_out = {trial.name for trial in trials if not answer.alone.get(trial.name)}
    return " | ".join(explained(metric, computed or {metric: None}, trials, left_out))


def _shown(member: str, value: Any) -> Json:
    if member == "exception_stats" and value is not None:
        return {error: len(names) for error, names in value.items()}
    shown: Json = value
    return shown


def _treatment(alone: Any) -> str:
    if not alone:
        return _OUT
    return "counted with its reward" if any(value for metric in alone for value in metric.values()) else _ZEROS
