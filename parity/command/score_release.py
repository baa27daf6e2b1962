"""Checks a job's result.json with the code of a release of Harbor."""

import json
import re
from contextlib import closing
from dataclasses import replace

from parity.command.exit_code import CommandFailure
from parity.reference import ReferenceLost, WheelError
from parity.reference.separate.environments import open_separate, show
from parity.reference.stored_jobs import stored_job
from parity.scorer.job import Job
from parity.scorer.job_directory.check import Check, Order
from parity.scorer.job_directory.differences import difference_lines
from parity.scorer.job_directory.directory import JobDirectory, JobDirectoryError


def check_by_release(job: JobDirectory, checked: Check, name: str) -> tuple[Check, set[str]]:
    """Return a release's check of a job, and the names of the trials that the release leaves out.

    The release gets the trials in the order that the scorer found.

    Args:
        job: a job that has ended.
        checked: the scorer's check of the job.
        name: the release, as `open_separate` accepts it.

    Raises:
        CommandFailure: the release cannot be run.
        JobDirectoryError: the release cannot read the directory, or its job ends with an error.
    """
    files = checked.order.files
    case = Job(
        job.total,
        metrics=tuple(metric.type for metric in job.config.metrics),
        datasets=tuple(job.datasets),
        earlier=tuple(replace(file.trial, name=file.directory) for file in files),
        retries=job.stored.stats.n_retries,
    )
    try:
        with closing(open_separate(name, show)) as release:
            answer = stored_job(release, case, job.path)
    except (WheelError, ReferenceLost) as error:
        raise CommandFailure(str(error)) from None
    label = f"harbor {release.identity.harbor}"
    if answer.problems:
        raise JobDirectoryError([f"{label}: {problem}" for problem in answer.problems])
    identity = {key: json.dumps(value) for key, value in job.stored.identity.items()}
    head = re.compile(rf'"({"|".join(identity)})": (null|"[^"]*")')
    text = head.sub(lambda match: f'"{match[1]}": {identity[match[1]]}', answer.text, count=len(identity))
    order = Order(f"{checked.order.phrase}, by {label}", files)
    left_out = {file.trial.name for file in files if not answer.alone[file.directory]}
    return Check(text, order, difference_lines(text, job.text), checked.hidden), left_out
