"""result.json of a job that has not ended: what Harbor wrote when it last learned of a trial.

A trial writes its own result first, and the job learns of it later; `updated_at` shows how far the job has come. What a
trial gave before it was tried again leaves traces that no folder shows, so a job with retries can turn out right, but
not wrong.
"""

from collections import Counter
from collections.abc import Sequence
from contextlib import suppress

from parity.scorer.from_disk.job_folder import JobFolder
from parity.scorer.from_disk.job_order import Runs, possible_runs
from parity.scorer.from_disk.trial_file import TrialFile
from parity.scorer.job import CANCELLED
from parity.scorer.metrics import aggregate
from parity.scorer.result_text import text_of
from parity.scorer.series import Series
from parity.scorer.stats import Progress, Stats, job_document
from parity.scorer.values import Rewards


def document_text(job: JobFolder, stats: Stats, progress: Progress) -> str:
    """The text of result.json; id and times are those of the present one."""
    return text_of(job_document(job.record.identity, len(job.lock.planned), stats, progress))


def received_of(job: JobFolder, runs: Runs) -> Runs:
    """The trials of earlier runs, and those of this one that the job has learned of, in the order of their ends.

    One that ended just before the last that the job has learned of may still be running for it: result.json then
    counts one less, and does not list it.
    """
    received = sorted(
        (file for file in runs.later if file.finished <= job.record.updated), key=lambda file: file.finished
    )
    uncounted = len(runs.earlier) + len(received) - job.record.completed
    if 0 < uncounted <= job.record.running:
        unlisted = [file for file in reversed(received) if file.trial.name not in job.record.names]
        unlisted.sort(key=lambda file: not (file.trial.rewards or file.trial.exception))  # others are listed nowhere
        running = {file.folder for file in unlisted[:uncounted]}
        received = [file for file in received if file.folder not in running]
    return Runs(runs.earlier, received)


def interim_text(job: JobFolder, runs: Runs, series: Series) -> str:
    """What the result.json of a job that has not ended should say.

    Trials of earlier runs come first, then the others as they ended. A group has metrics as soon as one of its trials
    has ended in this run, or an earlier one has started again, which no folder shows. There is no pass@k, and the
    dataset's own name decides which metrics there are.
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
    return document_text(job, stats, _progress(job, [*earlier, *ended]))


def has_traces_of_retries(job: JobFolder) -> bool:
    """Whether result.json may hold what a trial gave that was tried again, or is about to be: its result is gone."""
    received = sum(map(len, received_of(job, possible_runs(job)[0])))
    return job.record.retries > 0 or (job.config.may_retry and job.record.completed > received)


def _last_metrics(configured: Sequence[str], rewards: list[Rewards | None], ends: int, series: Series) -> list[Rewards]:
    """A group's metrics since they could last be computed; one beyond a double ends the job, and none is renewed.

    Args:
        configured: names of the metrics.
        rewards: those of the group's trials, as they ended.
        ends: how many of them, the last ones, ended in this run.
        series: whose `sum()` to compute.
    """
    for left in range(ends):
        with suppress(OverflowError):
            counted = rewards[: len(rewards) - left]
            return [aggregate(metric, counted, series=series) for metric in configured]
    return []


def _progress(job: JobFolder, received: list[TrialFile]) -> Progress:
    """The counts, where the folder allows several those that result.json gives.

    It does not show whether the job has learned of the start or the cancellation of a trial that has not ended for it.
    """
    unreceived = len(job.trials) - len(received)
    running = min(job.record.running, len(job.running) + unreceived)
    cancelled = sum(file.trial.exception == CANCELLED for file in received)
    cancelled_at_most = sum(file.trial.exception == CANCELLED for file in job.trials) + len(job.running)
    return Progress(running, min(max(job.record.cancelled, cancelled), cancelled_at_most), job.record.retries)
