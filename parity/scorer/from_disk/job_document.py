"""What a job's result.json should say, as text, and whether it does."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from parity.scorer.from_disk.differences import Difference, differences, parse
from parity.scorer.from_disk.interim import document, interim_text
from parity.scorer.from_disk.job_folder import JobFolder
from parity.scorer.from_disk.job_order import known_orders
from parity.scorer.from_disk.trial_file import TrialFile
from parity.scorer.job import CANCELLED
from parity.scorer.job_stats import final_stats
from parity.scorer.series import OFFICIAL, Series
from parity.scorer.stats import Progress


@dataclass(frozen=True)
class Judgement:
    """What result.json should say, and where it says something else."""

    text: str
    """The whole document; id, times and retries are those of the present result.json."""

    order: str
    """The order of trials that gave it, as a phrase."""

    differences: tuple[Difference, ...] = field(default=())

    same_text: bool = True
    """Whether result.json is this text, byte for byte."""


def judge(job: JobFolder, *, series: Series = OFFICIAL) -> Judgement:
    """Compute the job's result.json, in the order of trials that reproduces it or comes nearest.

    Raises:
        OverflowError: a metric over an int beyond the range of a double, which ends a job.
    """
    best: Judgement | None = None
    found = None
    for order, text in _documents(job, series):
        if text == job.record.text:
            return Judgement(text, order)
        found = parse(job.record.text) if found is None else found
        judgement = Judgement(text, order, tuple(differences(parse(text), found)), same_text=False)
        if best is None or len(judgement.differences) < len(best.differences):
            best = judgement
        if not best.differences:
            break
    assert best is not None
    return best


def _documents(job: JobFolder, series: Series) -> Iterator[tuple[str, str]]:
    """Orders of trials and the document that each gives."""
    if not job.record.finished:
        yield "as they ended", interim_text(job, series)
        return
    seen: list[Sequence[TrialFile]] = []
    cancelled = sum(file.trial.exception == CANCELLED for file in job.trials)
    progress = Progress(0, cancelled, job.record.retries)
    for order, files in known_orders(job):
        if files not in seen:
            seen.append(files)
            yield order, document(job, final_stats([file.trial for file in files], job.metrics, series), progress)
