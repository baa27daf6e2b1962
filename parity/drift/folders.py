"""Reads the user's folders, without changing them: a verifier's as a case for releases, and a job's with its trials."""

import errno
import os
import stat
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from parity.operations.files.file_states import ABSENT, FileState
from parity.operations.read_reward import RewardFolder
from parity.operations.read_reward.case import NAMES
from parity.scorer.from_disk.files import LIMIT, FolderError, too_large
from parity.scorer.from_disk.job_config import read_config
from parity.scorer.from_disk.trial_file import TrialFile, read_trial

_REMEDY = "name the verifier's folder of a trial"


def read_verifier(folder: Path) -> RewardFolder:
    """Read the two reward files of a verifier's folder.

    Raises:
        FolderError: the path is not a verifier's folder, or a file in it may not be read or is too large.
    """
    try:
        names = set(os.listdir(folder))
    except OSError as error:
        raise FolderError(folder, error.strerror or type(error).__name__, _REMEDY) from None
    if not names & set(NAMES) and names & {"verifier", "trial.log", "config.json"}:
        raise FolderError(folder, "a trial's or a job's folder, not a verifier's", f"{_REMEDY}, or use --jobs")
    in_json, in_text = (_state(folder / name) for name in NAMES)
    return RewardFolder(in_json, in_text)


def _state(path: Path) -> FileState:
    if not os.path.lexists(path):
        return ABSENT
    try:
        status = path.stat()
        if stat.S_ISREG(status.st_mode):
            if status.st_size > LIMIT:
                raise too_large(path, status.st_size, LIMIT)
            return FileState("file", path.read_bytes())
    except PermissionError:
        raise FolderError(path, "may not be read", "make it readable, with chmod u+r") from None
    except OSError as error:
        return FileState("looping-link" if error.errno == errno.ELOOP else "dangling-link")
    if stat.S_ISDIR(status.st_mode):
        return FileState("directory")
    if stat.S_ISFIFO(status.st_mode):
        return FileState("fifo")
    return FileState("socket" if stat.S_ISSOCK(status.st_mode) else "device")


@dataclass(frozen=True)
class TrialOnDisk:
    """A trial that has ended, with its verifier's folder, or with one folder for each step."""

    file: TrialFile
    verifiers: dict[Path, RewardFolder]


@dataclass(frozen=True)
class JobOnDisk:
    """A job's folder."""

    path: Path
    trials: list[TrialOnDisk]
    """The trials, in the order of their starts."""

    metrics: tuple[str, ...]
    problems: list[str]
    """One line for each trial or file that cannot be read."""


def read_job_folder(path: Path) -> JobOnDisk:
    """Read the folder of a job of any release of Harbor.

    Raises:
        FolderError: the folder has no trial that has ended.
    """
    try:
        with os.scandir(path) as entries:
            names = sorted(entry.name for entry in entries if entry.is_dir())
    except OSError as error:
        raise FolderError(path, error.strerror or type(error).__name__, "name the folder of a job") from None
    trials, problems = list[TrialOnDisk](), list[str]()
    for name in (name for name in names if os.path.lexists(path / name / "result.json")):
        try:
            file = read_trial(path / name)
            trials.append(TrialOnDisk(file, {place: read_verifier(place) for place in _verifiers(path / name, file)}))
        except FolderError as error:
            problems.append(str(error))
    if not trials and not problems:
        raise FolderError(path, "holds no trial that has ended", "name the folder of a job")
    metrics: tuple[str, ...] = ()
    try:
        metrics = read_config(path / "config.json").metrics or ("mean",)
    except FolderError as error:
        problems.append(str(error))
    return JobOnDisk(path, sorted(trials, key=lambda trial: trial.file.started), metrics, problems)


def _verifiers(folder: Path, file: TrialFile) -> Iterator[Path]:
    places = [folder / "verifier"]
    if file.steps is not None:
        places = [folder / "steps" / step.name / "verifier" for step in file.steps]
    yield from (place for place in places if place.is_dir())
