"""Finds the differences between two jobs: in their settings, their tasks and their metrics."""

import json
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

from parity.command.streams import counted
from parity.formats.lock import LockedJob, LockedTrial
from parity.scorer.denominators import explain_metric
from parity.scorer.job_directory.check import check
from parity.scorer.job_directory.differences import bits
from parity.scorer.job_directory.directory import JobDirectory, read_job
from parity.scorer.job_directory.files import RESTORE, FileError
from parity.scorer.job_directory.trial_file import TrialFile
from parity.scorer.metrics import aggregate
from parity.scorer.sign_flips import chance

_UNSCORED = {f"environment.{name}" for name in ("type", "import_path", "kwargs.sandbox", "force_build", "delete")}
"""Settings that do not change a score, provided that both environments do what the task asks for."""

type Tasks = dict[str, list[TrialFile]]
"""The trials of one group in result.json, by task."""


def job_differences(first: Path, second: Path) -> tuple[list[str], int]:
    """Return the lines that compare two jobs, and the number of differences in settings, tasks and result.json.

    Raises:
        FileError: a directory is not a complete job that has ended, or the jobs have no task in common.
    """
    jobs = read_ended_job(first), read_ended_job(second)
    locks = [lock_of(job) for job in jobs]
    groups = _pairs(*map(_groups, jobs))
    if not any(a.keys() & b.keys() for _, a, b in groups):
        raise FileError(second, f"no task in common with {first}", "name two jobs of the same tasks")
    contradictions = [line for name, job in zip("ab", jobs, strict=True) for line in _contradiction(name, job)]
    lines = [
        *_settings(jobs, locks),
        *(line for _, a, b in groups for line in _tasks(a, b)),
        *_numbers(jobs),
        *contradictions,
    ]
    count = len(lines)
    for name, a, b in groups:
        of_a, of_b = list(_metrics(jobs[0], a)), list(_metrics(jobs[1], b))
        both = [("a and b", of_a)] if of_a == of_b else [("a", of_a), ("b", of_b)]
        lines += [f"metric  {name}: {which} {line}" for which, metrics in both for line in metrics]
        lines += [f"chance  {name}: {line}" for line in _chance(a, b)]
    heads = [f"{name}  {job.path}: {counted(len(job.trials), 'trial')}" for name, job in zip("ab", jobs, strict=True)]
    return [*heads, *lines], count


def read_ended_job(path: Path) -> JobDirectory:
    """Read a job's directory.

    Raises:
        FileError: the job has not ended, or a file in its directory cannot be read.
    """
    job = read_job(path)
    if job.stored.finished_at is None:
        raise FileError(path / "result.json", "the job has not ended", "compare it when it has")
    return job


def _contradiction(name: str, job: JobDirectory) -> list[str]:
    """Return one line if a job's result.json is not what its trials say; none if it is, or if that cannot be decided.

    Args:
        name: the job's name in the line.
        job: a job that has ended.
    """
    checked = check(job)
    if not checked.differences or checked.hidden is not None:
        return []
    return [f"result  {name}: result.json does not follow from its trials: see parity score --check {job.path}"]


def lock_of(job: JobDirectory) -> LockedJob:
    """Return the lock.json of a job.

    Raises:
        FileError: the job has no lock.json.
    """
    if job.lock is None:
        remedy = "compare jobs of harbor 0.6.6 or later" if job.stored.is_before_locks else RESTORE
        raise FileError(job.path / "lock.json", "no such file", remedy)
    return job.lock


def _groups(job: JobDirectory) -> dict[str, Tasks]:
    groups: dict[str, Tasks] = defaultdict(lambda: defaultdict(list))
    for file in job.trials:
        groups[file.trial.key][file.trial.task].append(file)
    return groups


def _pairs[Value](
    first: Mapping[str, dict[str, Value]], second: Mapping[str, dict[str, Value]]
) -> list[tuple[str, dict[str, Value], dict[str, Value]]]:
    """Pair the groups with the same key. If each job has only one group, pair these two, whatever their keys."""
    if len(first) == len(second) == 1 and first.keys() != second.keys():
        (a,), (b,) = first.items(), second.items()
        return [(f"{a[0]} and {b[0]}", a[1], b[1])]
    return [(key, first.get(key, {}), second.get(key, {})) for key in sorted({*first, *second})]


def _settings(jobs: Sequence[JobDirectory], locks: Sequence[LockedJob]) -> Iterator[str]:
    sides = [_values(job, lock) for job, lock in zip(jobs, locks, strict=True)]
    for name in sorted({*sides[0], *sides[1]}):
        left, right = (sorted(side.get(name, {"not set"})) for side in sides)
        if left != right:
            yield f"setting  {name}: a {', '.join(left)}; b {', '.join(right)}"
    digests = [digests_of(lock) for lock in locks]
    for name in sorted(digests[0].keys() & digests[1].keys()):
        if digests[0][name] != digests[1][name]:
            prefixes = [", ".join(sorted(digest[:19] for digest in side[name])) for side in digests]
            yield f"digest  {name}: a {prefixes[0]}; b {prefixes[1]}"


def digests_of(lock: LockedJob) -> dict[str, set[str]]:
    """Return the digests of each task in a lock.json. A task has one digest, unless it was edited while the job ran."""
    digests: dict[str, set[str]] = defaultdict(set)
    for trial in lock.trials:
        digests[trial.task.name].add(trial.task.digest)
    return digests


def _values(job: JobDirectory, lock: LockedJob) -> dict[str, set[str]]:
    """Return each setting of a job that may change scores, with its values in all trials."""
    values: dict[str, set[str]] = {"n_attempts": {str(job.config.n_attempts)}}
    values["metrics"] = {", ".join(_metric_names(job))}
    if lock.retry.max_retries:
        _flatten("retry", lock.retry.model_dump(mode="json"), values)
    for plan in plans_of(lock):
        _flatten("", plan, values)
    return values


def plans_of(lock: LockedJob) -> list[dict[str, Any]]:
    """Return the distinct plans of a job's trials, without the tasks."""
    plans = {_plan(trial): trial for trial in lock.trials}
    return [trial.model_dump(mode="json", exclude_none=True, exclude={"task"}) for trial in plans.values()]


def _plan(trial: LockedTrial) -> str:
    return trial.model_dump_json(exclude={"task"})


def _flatten(name: str, value: Any, values: dict[str, set[str]]) -> None:
    if isinstance(value, dict) and (value or not name):
        for key, item in value.items():
            _flatten(f"{name}.{key}".lstrip("."), item, values)
    elif value not in ({}, []) and name not in _UNSCORED:
        values.setdefault(name, set()).add(json.dumps(value, sort_keys=True))


def _tasks(first: Tasks, second: Tasks) -> Iterator[str]:
    for task in sorted({*first, *second}):
        left, right = (Counter(map(_outcome, tasks.get(task, ()))) for tasks in (first, second))
        if left != right:
            yield f"task  {task}: a {_in_words(left)}; b {_in_words(right)}"


def _outcome(file: TrialFile) -> str:
    rewards = ", ".join(f"{key} {value!r}" for key, value in sorted((file.trial.rewards or {}).items())) or "no reward"
    errors = [file.trial.exception] if file.trial.exception else []
    errors += [f"{step.exception} in step {step.name}" for step in file.steps or () if step.exception]
    return rewards + (f" ({', '.join(errors)})" if errors else "")


def _in_words(outcomes: Counter[str]) -> str:
    parts = [f"{outcome}{f' x {count}' if count > 1 else ''}" for outcome, count in sorted(outcomes.items())]
    return ", ".join(parts) or "no trial"


def _numbers(jobs: Sequence[JobDirectory]) -> Iterator[str]:
    """Yield a line for each number that differs between the result.json of two jobs.

    Times, tokens, costs and the names of trials are left out, because they differ from run to run.
    """
    documents = [json.loads(job.text) for job in jobs]
    stats = [_dict(document.get("stats")) for document in documents]
    compared = [("", "n_total_trials", *documents), *(("stats.", name, *stats) for name in _COUNTS)]
    groups = _pairs(*({key: _dict(group) for key, group in _dict(each.get("evals")).items()} for each in stats))
    compared += [(f"{key}: ", name, *pair) for key, *pair in groups for name in _NUMBERS_OF_GROUP]
    for place, name, first, second in compared:
        sides = [dict(_leaves(name, side[name])) if name in side else {} for side in (first, second)]
        for path in dict.fromkeys([*sides[0], *sides[1]]):
            a, b = (side.get(path, _ABSENT) for side in sides)
            if bits(a) != bits(b):
                yield f"result  {place}{path}: a {_described(a)}; b {_described(b)}"


_COUNTS = (*(f"n_{kind}_trials" for kind in ("completed", "errored", "running", "pending", "cancelled")), "n_retries")
_NUMBERS_OF_GROUP = ("n_trials", "n_errors", "metrics", "pass_at_k")

_ABSENT = object()
"""The placeholder for a number that only one of the two files has."""


def _dict(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def _leaves(path: str, value: Any) -> Iterator[tuple[str, Any]]:
    if isinstance(value, dict):
        for key, item in value.items():
            yield from _leaves(f"{path}.{key}", item)
    elif isinstance(value, list):
        for place, item in enumerate(value):
            yield from _leaves(f"{path}[{place}]", item)
    else:
        yield path, value


def _described(value: object) -> str:
    return "nothing" if value is _ABSENT else json.dumps(value)


def _metric_names(job: JobDirectory) -> list[str]:
    return [metric.type for metric in job.config.metrics] or ["mean"]


def _metrics(job: JobDirectory, tasks: Tasks) -> Iterator[str]:
    trials = [file.trial for files in tasks.values() for file in files]
    for metric in _metric_names(job) if trials else ():
        computed = aggregate(metric, [trial.rewards for trial in trials])
        yield from explain_metric(metric, computed, trials)


def _chance(first: Tasks, second: Tasks) -> Iterator[str]:
    """Yield a line for each reward key whose mean over the tasks in both jobs differs, or that only one job has."""
    common = [task for task in first if task in second]
    of_first, of_second = (
        {key for task in common for file in tasks[task] for key in file.trial.rewards or ()}
        for tasks in (first, second)
    )
    for key in sorted(of_first | of_second):
        if key not in of_first & of_second:
            yield f"{key}: not compared, because only {'a' if key in of_first else 'b'} has this reward"
            continue
        try:
            pairs = [_mean(second[task], key) - _mean(first[task], key) for task in common]
        except (ValueError, OverflowError):
            yield f"{key}: not compared, because a reward is nan or infinite"
            continue
        if difference := sum(pairs):
            probability, method = chance(pairs)
            mean = float(difference / len(pairs))
            tasks = counted(len(pairs), "task")
            yield f"{key}: b - a is {mean!r} over {tasks}, p = {probability:.4g} (paired; {method})"


def _mean(files: Sequence[TrialFile], key: str) -> Fraction:
    return sum((Fraction((file.trial.rewards or {}).get(key, 0)) for file in files), Fraction(0)) / len(files)
