"""A Harbor job folder to the trials in it and what else its result.json depends on."""

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from parity.scorer.from_disk.files import FolderError, read_text
from parity.scorer.from_disk.job_config import JobConfig, read_config
from parity.scorer.from_disk.job_lock import JobLock, read_lock
from parity.scorer.from_disk.job_record import JobRecord, read_record
from parity.scorer.from_disk.lost_rewards import Listed, listed_rewards, with_real_rewards
from parity.scorer.from_disk.trial_file import TrialFile, TrialReader
from parity.scorer.from_disk.trial_kinds import TrialKinds
from parity.scorer.job_stats import metrics_of_datasets
from parity.scorer.series import OFFICIAL, Series

type Watch = Callable[[int, int], None]
"""Called now and then with how many trials have been read, and of how many."""

_SHOWN = 10


class JobFolderError(Exception):
    """A job's folder cannot be judged; one line for each thing that is wrong, but not for more than ten."""

    def __init__(self, problems: list[str]) -> None:
        more = [f"and {len(problems) - _SHOWN:,} more like these"] if len(problems) > _SHOWN else []
        super().__init__("\n".join(problems[:_SHOWN] + more))


@dataclass(frozen=True)
class JobFolder:
    """A job as its folder has it."""

    path: Path
    config: JobConfig
    lock: JobLock
    record: JobRecord
    trials: list[TrialFile]
    """In the order of the directory."""

    running: list[str]
    """Folders of trials without a result."""

    strange: list[str]
    """Folders that are no trials."""

    @property
    def metrics(self) -> dict[str, list[str]]:
        """Dataset to its metrics. What a registry adds is not in the folder."""
        return metrics_of_datasets(self.config.metrics, self.config.dataset_names(self.lock.sources))


def read_job(path: Path, *, series: Series = OFFICIAL, watch: Watch | None = None) -> JobFolder:
    """Read a job's folder.

    Raises:
        JobFolderError: it is no job's folder, or something in it cannot be read.
    """
    try:
        config = read_config(path / "config.json")
        kinds = TrialKinds()
        lock = read_lock(path / "lock.json", kinds, config.single_trials)
        record = read_record(path / "result.json")
        folders = _folders(path)
    except FolderError as error:
        raise JobFolderError([str(error)]) from None
    except OSError as error:
        raise JobFolderError([f"{path}: {error.strerror}; give the folder of a job"]) from None
    reader = _JobReader(path, TrialReader(kinds), series, record)
    reader.read(folders, watch)
    if record.finished:
        problem, remedy = "no result.json, although the job has finished", "restore it, or resume the job with Harbor"
        reader.problems += [str(FolderError(path / name, problem, remedy)) for name in reader.running]
    if reader.problems:
        raise JobFolderError(reader.problems)
    return JobFolder(path, config, lock, record, reader.trials, reader.running, reader.strange)


def _folders(path: Path) -> list[str]:
    """Names of the folders inside, links to folders included, in the order of the directory."""
    with os.scandir(path) as entries:
        return [entry.name for entry in entries if entry.is_dir()]


class _JobReader:
    def __init__(self, path: Path, reader: TrialReader, series: Series, record: JobRecord) -> None:
        self.trials: list[TrialFile] = []
        self.running: list[str] = []
        self.strange: list[str] = []
        self.problems: list[str] = []
        self._names: set[str] = set()
        self._path, self._reader, self._series, self._record = path, reader, series, record

    def read(self, folders: list[str], watch: Watch | None) -> None:
        with _opened(self._path) as descriptor:
            for number, name in enumerate(folders):
                if watch is not None and not number % 1000:
                    watch(number, len(folders))
                try:
                    self._add(self._reader.read(name, read_text(f"{name}/result.json", folder=descriptor)))
                except FolderError as error:
                    self._sort_out(name, str(error))
        if watch is not None:
            watch(len(folders), len(folders))

    def _add(self, file: TrialFile) -> None:
        name = file.trial.name
        if name in self._names:
            problem = f"trial {name} is in another folder, too"
            raise FolderError(f"{file.folder}/result.json", problem, "remove one of them")
        self._names.add(name)
        self.trials.append(with_real_rewards(self._path, file, self._series, self._listed) if file.lost else file)

    @cached_property
    def _listed(self) -> Listed:
        return listed_rewards(self._record.text)

    def _sort_out(self, name: str, problem: str) -> None:
        """A folder without a result is a trial that has not ended, or no trial at all."""
        folder = self._path / name
        if os.path.lexists(folder / "result.json"):
            self.problems.append(f"{self._path}/{problem}")
        elif os.path.lexists(folder / "config.json"):
            self.running.append(name)
        else:
            self.strange.append(name)


@contextmanager
def _opened(path: Path) -> Iterator[int]:
    descriptor = os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        yield descriptor
    finally:
        os.close(descriptor)
