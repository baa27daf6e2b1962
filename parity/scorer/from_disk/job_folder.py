"""Read a Harbor job's folder: its trials, and the other inputs of its result.json."""

import os
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from parity.scorer.from_disk.files import FolderError
from parity.scorer.from_disk.job_config import JobConfig, read_config
from parity.scorer.from_disk.job_lock import JobLock, read_lock
from parity.scorer.from_disk.job_record import JobRecord, read_record
from parity.scorer.from_disk.lost_rewards import with_real_rewards
from parity.scorer.from_disk.trial_file import TrialFile, read_trial
from parity.scorer.job_stats import metrics_of_datasets
from parity.scorer.series import OFFICIAL, Series

type Watch = Callable[[int, int], None]
"""Progress callback: receives how many trials have been read, and how many there are."""

_SHOWN = 10


class JobFolderError(Exception):
    """A job's folder cannot be judged. The message has one line for each problem, ten at most."""

    def __init__(self, problems: list[str]) -> None:
        more = [f"and {len(problems) - _SHOWN:,} more like these"] if len(problems) > _SHOWN else []
        super().__init__("\n".join(problems[:_SHOWN] + more))


@dataclass(frozen=True)
class JobFolder:
    """A job, read from its folder."""

    path: Path
    config: JobConfig
    lock: JobLock
    record: JobRecord
    trials: list[TrialFile] = field(default_factory=list)
    """The trials that have ended, in the order of the directory."""

    running: list[str] = field(default_factory=list)
    """Folders of trials without a result."""

    strange: list[str] = field(default_factory=list)
    """Folders that are not trials."""

    @property
    def metrics(self) -> dict[str, list[str]]:
        """Return the metrics of each dataset, without those of a registry, which are not in the folder."""
        return metrics_of_datasets(self.config.metrics, self.config.dataset_names(self.lock.sources))


def read_job(path: Path, *, series: Series = OFFICIAL, watch: Watch | None = None) -> JobFolder:
    """Read a job's folder.

    Raises:
        JobFolderError: the path is not a job's folder, or something in it cannot be read.
    """
    try:
        config = read_config(path / "config.json")
        lock = read_lock(path / "lock.json", config.single_trials)
        job = JobFolder(path, config, lock, read_record(path / "result.json"))
        with os.scandir(path) as entries:  # in the order of the directory, links to folders included
            folders = [entry.name for entry in entries if entry.is_dir()]
    except FolderError as error:
        raise JobFolderError([str(error)]) from None
    except OSError as error:
        raise JobFolderError([f"{path}: {error.strerror}; give the folder of a job"]) from None
    problems: list[str] = []
    names: set[str] = set()
    home = str(path / "_")[:-1]  # a `Path` for each file would take a twelfth of all the time
    for number, name in enumerate(folders):
        if watch is not None and not number % 1000:
            watch(number, len(folders))
        try:
            _add(job, home, name, names, series)
        except FolderError as error:
            problems.append(str(error))
    if watch is not None:
        watch(len(folders), len(folders))
    if problems:
        raise JobFolderError(problems)
    return job


def _add(job: JobFolder, home: str, name: str, names: set[str], series: Series) -> None:
    """Add a folder to the job as an ended trial, a running trial, or a strange folder.

    Args:
        job: the job to change.
        home: the job's folder, with a slash at its end unless it is the working directory.
        name: name of the folder to add.
        names: names of the trials so far.
        series: the interpreter series that ran the job.
    """
    folder = home + name
    where = f"{folder}/result.json"
    try:
        file = read_trial(folder)
    except FolderError:
        if os.path.lexists(where):
            raise
        if not os.path.lexists(f"{folder}/config.json"):
            job.strange.append(name)
        elif job.record.finished:
            problem = "no result.json, although the job has finished"
            raise FolderError(folder, problem, "restore it, or resume the job with Harbor") from None
        else:
            job.running.append(name)
        return
    if file.trial.name in names:
        problem = f"trial {file.trial.name} is in another folder, too"
        raise FolderError(where, problem, "remove one of them")
    names.add(file.trial.name)
    job.trials.append(with_real_rewards(job.path, file, series, job.record.listed) if file.lost else file)
