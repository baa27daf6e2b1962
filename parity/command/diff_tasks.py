"""Checks that a job is a complete run of a folder of tasks, as leaderboards do."""

from collections import Counter
from collections.abc import Iterator
from pathlib import Path, PurePath
from typing import Any

from parity.command.diff_jobs import digests_of, plans_of
from parity.driver.documents.task_digests import content_hash
from parity.formats.configuration import JobConfiguration
from parity.formats.lock import LockedJob
from parity.scorer.from_disk.documents import read_document
from parity.scorer.from_disk.files import FolderError
from parity.scorer.from_disk.job_document import Verdict, judge
from parity.scorer.from_disk.job_folder import JobFolder, read_job
from parity.scorer.from_disk.job_lock import LOCK_LIMIT

_OVERRIDES = ("override_", "max_timeout_sec")


def task_names(folder: Path) -> list[str]:
    """Return the names of the tasks in a folder; none if it is a job's folder."""
    return sorted(path.parent.name for path in folder.glob("*/task.toml"))


def failed_checks(path: Path, tasks: Path, names: list[str]) -> list[str]:
    """Return a line for each check that fails.

    Raises:
        FolderError, JobFolderError: the folder is no complete job, or a task cannot be read.
    """
    job = read_job(path)
    lock = read_document(path / "lock.json", LockedJob, limit=LOCK_LIMIT)
    attempts = read_document(path / "config.json", JobConfiguration).n_attempts
    return [
        *_attempts(job, lock, attempts, names),
        *sorted({line for plan in plans_of(lock) for line in _overrides(plan)}),
        *_digests(lock, tasks, names),
        *_result(job),
    ]


def _attempts(job: JobFolder, lock: LockedJob, attempts: int, names: list[str]) -> Iterator[str]:
    kinds = Counter(file.kind for file in job.trials)
    agents = {kind[-1] for kind in [*job.lock.planned, *kinds]}
    for name in names:
        for agent in sorted(map(str, agents)):
            its = sum(n for kind, n in kinds.items() if _name(kind[0] or kind[2]) == name and kind[-1] == agent)
            if its != attempts:
                yield f"attempts  {name}: {its} of {attempts}" + (f" of agent {agent}" if len(agents) > 1 else "")
    for name in sorted({trial.task.name for trial in lock.trials} - {*names}):
        yield f"attempts  {name}: no task of the folder"


def _name(place: str | None) -> str:
    return PurePath(place or "").name


def _overrides(plan: dict[str, Any]) -> Iterator[str]:
    for name, value in plan.items():
        if name.endswith("timeout_multiplier") and value != 1:
            yield f"timeouts  {name} is {value}"
    for part in ("agent", "environment", "verifier"):
        for name, value in plan[part].items():
            if name.startswith(_OVERRIDES):
                yield f"overrides  {part}.{name} is {value}"
    if plan["verifier"]["disable"]:
        yield "verification  is off"


def _digests(lock: LockedJob, tasks: Path, names: list[str]) -> Iterator[str]:
    locked = digests_of(lock)
    for name in names:
        try:
            digest = f"sha256:{content_hash(tasks / name)}"
        except (OSError, UnicodeError) as error:
            raise FolderError(tasks / name, f"cannot be read: {error}", "make it readable") from None
        for other in sorted(locked.get(name, set()) - {digest}):
            yield f"digests  {name}: {other[:19]} in lock.json, {digest[:19]} in the folder"


def _result(job: JobFolder) -> Iterator[str]:
    if not job.record.finished:
        yield "result  the job has not ended"
    elif (verdict := judge(job).verdict) is not Verdict.RIGHT:
        yield f"result  result.json {'is not what' if verdict is Verdict.WRONG else 'may not be what'} its trials say"
