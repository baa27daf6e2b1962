"""The interim result.json of a job that has not ended: the text that Harbor wrote at the last event of a trial.

A trial writes its own result first, and the job receives it later; `updated_at` shows how far the job has come. Results
of a trial before it was retried leave traces in result.json that no folder shows. A job with such traces can be called
right, but never wrong.
"""

from collections import Counter
from collections.abc import Sequence
from contextlib import suppress

from parity.scorer.from_disk.job_folder import JobFolder
from parity.scorer.from_disk.job_order import Runs
from parity.scorer.job import CANCELLED
from parity.scorer.metrics import aggregate
from parity.scorer.result_text import text_of
from parity.scorer.series import Series
from parity.scorer.stats import Progress, Stats, job_document
from parity.scorer.values import Rewards


def document_text(job: JobFolder, stats: Stats, progress: Progress) -> str:
    """Return the text of result.json with the id and times of the present one."""
    return text_of(job_document(job.record.identity, len(job.lock.planned), stats, progress))


def received_of(job: JobFolder, runs: Runs) -> Runs:
    """Return the trials of earlier runs, and those of this run that the job has received, in the order of their ends.

    A trial that ended just before the last one received may still count as running: result.json then has one completed
    trial less, and does not list it.
    """
    received = sorted(
        (file for file in runs.later if file.finished <= job.record.updated), key=lambda file: file.finished
    )
    uncounted = len(runs.earlier) + len(received) - job.record.completed
    if 0 < uncounted <= job.record.running:
        unlisted = [file for file in reversed(received) if file.trial.name not in job.record.names]
        unlisted.sort(key=lambda file: not (file.trial.rewards or file.trial.exception))  # others are never listed
        running = {file.folder for file in unlisted[:uncounted]}
        received = [file for file in received if file.folder not in running]
    return Runs(runs.earlier, received)


def interim_text(job: JobFolder, runs: Runs, series: Series) -> str:
    """Return the expected result.json of a job that has not ended.

    Trials of earlier runs come first, then the others in the order of their ends. A group has metrics as soon as one of
    its trials has ended in this run, or an earlier one has started again, which no folder shows. There is no pass@k.
    Metrics are looked up by the dataset's own name.
    """
    earlier, ended = received_of(job, runs)
    stats = Stats()
    rewards: dict[str, list[Rewards | None]] = {}
    for file in [*earlier, *ended]:
        stats.add(file.trial)
        rewards.setdefault(file.trial.key, []).append(file.trial.rewards)
    metrics, ends = job.metrics, Counter(file.trial.key for file in ended)
    for key, source in {file.trial.key: file.trial.source for file in ended}.items():
        configured = metrics.get(source or "adhoc", [])
        stats.groups[key].metrics = _last_metrics(configured, rewards[key], ends[key], series)
    return document_text(job, stats, _progress(job, Runs(earlier, ended)))


def may_have_traces(job: JobFolder) -> bool:
    """Return whether result.json may hold results from before a retry, which the folder no longer has.

    A trial that is about to be retried has failed, so result.json lists it.
    """
    tried_again = job.record.names.difference(file.trial.name for file in job.trials)
    return job.record.retries > 0 or (job.config.may_retry and bool(tried_again))


def _last_metrics(configured: Sequence[str], rewards: list[Rewards | None], ends: int, series: Series) -> list[Rewards]:
    """Return a group's metrics from the last time they could be computed. After a metric beyond a double, none is
    renewed.

    Args:
        configured: names of the metrics.
        rewards: the rewards of the group's trials, in the order of their ends.
        ends: the number of trials, at the end of these, that ended in this run.
        series: the interpreter series of the `sum()` to compute.
    """
    for left in range(ends):
        with suppress(OverflowError):
            counted = rewards[: len(rewards) - left]
            return [aggregate(metric, counted, series=series) for metric in configured]
    return []


def _progress(job: JobFolder, received: Runs) -> Progress:
    """Return the counts of result.json, as far as they are possible.

    The folder does not show whether the job knows that a trial has started or was cancelled: a refused second start
    removes the folders of running trials. A trial that failed before it was cancelled keeps its first error.
    """
    left = max(0, len(job.lock.planned) - len(received.earlier) - len(received.later))
    surely = sum(file.trial.exception == CANCELLED for file in [*received.earlier, *received.later])
    failed = sum(file.trial.exception not in (None, CANCELLED) for file in received.later)
    cancelled = min(max(job.record.cancelled, surely), surely + failed + left)
    return Progress(min(job.record.running, left), cancelled, job.record.retries)
