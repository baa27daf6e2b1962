"""lock.json of a job: the exact tasks and settings of the run, identified by digests; checked when a job is resumed.

Null values are not written. `harbor` has no version, because Harbor does not run the job. Mirrors harbor.job and
harbor.models.job.lock in behaviour.
"""

import os
from collections.abc import Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any

from parity.driver.documents.configurations import PlannedTrial, job_config_tree
from parity.driver.documents.task_digests import content_hash, task_folder
from parity.driver.documents.templates import templatize
from parity.driver.documents.writing import time_text
from parity.driver.settings import JobSettings
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
