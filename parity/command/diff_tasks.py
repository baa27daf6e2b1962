"""Checks, as leaderboards do, that a job is a complete run of the tasks in a directory."""

from collections import Counter
from collections.abc import Iterator
from pathlib import Path, PurePath
from typing import Any

from parity.command.diff_jobs import digests_of, lock_of, plans_of, read_ended_job
from parity.driver.documents.task_digests import content_hash
from parity.formats.lock import LockedJob
from parity.scorer.job_directory.check import check
from parity.scorer.job_directory.directory import JobDirectory
from parity.scorer.job_directory.files import FileError

_OVERRIDES = ("override_", "max_timeout_sec")


def task_names(directory: Path) -> list[str]:
    """Return the names of the tasks in a directory; an empty list if it is a job's directory."""
    return sorted(path.parent.name for path in directory.glob("*/task.toml"))


def failed_checks(path: Path, tasks: Path, names: list[str]) -> list[str]:
    """Return a line for each check that fails.

    Raises:
        FileError: the directory is not a complete job that has ended, or a task cannot be read.
    """
    job = read_ended_job(path)
    lock = lock_of(job)
    return [
        *_attempts(job, lock, names),
        *sorted({line for plan in plans_of(lock) for line in _overrides(plan)}),
        *_digests(lock, tasks, names),
        *_result(job),
    ]


def _attempts(job: JobDirectory, lock: LockedJob, names: list[str]) -> Iterator[str]:
    attempts = job.config.n_attempts
    counts = Counter(file.task_and_agent for file in job.trials)
    agents = {key[-1] for key in [*job.planned, *counts]}
    for name in names:
        for agent in sorted(map(str, agents)):
            tried = sum(n for key, n in counts.items() if _name(key[0] or key[2]) == name and key[-1] == agent)
            if tried != attempts:
                yield f"attempts  {name}: {tried} of {attempts}" + (f" of agent {agent}" if len(agents) > 1 else "")
    for name in sorted({trial.task.name for trial in lock.trials} - {*names}):
        yield f"attempts  {name}: not a task in the directory"


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
            raise FileError(tasks / name, f"cannot be read: {error}", "make it readable") from None
        for other in sorted(locked.get(name, set()) - {digest}):
            yield f"digests  {name}: {other[:19]} in lock.json, {digest[:19]} in the directory"


def _result(job: JobDirectory) -> Iterator[str]:
    checked = check(job)
    if checked.differences:
        verb = "does not agree" if checked.hidden is None else "may not agree"
        yield f"result  result.json {verb} with its trials"
