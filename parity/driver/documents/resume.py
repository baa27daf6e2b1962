"""Resume a job from the directory that its earlier runs wrote.

The settings and tasks must be the same as at the start of the job. A trial that ended is kept in place of the first
planned trial with the same task and agent. Trials that did not end or were cancelled are removed and run again. Nothing
is written or removed before everything has been checked. Rules: `run-job/resume-*`.
"""

import json
import os
import re
import shutil
from collections import defaultdict, deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from itertools import zip_longest
from pathlib import Path
from uuid import UUID, uuid4

from parity.driver.documents.writing import remove_drafts
from parity.driver.job_plan import JobPlan
from parity.driver.trial_plan import Trial
from parity.formats.configuration import AgentConfiguration, JobConfiguration, TrialConfiguration
from parity.formats.document import Document
from parity.formats.lock import LockedJob
from parity.formats.trial_result import TrialResult
from parity.scorer.job import CANCELLED
from parity.scorer.job_directory.differences import differences, parse
from parity.scorer.job_directory.documents import JOB_LIMIT, read_document
from parity.scorer.job_directory.files import FileError
from parity.scorer.values import Number

TRIAL_NAME = re.compile(r".*__[0-9A-Za-z]{7}", re.DOTALL)
"""Pattern for a trial's name. Directories in a job's directory that do not match it are ignored."""

_ANOTHER_NAME = "or give the job another name"

type EarlierResult = TrialResult[TrialConfiguration, Number | None]
"""The result of a trial from an earlier run."""

type _Kind = tuple[str, str | None, str]
"""A trial's task, dataset and agent. Trials with the same kind are attempts at the same thing."""


class ResumeError(Exception):
    """A job cannot be resumed. The message is one line with the file or directory, the problem and the remedy."""

    def __init__(self, message: str) -> None:
        super().__init__(" ".join(message.split()))


class _Stats(Document):
    n_retries: int


class _EarlierJob(Document):
    """The part of a job's result.json that the next run continues from."""

    id: UUID
    started_at: datetime
    stats: _Stats


@dataclass(frozen=True)
class EarlierRuns:
    """The state from which a job continues. In a first run, all trials remain."""

    remaining: tuple[Trial, ...]
    """Trials that still have to run, in the planned order."""

    results: tuple[EarlierResult, ...] = ()
    """The results of trials that ended, in the order in which the job's directory lists them."""

    job_id: UUID = field(default_factory=uuid4)
    started_at: datetime = field(default_factory=datetime.now)
    """Local time, without a time zone. `job_id` and `started_at` are new if there is no result.json yet."""

    n_retries: int = 0


def resume(plan: JobPlan, lock: LockedJob) -> EarlierRuns | None:
    """Prepare the job's directory for another run, and return the state from which it continues.

    Args:
        plan: the job.
        lock: the lock.json of this run.

    Returns:
        None if there was no earlier run.

    Raises:
        ResumeError: the settings or tasks have changed since the job started, or a file cannot be read.
        OSError: a file or directory cannot be removed.
    """
    directory = plan.directory
    if not any(os.path.lexists(directory / name) for name in ("config.json", "lock.json", "result.json")):
        return None
    try:
        _check_settings(directory / "config.json", plan.written)
        _check_tasks(directory / "lock.json", lock)
    except FileError as error:
        raise ResumeError(str(error)) from None
    stored = _read_result_of_job(directory / "result.json")
    ended, again = _results(directory)
    remaining = _remaining(plan.trials, ended)
    remove_drafts(directory)
    for each in again:
        # The result is removed first, because a directory without a result is never taken for a trial that ended.
        (each / "result.json").unlink(missing_ok=True)
        shutil.rmtree(each)
    results = tuple(ended.values())
    if stored is None:
        return EarlierRuns(remaining, results)
    # Rule: run-job/resume-same-job
    return EarlierRuns(remaining, results, stored.id, stored.started_at, stored.stats.n_retries)


def _read_result_of_job(path: Path) -> _EarlierJob | None:
    try:
        return read_document(path, _EarlierJob, limit=JOB_LIMIT) if os.path.lexists(path) else None
    except FileError as error:
        raise ResumeError(f"{error}, or remove it, and the job continues with a new id") from None


def _check_settings(path: Path, job: JobConfiguration) -> None:
    # Rule: run-job/resume-settings
    expected, actual = (
        json.dumps(each.model_dump(mode="json", exclude={"job_name", "debug"}), sort_keys=True)
        for each in (job, read_document(path, JobConfiguration))
    )
    difference = next(differences(parse(expected), parse(actual)), None)
    if difference is not None:
        problem, remedy = f"the job was run with other settings: {difference}", "run with the same settings"
        raise ResumeError(f"{path}: {problem}; {remedy}, {_ANOTHER_NAME}")


def _check_tasks(path: Path, lock: LockedJob) -> None:
    if not os.path.lexists(path):  # the job was killed before lock.json was written
        return
    for now, earlier in zip_longest(lock.trials, read_document(path, LockedJob, limit=JOB_LIMIT).trials):
        if now != earlier:
            name = (earlier or now).task.name
            problem = f"the task {name} has changed since the job began"
            raise ResumeError(f"{path}: {problem}; restore it, {_ANOTHER_NAME}")


def _results(job: Path) -> tuple[dict[Path, EarlierResult], list[Path]]:
    """Return the results of the trials that ended, by directory, and the directories of the trials to run again."""
    ended: dict[Path, EarlierResult] = {}
    again: list[Path] = []
    for directory in job.iterdir():
        if not TRIAL_NAME.fullmatch(directory.name) or directory.is_symlink() or not directory.is_dir():
            continue
        result = _read_result(directory) if os.path.lexists(directory / "result.json") else None
        # Rule: run-job/resume-again
        if result is None or (result.exception_info and result.exception_info.exception_type == CANCELLED):
            again.append(directory)
        else:
            ended[directory] = result
    return ended, again


def _read_result(directory: Path) -> EarlierResult:
    remedy = f"remove {directory}, and its trial runs again"
    try:
        result = read_document(directory / "result.json", TrialResult[TrialConfiguration, Number | None])
    except FileError as error:
        raise ResumeError(f"{error}, or {remedy}") from None
    rewards = (result.verifier_result and result.verifier_result.rewards) or {}
    if None in rewards.values() or any("\ufffd" in key for key in rewards):
        problem = "its rewards cannot be read again: a nan, an infinity or half of a surrogate pair is not stored"
        raise ResumeError(f"{directory / 'result.json'}: {problem}; {remedy}")
    return result


def _remaining(planned: Sequence[Trial], ended: Mapping[Path, EarlierResult]) -> tuple[Trial, ...]:
    """Return the planned trials for which there is no finished trial yet."""
    directories: defaultdict[_Kind, deque[Path]] = defaultdict(deque)
    for directory, result in ended.items():
        task = result.config.task
        directories[_kind(task.path, task.source, result.config.agent)].append(directory)
    remaining = []
    for trial in planned:
        # Rule: run-job/resume-kept
        if same := directories.get(_kind(trial.task.path, trial.source, trial.written_agent)):
            same.popleft()
        else:
            remaining.append(trial)
    for surplus in directories.values():
        if surplus:
            problem = "the job does not plan this trial, or has fewer attempts at it"
            raise ResumeError(f"{surplus[0]}: {problem}; move it elsewhere, {_ANOTHER_NAME}")
    return tuple(remaining)


def _kind(task: Path | None, source: str | None, agent: AgentConfiguration) -> _Kind:
    return str(task), source, agent.model_dump_json()
