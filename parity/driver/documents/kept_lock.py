"""lock.json of a job that goes on: the old one decides when the job was made, and must be of the same trials.

Trials are the same whatever their order, and tasks whatever their name and place, by their digest.
Mirrors harbor.job and harbor.models.job.lock in behaviour.
"""

import os
from collections import Counter
from collections.abc import Mapping
from pathlib import Path

from parity.driver.documents.equality import canonical, first_difference, retry_identity
from parity.driver.documents.resume import ResumeError
from parity.scorer.from_disk.files import FolderError, parse_object, read_text
from parity.scorer.from_disk.job_lock import LOCK_LIMIT
from parity.scorer.result_text import Tree

_KEPT = "created_at", "harbor", "invocation"


def kept_lock(path: Path, fresh: Mapping[str, Tree]) -> Mapping[str, Tree]:
    """The lock to write where an earlier run may have left one.

    Args:
        path: lock.json of the job.
        fresh: what `lock_tree` gives for this run.

    Raises:
        ResumeError: the old lock is damaged, or of other trials.
    """
    if not os.path.lexists(path):
        return fresh
    try:
        found = parse_object(path, read_text(path, limit=LOCK_LIMIT))
        difference = _difference(fresh, found)
    except FolderError as error:
        raise ResumeError(str(error)) from None
    if difference is not None:
        remedy = "run with the same tasks and settings, or give the job another name"
        raise ResumeError(str(FolderError(path, f"does not fit what is to be run: {difference}", remedy)))
    kept: dict[str, Tree] = {}
    for name in ("schema_version", *_KEPT):
        if name in found:
            kept[name] = found[name]
    return {**kept, **{name: value for name, value in fresh.items() if name not in _KEPT}}


def _difference(fresh: Mapping[str, Tree], found: Mapping[str, object]) -> str | None:
    for name in ("schema_version", "n_concurrent_trials", "retry"):
        sides = ({name: retry_identity(side.get(name))} for side in (fresh, found))
        difference = first_difference(*sides)
        if difference is not None:
            return str(difference)
    if _trials(fresh) != _trials(found):
        return "the trials are others, or a task has changed since"
    return None


def _trials(lock: Mapping[str, object]) -> Counter[str]:
    trials = lock.get("trials")
    return Counter(map(_trial, trials)) if isinstance(trials, list) else Counter()


def _trial(entry: object) -> str:
    task = entry.get("task") if isinstance(entry, Mapping) else None
    if not isinstance(entry, Mapping) or not isinstance(task, Mapping):
        return canonical(entry)
    return canonical({**entry, "task": task.get("digest")})
