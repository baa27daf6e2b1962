"""Finds the user's own trials, and numbers of their jobs, that differ under another release."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from parity.drift.folders import JobOnDisk, read_job_folder, read_verifier
from parity.drift.job_numbers import JobDrift, compare_numbers
from parity.drift.releases import Release
from parity.drift.vectors import answer_of
from parity.judging.checking import Checker
from parity.judging.divergence import Divergence
from parity.judging.harm import rank
from parity.operations.answers import Answer, Fault, NotClaimed
from parity.operations.operation import Operation
from parity.operations.read_reward import READ_REWARD, RewardFolder
from parity.runners.asking import Clock
from parity.scorer.from_disk.files import FolderError
from parity.scorer.from_disk.trial_file import TrialFile


@dataclass(frozen=True)
class Pair:
    """The answers of both releases to one question."""

    old: Answer
    new: Answer
    divergence: Divergence | None
    """The difference of the answers; None if they are equal, or one release has none."""

    lacking: str | None = None
    """The release without an answer, and the reason; None if both have one."""


class Both:
    """Two releases that are asked the same questions; the clock must be installed meanwhile."""

    def __init__(self, old: Release, new: Release, clock: Clock) -> None:
        self.old, self.new, self._clock = old, new, clock
        runner: Any = new.runner
        self._checker = Checker(runner, runner, clock)

    def ask(self, operation: Operation[Any], case: Any, new_case: Any = None) -> Pair:
        """Return both answers to a case; `new_case` is the case for the new release, if it differs.

        Raises:
            ReferenceLost: a release gives no answer.
        """
        other = case if new_case is None else new_case
        old, new = (
            answer_of(release, operation, given, self._clock)
            for release, given in ((self.old, case), (self.new, other))
        )
        for release, answer in ((self.old, old), (self.new, new)):
            if isinstance(answer, NotClaimed):
                return Pair(old, new, None, f"not claimed by {release.label}: {answer.reason}")
        return Pair(old, new, self._checker.compare(operation, other, old, new))


@dataclass(frozen=True)
class Scored:
    """A verifier's folder that scores differently."""

    folder: str
    divergence: Divergence


@dataclass
class TrialsDrift:
    """The differences in the user's own folders."""

    asked: int = 0
    """The number of verifiers' folders that both releases were asked."""

    moved: list[Scored] = field(default_factory=list)
    jobs: list[JobDrift] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)
    """One line for each folder that cannot be read, and for each job that is not compared."""

    @property
    def ordered(self) -> list[Scored]:
        """The verifiers' folders, the most harmful first."""
        return sorted(self.moved, key=lambda moved: rank(moved.divergence.harm))

    @property
    def is_none(self) -> bool:
        """Whether nothing moves."""
        return not self.moved and not any(job.moved or job.trials for job in self.jobs)


def compare_trials(old: Release, new: Release, verifiers: Iterable[Path], jobs: Iterable[Path]) -> TrialsDrift:
    """Ask both releases about verifiers' folders and jobs' folders.

    Raises:
        ReferenceLost: a release gives no answer.
    """
    drift, clock = TrialsDrift(), Clock(Clock.DEFAULT)
    both = Both(old, new, clock)
    with clock.installed():
        for folder in verifiers:
            try:
                _note(drift, folder, _asked(both, drift, read_verifier(folder)))
            except FolderError as error:
                drift.problems.append(str(error))
        for path in jobs:
            try:
                _compare_job(both, drift, read_job_folder(path))
            except FolderError as error:
                drift.problems.append(str(error))
    return drift


def _asked(both: Both, drift: TrialsDrift, folder: RewardFolder) -> Pair:
    drift.asked += 1
    return both.ask(READ_REWARD, folder)


def _note(drift: TrialsDrift, folder: Path, pair: Pair) -> None:
    if pair.divergence:
        drift.moved.append(Scored(str(folder), pair.divergence))


def _compare_job(both: Both, drift: TrialsDrift, job: JobOnDisk) -> None:
    for trial in job.trials:
        for folder, case in trial.verifiers.items():
            pair = _asked(both, drift, case)
            if trial.file.steps is not None or _decides(trial.file, pair):
                _note(drift, folder, pair)
    drift.problems += job.problems
    if job.problems:
        drift.problems.append(f"{job.path}: its metrics are not compared, because parts of it cannot be read")
        return
    drift.jobs.append(compare_numbers(both.old, both.new, job))
    drift.problems += drift.jobs[-1].problems


def _decides(file: TrialFile, pair: Pair) -> bool:
    """Return whether the verifier's files decide the trial's rewards; not if the trial failed for another reason."""
    exception = file.trial.exception
    faults = [answer.kind for answer in (pair.old, pair.new) if isinstance(answer, Fault)]
    return exception is None or file.trial.rewards is not None or exception in faults
