"""Going on with a job from what its earlier runs left in its folder, as `harbor jobs resume` does.

Trials that ended are kept, by the configuration in their folder, for the planned ones that say the same. Trials that
did not end, and those that were cancelled, are removed and run again. Nothing is removed before all else is in order.
Mirrors harbor.job and harbor.cli.jobs in behaviour.
"""

import os
import re
import shutil
from collections import defaultdict, deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from uuid import UUID

from parity.driver.documents.atomic import remove_drafts
from parity.driver.documents.configurations import PlannedTrial, job_config_tree, trial_config_tree
from parity.driver.documents.equality import first_difference, job_identity, trial_identity
from parity.driver.settings import JobSettings
from parity.scorer.from_disk.files import FolderError, parse_object, read_text
from parity.scorer.from_disk.job_record import read_record
from parity.scorer.from_disk.lost_rewards import with_real_rewards
from parity.scorer.from_disk.trial_file import TrialReader
from parity.scorer.from_disk.trial_kinds import TrialKinds
from parity.scorer.job import CANCELLED, JobTrial
from parity.scorer.series import OFFICIAL, Series

_TRIAL_NAME = re.compile(r".*__[0-9A-Za-z]{7}", re.DOTALL)
"""How trials are named, after their task. No other folder is ever taken for one that did not end."""

_ELSEWHERE = "move it elsewhere, or give the job another name"
_ANOTHER_JOB = "run with the same settings, or give the job another name"


class ResumeError(Exception):
    """A job cannot go on: one line that names the file or folder, says what is wrong, and what to do."""


@dataclass(frozen=True)
class EarlierRuns:
    """What earlier runs of a job left."""

    job_id: UUID | None
    started_at: datetime | None
    """Local time, without a zone. Both are None where the job was killed before it wrote its first result.json."""

    n_retries: int
    trials: tuple[JobTrial, ...]
    """Those that ended, in the order in which the directory lists them."""

    remaining: tuple[PlannedTrial, ...]
    """Those that are still to be run, as planned."""

    removed: tuple[str, ...]
    """Folders of trials that are run again."""


def resume(
    settings: JobSettings,
    planned: Sequence[PlannedTrial],
    *,
    host: Mapping[str, str] = os.environ,
    series: Series = OFFICIAL,
) -> EarlierRuns | None:
    """Clear the job's folder for another run; None where there was no earlier one.

    Raises:
        ResumeError: the job was run with other settings, or something in its folder is damaged or strange.
    """
    job = settings.folder
    try:
        if not os.path.lexists(job / "config.json"):
            _check_fresh(job)
            return None
        _check_settings(settings, host)
        left = _Leftovers(series)
        for name in _folders(job):
            left.read(job / name)
        remaining = _remaining(settings, planned, host, left.ended)
        earlier = _earlier_runs(job, left, remaining)
        remove_drafts(job)
    except FolderError as error:
        raise ResumeError(str(error)) from None
    except OSError as error:
        raise _refusal(error.filename or job, error.strerror or type(error).__name__, _ELSEWHERE) from None
    for name in earlier.removed:
        _remove(job / name)
    return earlier


def _check_fresh(job: Path) -> None:
    if os.path.lexists(job / "result.json"):
        raise _refusal(job, "has a result.json, but no config.json", "restore it, or give the job another name")


def _check_settings(settings: JobSettings, host: Mapping[str, str]) -> None:
    path = settings.folder / "config.json"
    found = parse_object(path, read_text(path))
    difference = first_difference(job_identity(job_config_tree(settings, host=host)), job_identity(found))
    if difference is not None:
        raise _refusal(path, f"the job was run with other settings: {difference}", _ANOTHER_JOB)


def _folders(job: Path) -> list[str]:
    with os.scandir(job) as entries:
        folders = [entry for entry in entries if entry.is_dir()]
    for entry in folders:
        if entry.is_symlink():
            raise _refusal(entry.path, "a link to a folder, not a folder", _ELSEWHERE)
    return [entry.name for entry in folders]


@dataclass
class _Leftovers:
    """What the folders of trials hold."""

    series: Series
    trials: list[JobTrial] = field(default_factory=list)
    ended: defaultdict[str, deque[Path]] = field(default_factory=lambda: defaultdict(deque))
    """What counts of a configuration, to the folders of the trials that have it."""

    to_remove: list[str] = field(default_factory=list)
    _places: dict[str, Path] = field(default_factory=dict)
    _reader: TrialReader = field(default_factory=lambda: TrialReader(TrialKinds()))

    def read(self, folder: Path) -> None:
        if not os.path.lexists(folder / "result.json"):
            if not _TRIAL_NAME.fullmatch(folder.name):
                raise _refusal(folder, "no folder of a trial", _ELSEWHERE)
            self.to_remove.append(folder.name)
            return
        try:
            self._read_ended(folder)
        except FolderError as error:
            raise ResumeError(f"{error}, or remove {folder} so that the trial runs again") from None

    def _read_ended(self, folder: Path) -> None:
        file = self._reader.read(str(folder), read_text(folder / "result.json"))
        if file.trial.exception == CANCELLED:
            self.to_remove.append(folder.name)
            return
        if file.lost:
            file = with_real_rewards(Path(), file, self.series)
        other = self._places.setdefault(file.trial.name, folder)
        if other != folder:
            raise _refusal(folder, f"trial {file.trial.name} is in {other}, too", "remove one of them")
        config = folder / "config.json"
        self.ended[trial_identity(parse_object(config, read_text(config)))].append(folder)
        self.trials.append(file.trial)


def _remaining(
    settings: JobSettings,
    planned: Sequence[PlannedTrial],
    host: Mapping[str, str],
    ended: Mapping[str, deque[Path]],
) -> list[PlannedTrial]:
    """The planned trials without those that ended, each of which stands for the first that says the same."""
    identities: dict[tuple[Path, str | None], str] = {}
    remaining = []
    for trial in planned:
        identity = identities.get((trial.task, trial.source))
        if identity is None:
            tree = trial_config_tree(
                settings, task=trial.task, source=trial.source, trial_name="", job_id="", host=host
            )  # fmt: skip
            identity = identities[trial.task, trial.source] = trial_identity(tree)
        if folders := ended.get(identity):
            folders.popleft()
        else:
            remaining.append(trial)
    for folders in ended.values():
        if folders:
            raise _refusal(folders[0], "a trial that this job does not plan, or not so often", _ELSEWHERE)
    return remaining


def _earlier_runs(job: Path, left: _Leftovers, remaining: Sequence[PlannedTrial]) -> EarlierRuns:
    trials, removed = tuple(left.trials), tuple(left.to_remove)
    path = job / "result.json"
    if not os.path.lexists(path):
        return EarlierRuns(None, None, 0, trials, tuple(remaining), removed)
    record = read_record(path)
    started = datetime.fromisoformat(str(record.identity["started_at"]))
    return EarlierRuns(
        UUID(record.identity["id"]), started, record.retries, trials, tuple(remaining), removed
    )  # fmt: skip


def _remove(folder: Path) -> None:
    try:
        # First of all: a folder without a result is never taken for a trial that ended, however much of it is left.
        (folder / "result.json").unlink(missing_ok=True)
        shutil.rmtree(folder)
    except OSError as error:
        problem = f"cannot be removed: {error.strerror or type(error).__name__}"
        raise _refusal(error.filename or folder, problem, f"remove {folder} yourself, its trial runs again") from None


def _refusal(where: object, problem: str, remedy: str) -> ResumeError:
    return ResumeError(str(FolderError(where, problem, remedy)))
