"""Reads a job's folder: its trials with their verifiers' folders, and its metrics."""

import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from parity.drift.folders import read_verifier
from parity.operations.read_reward import RewardFolder
from parity.scorer.from_disk.files import FolderError
from parity.scorer.from_disk.job_config import read_config
from parity.scorer.from_disk.trial_file import TrialFile, read_trial


@dataclass(frozen=True)
class TrialOnDisk:
    """A trial that has ended, with its verifier's folder, or with one for each step."""

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
