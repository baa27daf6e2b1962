"""lock.json of a job: the exact tasks and settings of the run, identified by digests; checked when a job is resumed.

Null values are not written. `harbor` has no version, because Harbor does not run the job. In the check, trials are
compared in any order, and tasks by their digest, whatever their name and place. Mirrors harbor.job and
harbor.models.job.lock in behaviour.
"""

import os
from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any

from parity.driver.documents.configurations import PlannedTrial, canonical, first_difference, job_config_tree
from parity.driver.documents.resume import ResumeError
from parity.driver.documents.task_digests import content_hash, task_folder
from parity.driver.documents.templates import templatize
from parity.driver.documents.writing import time_text
from parity.driver.settings import JobSettings
from parity.formats.lock import LockedJob
from parity.scorer.from_disk.documents import read_document
from parity.scorer.from_disk.files import FolderError
from parity.scorer.from_disk.job_lock import LOCK_LIMIT
from parity.scorer.from_disk.trial_file import without_nulls
from parity.scorer.result_text import Tree


def lock_tree(
    settings: JobSettings,
    trials: Sequence[PlannedTrial],
    created_at: datetime,
    *,
    invocation: Sequence[str] | None = None,
    host: Mapping[str, str] = os.environ,
) -> dict[str, Tree]:
    """Return lock.json of a job that starts now. Each task is read once.

    Args:
        settings: the job's settings.
        trials: all planned trials, in order.
        created_at: the time, in UTC.
        invocation: the command line that started the job; secrets in it are not written.
        host: the host's variables. Secrets among them become templates.

    Raises:
        OSError, UnicodeError: a task cannot be read.
    """
    job: dict[str, Any] = job_config_tree(settings, host=host)
    same = [_same_tree(job, agent) for agent in job["agents"]]
    tasks: dict[tuple[Path, str | None], Tree] = {}
    for trial in trials:
        if (trial.task, trial.source) not in tasks:
            tasks[trial.task, trial.source] = without_nulls(_task_tree(trial.task, trial.source))
    # Rule: run-job/lock
    return {
        "schema_version": 1,
        "created_at": time_text(created_at),
        "harbor": {},
        **({} if invocation is None else {"invocation": [*sanitized(invocation, host)]}),
        "n_concurrent_trials": settings.n_concurrent,
        "retry": without_nulls(job["retry"]),
        "trials": [{"task": tasks[trial.task, trial.source], **same[trial.agent]} for trial in trials],
    }


def _same_tree(job: Mapping[str, Tree], agent: Tree) -> dict[str, Tree]:
    """Return the part that all trials of an agent share."""
    same: dict[str, Tree] = without_nulls(
        {
            **{name: value for name, value in job.items() if name.endswith("timeout_multiplier")},
            "agent": agent,
            "skills": [],
            "environment": job["environment"],
            "verifier": job["verifier"],
        }
    )
    return same


def _task_tree(task: Path, source: str | None) -> dict[str, Tree]:
    return {
        "name": task_folder(task).name,
        "type": "local",
        "digest": f"sha256:{content_hash(task)}",
        "source": source,
        "path": str(task),
    }


_WITH_VARIABLE = "--ae", "--agent-env", "--ve", "--verifier-env"
"""Options with a value `NAME=VALUE`."""


def sanitized(arguments: Sequence[str], host: Mapping[str, str]) -> list[str]:
    """Return the arguments with secret variables replaced as by `templatize`."""
    written = []
    variable_follows = False
    for argument in arguments:
        option, equals, value = argument.partition("=")
        if variable_follows:
            written.append(_assignment(argument, host))
            variable_follows = False
        elif option in _WITH_VARIABLE:
            written.append(f"{option}={_assignment(value, host)}" if equals else option)
            variable_follows = not equals
        else:
            written.append(argument)
    return written


def _assignment(text: str, host: Mapping[str, str]) -> str:
    name, equals, value = (part.strip() for part in text.partition("="))
    return f"{name}={templatize({name: value}, host)[name]}" if equals else text


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
    """Return the old lock's creation data, with Harbor's defaults for missing fields."""
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
    """Return the part of a trial in a lock that is compared. Tasks, skills and files count by their digests alone.

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
