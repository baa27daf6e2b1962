"""Computes the result of a job with a release of Harbor, from the stored results of the job's trials.

The release resumes the job, so the release's own code computes every number.
"""

import json
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

from parity.operations.wire import Json
from parity.reference.lookup import lookup
from parity.reference.separate.client import SeparateReference
from parity.scorer.job import Job


@dataclass(frozen=True)
class StoredJob:
    """A release's answer to the stored results of a job's trials."""

    text: str = ""
    """The result.json that the release writes; empty if there is a problem."""

    alone: dict[str, Json] = field(default_factory=dict)
    """The metrics of each trial in a group of its own, by the trial's name; empty if the release leaves it out."""

    problems: tuple[str, ...] = ()
    """One line for each file that the release cannot read, or for the error that ends the job."""


def stored_job(reference: object, job: Job, directory: Path) -> StoredJob:
    """Compute the result of a job with stored results, with a reference in this or another environment.

    Args:
        reference: the release.
        job: the job; each trial in its `earlier` has ended, and has the name of its directory.
        directory: the job's directory.
    """
    if isinstance(reference, SeparateReference):
        answer: StoredJob = reference.call("stored_job", job, directory)
        return answer
    from parity.reference.jobs import result_text

    files = {trial.name: directory / trial.name / "result.json" for trial in job.earlier}
    if problems := _unreadable(files.values()):
        return StoredJob(problems=problems)
    places = {trial.name: place for place, trial in enumerate(job.earlier)}

    def alone(name: str) -> str:
        document = json.loads(files[name].read_text(encoding="utf-8"))
        document["agent_info"]["name"] = str(places[name])  # so that the trial is in a group of its own
        return json.dumps(document)

    try:
        text = result_text(job, lambda name: files[name].read_text(encoding="utf-8"))
        each = json.loads(result_text(job, alone))["stats"]["evals"]
    except Exception as error:  # a release's job may end with any exception
        return StoredJob(problems=(f"{type(error).__name__}: {' '.join(str(error).split())}",))
    names = list(places)
    metrics = {names[int(key.partition("__")[0])]: group["metrics"] for key, group in each.items()}
    return StoredJob(text, metrics)


def _unreadable(files: Iterable[Path]) -> tuple[str, ...]:
    model, problems = lookup("harbor.models.trial.result", "TrialResult"), list[str]()
    for path in files:
        try:
            model.model_validate_json(path.read_text(encoding="utf-8"))
        except ValueError as error:  # pydantic's, for one
            problems.append(f"{path}: {' '.join(str(error).split())[:200]}")
    return tuple(problems)
