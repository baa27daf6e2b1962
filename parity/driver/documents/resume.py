"""Resume a job from the folder of its earlier runs.

Settings and tasks must be those that the job began with. A trial that ended is kept in place of the first planned trial
of the same task and agent. Trials that did not end or were cancelled are removed and run again. Nothing is written or
removed before everything has been checked. Rules: `run-job/resume-*`.
"""

import json
import os
import re
import shutil
from collections import defaultdict, deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import zip_longest
from pathlib import Path
from typing import Any
from uuid import UUID

from parity.driver.documents.configurations import PlannedTrial, job_config_tree
from parity.driver.documents.writing import remove_drafts
from parity.driver.settings import JobSettings
from parity.formats.configuration import JobConfiguration
from parity.formats.lock import LockedJob
from parity.scorer.from_disk.differences import differences, parse
from parity.scorer.from_disk.documents import read_document
from parity.scorer.from_disk.files import FolderError
from parity.scorer.from_disk.job_lock import LOCK_LIMIT
from parity.scorer.from_disk.job_record import read_record
from parity.scorer.from_disk.trial_file import Kind, TrialFile, agent_text, read_trial
from parity.scorer.job import CANCELLED, JobTrial
from parity.scorer.result_text import Tree

TRIAL_NAME = re.compile(r".*__[0-9A-Za-z]{7}", re.DOTALL)
"""Pattern of a trial's name. Other folders in a job's folder are ignored."""

_ANOTHER_NAME = "or give the job another name"


class ResumeError(Exception):
    """A job cannot be resumed. The message is one line: the file or folder, the problem and the remedy."""

    def __init__(self, message: str) -> None:
        super().__init__(" ".join(message.split()))


@dataclass(frozen=True)
class EarlierRuns:
    """The results of a job's earlier runs."""

    job_id: UUID | None
    started_at: datetime | None
    """Local time, without a zone. This and `job_id` are None if the job was killed before a first result.json."""

    n_retries: int
    trials: tuple[JobTrial, ...]
    """Trials that ended, in the order of the directory."""

    remaining: tuple[PlannedTrial, ...]
    """Trials that still have to run, as planned."""


def resume(
    settings: JobSettings,
    planned: Sequence[PlannedTrial],
    lock: Mapping[str, Tree],
    *,
    host: Mapping[str, str] = os.environ,
) -> EarlierRuns | None:
    """Prepare the job's folder for another run, and return the results of earlier runs; None if there were none.

    Args:
        settings: the job's settings.
        planned: the planned trials, in order.
        lock: lock.json of this run.
        host: the host's variables, for templates.

    Raises:
        ResumeError: the job began with other settings or tasks, or a file cannot be read.
        OSError: a file or folder cannot be removed.
    """
    job = settings.folder
    if not any(os.path.lexists(job / name) for name in ("config.json", "lock.json", "result.json")):
        return None
    config: dict[str, Any] = job_config_tree(settings, host=host)
    try:
        _check_settings(job / "config.json", config)
        _check_tasks(job / "lock.json", lock)
        record = read_record(job / "result.json") if os.path.lexists(job / "result.json") else None
    except FolderError as error:
        raise ResumeError(str(error)) from None
    ended, again = _trials(job)
    remaining = _remaining(planned, config, ended)
    remove_drafts(job)
    for folder in again:
        # The result is removed first: a folder without a result never counts as a trial that ended.
        (folder / "result.json").unlink(missing_ok=True)
        shutil.rmtree(folder)
    trials = tuple(file.trial for file in ended.values())
    if record is None:
        return EarlierRuns(None, None, 0, trials, remaining)
    # Rule: run-job/resume-same-job
    job_id, started_at = UUID(record.identity["id"]), datetime.fromisoformat(str(record.identity["started_at"]))
    return EarlierRuns(job_id, started_at, record.retries, trials, remaining)


def _check_settings(path: Path, config: Mapping[str, Tree]) -> None:
    configurations = JobConfiguration.model_validate(config), read_document(path, JobConfiguration)
    # Rule: run-job/resume-settings
    wanted, found = (each.model_dump(mode="json", exclude={"job_name", "debug"}) for each in configurations)
    texts = json.dumps(wanted, sort_keys=True), json.dumps(found, sort_keys=True)
    difference = next(differences(parse(texts[0]), parse(texts[1])), None)
    if difference is not None:
        problem, remedy = f"the job was run with other settings: {difference}", "run with the same settings"
        raise ResumeError(f"{path}: {problem}; {remedy}, {_ANOTHER_NAME}")


def _check_tasks(path: Path, lock: Mapping[str, Tree]) -> None:
    if not os.path.lexists(path):  # killed before it was written
        return
    wanted, found = LockedJob.model_validate(lock).trials, read_document(path, LockedJob, limit=LOCK_LIMIT).trials
    for now, earlier in zip_longest(wanted, found):
        if now != earlier:
            name = (earlier or now).task.name
            problem = f"the task {name} is not what it was when the job began"
            raise ResumeError(f"{path}: {problem}; restore it, {_ANOTHER_NAME}")


def _trials(job: Path) -> tuple[dict[Path, TrialFile], list[Path]]:
    """Return the trials that ended, by folder in the directory's order, and the folders of those to run again."""
    ended: dict[Path, TrialFile] = {}
    again: list[Path] = []
    for folder in job.iterdir():
        if not TRIAL_NAME.fullmatch(folder.name) or folder.is_symlink() or not folder.is_dir():
            continue
        file = _read(folder) if os.path.lexists(folder / "result.json") else None
        # Rule: run-job/resume-again
        if file is None or file.trial.exception == CANCELLED:
            again.append(folder)
        else:
            ended[folder] = file
    return ended, again


def _read(folder: Path) -> TrialFile:
    remedy = f"remove {folder}, and its trial runs again"
    try:
        file = read_trial(folder)
    except FolderError as error:
        raise ResumeError(f"{error}, or {remedy}") from None
    if file.lost:
        problem = "its rewards cannot be read again: a nan, an infinity or half of a surrogate pair is not stored"
        raise ResumeError(f"{folder / 'result.json'}: {problem}; {remedy}")
    return file


def _remaining(
    planned: Sequence[PlannedTrial], config: Mapping[str, Any], ended: Mapping[Path, TrialFile]
) -> tuple[PlannedTrial, ...]:
    """Return the planned trials that have no finished trial yet."""
    places: defaultdict[Kind, deque[Path]] = defaultdict(deque)
    for folder, file in ended.items():
        places[file.kind].append(folder)
    agents = [agent_text(agent) for agent in config["agents"]]
    remaining = []
    for trial in planned:
        # Rule: run-job/resume-kept
        if same := places.get((str(trial.task), None, None, trial.source, agents[trial.agent])):
            same.popleft()
        else:
            remaining.append(trial)
    for left in places.values():
        if left:
            problem = "a trial that this job does not plan, or plans less often"
            raise ResumeError(f"{left[0]}: {problem}; move it elsewhere, {_ANOTHER_NAME}")
    return tuple(remaining)
