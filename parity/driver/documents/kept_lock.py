"""lock.json of a resumed job: it keeps the creation data of the old one, which must have the same trials.

Trials are compared in any order, and tasks by their digest, whatever their name and place. Mirrors harbor.job and
harbor.models.job.lock in behaviour.
"""

import os
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from parity.driver.documents.configurations import canonical, first_difference
from parity.driver.documents.resume import ResumeError
from parity.formats.lock import LockedJob
from parity.scorer.from_disk.documents import read_document
from parity.scorer.from_disk.files import FolderError
from parity.scorer.from_disk.job_lock import LOCK_LIMIT
from parity.scorer.result_text import Tree

_KEPT = "created_at", "harbor", "invocation"


def kept_lock(path: Path, fresh: Mapping[str, Tree]) -> Mapping[str, Tree]:
    """Return the lock to write, with the creation data of an earlier run's lock if there is one.

    Args:
        path: lock.json of the job.
        fresh: the lock of this run, from `lock_tree`.

    Raises:
        ResumeError: the old lock is damaged, or has other trials.
    """
    if not os.path.lexists(path):
        return fresh
    try:
        read = read_document(path, LockedJob, limit=LOCK_LIMIT)
    # Rule: run-job/resume-lock
    except FolderError as error:
        raise ResumeError(str(error), ValueError) from None
    wanted = LockedJob.model_validate(fresh)
    # Rule: run-job/resume-lock
    if "exclude_exceptions" not in fresh["retry"]:  # type: ignore[operator]
        # Null is not written, and a missing value is read as the default: such a job can never be resumed.
        wanted.retry.exclude_exceptions = None
    # Rule: run-job/resume-lock
    difference = _difference(wanted.model_dump(mode="json"), read.model_dump(mode="json"))
    if difference is not None:
        remedy = "run with the same tasks and settings, or give the job another name"
        problem = f"does not fit the planned run: {difference}"
        raise ResumeError(str(FolderError(path, problem, remedy)), FileExistsError)
    return {**_kept(read, fresh), **{name: value for name, value in fresh.items() if name not in _KEPT}}


def _kept(read: LockedJob, fresh: Mapping[str, Tree]) -> dict[str, Tree]:
    """Return the creation data of the old lock, with Harbor's defaults for missing fields."""
    kept = read.model_dump(mode="json", include=set(_KEPT) & read.model_fields_set, exclude_none=True)
    return {
        "schema_version": fresh["schema_version"],
        "created_at": fresh["created_at"],
        "harbor": {},
        **kept,
    }


def _difference(fresh: Mapping[str, Any], found: Mapping[str, Any]) -> str | None:
    for name in ("schema_version", "n_concurrent_trials", "retry"):
        difference = first_difference({name: fresh[name]}, {name: found[name]})
        if difference is not None:
            return str(difference)
    if _trials(fresh) != _trials(found):
        return "it has other trials, or a task has changed since"
    return None


def _trials(lock: Mapping[str, Any]) -> Counter[str]:
    return Counter(canonical(_identity(trial)) for trial in lock["trials"])


def _identity(trial: Mapping[str, Any]) -> dict[str, Any]:
    """What counts of a trial in a lock. Tasks, skills and files count by their digests, wherever they are.

    The agent's paths of skills and the environment's paths of Compose files do not count.
    """
    # Rule: run-job/resume-lock-digests
    return {
        **trial,
        "task": trial["task"]["digest"],
        "agent": _without("skills", trial["agent"]),
        "skills": [(skill["name"], skill["digest"]) for skill in trial["skills"]],
        "environment": _without("extra_docker_compose", trial["environment"]),
        "extra_instructions": _digests(trial["extra_instructions"]),
        "extra_docker_compose": _digests(trial["extra_docker_compose"]),
    }


def _without(member: str, value: Mapping[str, Any]) -> dict[str, Any]:
    return {name: item for name, item in value.items() if name != member}


def _digests(files: Sequence[Mapping[str, Any]] | None) -> list[str] | None:
    return None if files is None else [file["digest"] for file in files]
