"""What a job's result.json should say, as text, and whether it does."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from parity.scorer.differences import Difference, differences, parse
from parity.scorer.job import CANCELLED
from parity.scorer.job_folder import JobFolder
from parity.scorer.job_order import known_orders, split_runs
from parity.scorer.job_stats import final_stats
from parity.scorer.metrics import aggregate
from parity.scorer.result_text import Tree, text_of
from parity.scorer.series import OFFICIAL, Series
from parity.scorer.stats import Progress, Stats
from parity.scorer.trial_file import TrialFile
from parity.scorer.values import Rewards


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
        yield "as they ended", _document(job, _interim(job, series), _progress(job))
        return
    seen: list[Sequence[TrialFile]] = []
    for order, files in known_orders(job):
        if files not in seen:
            seen.append(files)
            stats = final_stats([file.trial for file in files], job.metrics, series)
            yield order, _document(job, stats, _progress(job))


def _document(job: JobFolder, stats: Stats, progress: Progress) -> str:
    total = len(job.lock.planned)
    tree: dict[str, Tree] = {**job.record.identity, "n_total_trials": total, "stats": stats.tree(total, progress)}
    return text_of(tree)


def _progress(job: JobFolder) -> Progress:
    cancelled = sum(file.trial.exception == CANCELLED for file in job.trials)
    return Progress(len(job.running), cancelled, job.record.retries)


def _interim(job: JobFolder, series: Series) -> Stats:
    """The stats while the job runs, if no trial was tried again.

    Trials of earlier runs come first, then the others as they ended. Only groups in which a trial has ended in this
    run have metrics, there is no pass@k, and the dataset's own name decides which metrics there are.
    """
    earlier, later = split_runs(job)
    ended = sorted(later, key=lambda file: file.finished)
    stats = Stats()
    rewards: dict[str, list[Rewards | None]] = {}
    for file in [*earlier, *ended]:
        stats.add(file.trial)
        rewards.setdefault(file.trial.key, []).append(file.trial.rewards)
    metrics = job.metrics
    for key, source in {file.trial.key: file.trial.source for file in ended}.items():
        configured = metrics.get(source or "adhoc", [])
        stats.groups[key].metrics = [aggregate(metric, rewards[key], series=series) for metric in configured]
    return stats
