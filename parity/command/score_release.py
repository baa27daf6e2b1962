"""Judges a job's result.json by the code of a release of Harbor."""

import json
import re
from contextlib import closing

from parity.command.exit_code import CommandFailure
from parity.reference import ReferenceLost, WheelError
from parity.reference.separate.making import open_separate, show
from parity.reference.stored_jobs import stored_job
from parity.scorer.from_disk.differences import differences, parse
from parity.scorer.from_disk.job_document import Judgement, Verdict
from parity.scorer.from_disk.job_folder import JobFolder, JobFolderError
from parity.scorer.from_disk.job_order import shown_order
from parity.scorer.job import Job


def judge_by_release(job: JobFolder, name: str) -> tuple[Judgement, set[str]]:
    """Return the judgement in the order that the folder shows, and the names of trials that the release leaves out.

    Raises:
        CommandFailure: the release cannot be asked, or the job has not ended.
        JobFolderError: the release cannot read something, or its job ends with an error.
    """
    if not job.record.finished:
        raise CommandFailure.at(job.path, "the job has not ended", "score it without --reference, or when it has ended")
    order = shown_order(job)
    case = Job(
        len(job.lock.planned),
        metrics=job.config.metrics,
        datasets=tuple(job.config.dataset_names(job.lock.sources)),
        earlier=tuple(file.stored for file in order.files),
        retries=job.record.retries,
    )
    try:
        with closing(open_separate(name, show)) as release:
            answer = stored_job(release, case, job.path)
    except (WheelError, ReferenceLost) as error:
        raise CommandFailure(str(error)) from None
    label = f"harbor {release.identity.harbor}"
    if answer.problems:
        raise JobFolderError([f"{label}: {problem}" for problem in answer.problems])
    identity = {key: json.dumps(value) for key, value in job.record.identity.items()}
    head = re.compile(rf'"({"|".join(identity)})": (null|"[^"]*")')
    text = head.sub(lambda found: f'"{found[1]}": {identity[found[1]]}', answer.text, count=len(identity))
    verdict = Verdict.RIGHT if text == job.record.text else Verdict.WRONG
    found = tuple(differences(parse(text), parse(job.record.text)))
    left_out = {file.trial.name for file in order.files if not answer.alone[file.folder]}
    return Judgement(text, f"{order.phrase}, by {label}", verdict, None, found), left_out
