"""The lock.json of a job: the settings of the run, and its tasks with their digests. Resuming a job checks them.

In lock.json, `harbor` has no version, because Harbor does not run the job. Mirrors harbor.models.job.lock in behaviour.
"""

from collections.abc import Mapping, Sequence
from datetime import datetime

from parity.driver.documents.templates import templatize
from parity.driver.job_plan import JobPlan
from parity.driver.trial_plan import Trial
from parity.formats.lock import LockedJob, LockedTask, LockedTrial
from parity.scorer.result_text import Tree


def lock_of(plan: JobPlan, created_at: datetime, invocation: Sequence[str] | None) -> LockedJob:
    """Return the lock.json of a job.

    Args:
        plan: the job.
        created_at: the time when the job starts, in UTC.
        invocation: the command line that started the job.

    Raises:
        OSError, UnicodeError: a task cannot be read.
    """
    written = plan.written
    shared = {name: getattr(written, name) for name in LockedTrial.model_fields if hasattr(written, name)}
    # Rule: run-job/lock
    return LockedJob(
        created_at=created_at,
        invocation=None if invocation is None else sanitized(invocation, plan.host),
        n_concurrent_trials=written.n_concurrent_trials,
        retry=written.retry,
        trials=[LockedTrial(task=_locked_task(trial), agent=trial.written_agent, **shared) for trial in plan.trials],
    )


def lock_tree(lock: LockedJob) -> Tree:
    """Return lock.json as JSON values. Members that are null are left out, but not in objects with keys of the user."""
    tree: Tree = lock.model_dump(mode="json", exclude_none=True)
    return tree


def _locked_task(trial: Trial) -> LockedTask:
    task = trial.task
    digest = f"sha256:{task.content_hash}"
    return LockedTask(name=task.directory.name, type="local", digest=digest, source=trial.source, path=task.path)


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
