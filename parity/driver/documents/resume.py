"""Resume a job from the files of its earlier runs, as `harbor jobs resume` does.

A trial that ended is kept in place of the first planned trial with an equal configuration. Trials that did not end or
were cancelled are removed and run again. Nothing is removed before everything else has been checked.

Documents must fit Harbor's models, and are read in Harbor's order, so that the first of several faults is the same.
Rules: `run-job/resume*`. Mirrors harbor.job and harbor.cli.jobs in behaviour.
"""

import os
import re
import shutil
from collections import defaultdict, deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from uuid import UUID

from parity.driver.documents.configurations import (
    PlannedTrial,
    first_difference,
    job_config_tree,
    job_identity,
    trial_config_tree,
    trial_identity,
)
from parity.driver.documents.writing import remove_drafts
from parity.driver.settings import JobSettings
from parity.formats.configuration import JobConfiguration, TrialConfiguration
from parity.formats.document import Document
from parity.formats.job_result import JobResult
from parity.scorer.errors import ValidationError
from parity.scorer.from_disk.documents import read_document
from parity.scorer.from_disk.files import LIMIT, FolderError
from parity.scorer.from_disk.job_record import RECORD_LIMIT
from parity.scorer.from_disk.trial_file import job_trial
from parity.scorer.from_disk.trial_score import TRIAL_RESULT
from parity.scorer.job import CANCELLED, JobTrial

TRIAL_NAME = re.compile(r".*__[0-9A-Za-z]{7}", re.DOTALL)
"""Pattern of a trial's name. A folder whose name does not match never counts as an unfinished trial."""

_ELSEWHERE = "move it elsewhere, or give the job another name"
_ANOTHER_JOB = "run with the same settings, or give the job another name"


class ResumeError(Exception):
    """A job cannot be resumed. The message is one line: the file or folder, the problem and the remedy."""

    def __init__(self, line: str, harbor: type[Exception] = ValidationError) -> None:
        super().__init__(line)
        self.harbor = harbor
        """The class of the error that Harbor raises in this case."""


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

    removed: tuple[str, ...]
    """Folders of trials that are run again."""


def resume(
    settings: JobSettings, planned: Sequence[PlannedTrial], *, host: Mapping[str, str] = os.environ
) -> EarlierRuns | None:
    """Prepare the job's folder for another run, and return the results of earlier runs; None if there were none.

    Raises:
        ResumeError: the job was run with other settings, or something in its folder is damaged or strange.
    """
    job = settings.folder
    try:
        if not os.path.lexists(job / "config.json"):
            _check_fresh(job)
            return None
        ended, removed = _trials(job)
        found = _read(job / "config.json", JobConfiguration)
        record = _read(job / "result.json", JobResult, RECORD_LIMIT) if os.path.lexists(job / "result.json") else None
        _check_settings(settings, host, found)
        remaining = _remaining(settings, planned, host, [folder for folder, _ in ended])
        remove_drafts(job)
    except OSError as error:
        raise _refusal(error.filename or job, error.strerror or type(error).__name__, _ELSEWHERE) from None
    for name in removed:
        _remove(job / name)
    trials = tuple(trial for _, trial in ended)
    if record is None:
        return EarlierRuns(None, None, 0, trials, tuple(remaining), removed)
    # Rule: run-job/resume-same-job
    return EarlierRuns(record.id, record.started_at, record.stats.n_retries, trials, tuple(remaining), removed)


def _check_fresh(job: Path) -> None:
    # Rule: run-job/resume-without-config
    if os.path.lexists(job / "result.json"):
        problem, remedy = "has a result.json, but no config.json", "restore it, or give the job another name"
        raise _refusal(job, problem, remedy, ValueError)


def _read[Model: Document](path: Path, model: type[Model], limit: int = LIMIT) -> Model:
    try:
        return read_document(path, model, limit=limit)
    # Rule: run-job/resume-damaged
    except FolderError as error:
        cause = error.__context__
        harbor = type(cause) if isinstance(cause, OSError) else ValidationError
        raise ResumeError(str(error) + _or_again(path), harbor) from None


def _or_again(path: Path) -> str:
    folder = path.parent
    return f", or remove {folder} so that the trial runs again" if TRIAL_NAME.fullmatch(folder.name) else ""


def _check_settings(settings: JobSettings, host: Mapping[str, str], found: JobConfiguration) -> None:
    wanted = JobConfiguration.model_validate(job_config_tree(settings, host=host))
    # Rule: run-job/resume-settings
    difference = first_difference(job_identity(wanted), job_identity(found))
    if difference is not None:
        path = settings.folder / "config.json"
        raise _refusal(path, f"the job was run with other settings: {difference}", _ANOTHER_JOB, FileExistsError)


def _trials(job: Path) -> tuple[list[tuple[Path, JobTrial]], tuple[str, ...]]:
    """Return the finished trials with their folders, in the directory's order, and the names of the trials to run
    again.
    """
    ended: list[tuple[Path, JobTrial]] = []
    removed: list[str] = []
    for folder in [path for path in job.iterdir() if path.is_dir()]:
        if folder.is_symlink():
            raise _refusal(folder, "a link to a folder, not a folder", _ELSEWHERE, OSError)
        trial = _trial(folder) if os.path.lexists(folder / "result.json") else None
        if trial is None and not TRIAL_NAME.fullmatch(folder.name):
            raise _refusal(folder, "not the folder of a trial", _ELSEWHERE)
        # Rule: run-job/resume-again
        if trial is None or trial.exception == CANCELLED:
            removed.append(folder.name)
        else:
            ended.append((folder, trial))
    return ended, tuple(removed)


def _trial(folder: Path) -> JobTrial:
    return job_trial(_read(folder / "result.json", TRIAL_RESULT))


def _remaining(
    settings: JobSettings, planned: Sequence[PlannedTrial], host: Mapping[str, str], folders: Sequence[Path]
) -> list[PlannedTrial]:
    """Return the planned trials that have no finished trial yet."""
    ended: defaultdict[str, deque[Path]] = defaultdict(deque)
    for folder in folders:
        ended[trial_identity(_read(folder / "config.json", TrialConfiguration))].append(folder)
    identities: dict[tuple[Path, str | None, int], str] = {}
    remaining = []
    for trial in planned:
        kind = trial.task, trial.source, trial.agent
        if kind not in identities:
            tree = trial_config_tree(settings, trial, job_id=_NO_ID, host=host)
            identities[kind] = trial_identity(TrialConfiguration.model_validate(tree))
        # Rule: run-job/resume-kept
        if same := ended.get(identities[kind]):
            same.popleft()
        else:
            remaining.append(trial)
    # Rule: run-job/resume-not-planned
    for left in ended.values():
        if left:
            raise _refusal(left[0], "a trial that this job does not plan, or plans less often", _ELSEWHERE, ValueError)
    return remaining


_NO_ID = str(UUID(int=0))
"""A placeholder for the job's id, which is not compared."""


def _remove(folder: Path) -> None:
    try:
        # The result is removed first: a folder without a result never counts as a trial that ended.
        (folder / "result.json").unlink(missing_ok=True)
        shutil.rmtree(folder)
    except OSError as error:
        problem = f"cannot be removed: {error.strerror or type(error).__name__}"
        raise _refusal(error.filename or folder, problem, f"remove {folder} yourself, its trial runs again") from None


def _refusal(where: object, problem: str, remedy: str, harbor: type[Exception] = ValidationError) -> ResumeError:
    return ResumeError(str(FolderError(where, problem, remedy)), harbor)
