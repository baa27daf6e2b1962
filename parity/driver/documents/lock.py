"""The lock.json of a job: the settings of the run, and its tasks with their digests. Resuming a job checks them.

In lock.json, `harbor` has no version, because Harbor does not run the job. Mirrors harbor.models.job.lock in behaviour.
"""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from parity.driver.documents.configurations import written_agent, written_job
from parity.driver.documents.templates import templatize
from parity.driver.documents.writing import tree_of
from parity.driver.trial import Trial
from parity.formats.configuration import JobConfiguration
from parity.formats.lock import LockedJob, LockedTask, LockedTrial
from parity.scorer.result_text import Tree


def lock_of(
    job: JobConfiguration,
    trials: Sequence[Trial],
    created_at: datetime,
    invocation: Sequence[str] | None,
    host: Mapping[str, str],
) -> LockedJob:
    """Return the lock.json of a job.

    Args:
        job: the job's configuration.
        trials: all planned trials, in order.
        created_at: the time when the job starts, in UTC.
        invocation: the command line that started the job.
        host: the host's environment variables, for the templates that replace secrets.

    Raises:
        OSError, UnicodeError: a task cannot be read.
    """
    written = written_job(job, host)
    shared = {name: getattr(written, name) for name in LockedTrial.model_fields if hasattr(written, name)}
    # Rule: run-job/lock
    return LockedJob(
        created_at=created_at,
        invocation=None if invocation is None else sanitized(invocation, host),
        n_concurrent_trials=written.n_concurrent_trials,
        retry=written.retry,
        trials=[
            LockedTrial(task=_locked_task(trial), agent=written_agent(trial.agent, host), **shared) for trial in trials
        ],
    )


def lock_tree(lock: LockedJob) -> Tree:
    """Return lock.json as JSON values, without nulls at any depth."""
    tree: Tree = _without_nulls(tree_of(lock))
    return tree


def _locked_task(trial: Trial) -> LockedTask:
    task = trial.task
    digest = f"sha256:{task.content_hash}"
    return LockedTask(name=task.directory.name, type="local", digest=digest, source=trial.source, path=task.path)


def _without_nulls(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _without_nulls(item) for key, item in value.items() if item is not None}
    if isinstance(value, list):
        return [_without_nulls(item) for item in value]
    return value


_WITH_VARIABLE = "--ae", "--agent-env", "--ve", "--verifier-env"
"""Command-line options whose value has the form `NAME=VALUE`."""


def sanitized(arguments: Sequence[str], host: Mapping[str, str]) -> list[str]:
    """Return command-line arguments, with secret environment variables replaced as by `templatize`."""
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
