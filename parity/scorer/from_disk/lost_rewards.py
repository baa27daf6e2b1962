"""Restore rewards that a trial's result.json cannot hold, from the verifier's files.

result.json has null for nan and infinities, and replacement characters for halves of surrogate pairs.
"""

import math
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from parity.scorer.from_disk.files import FolderError
from parity.scorer.from_disk.trial_file import StepFile, TrialFile
from parity.scorer.from_disk.verifier_files import rewards_if_any
from parity.scorer.job import JobTrial
from parity.scorer.result_text import key_text, writable_key
from parity.scorer.series import Series
from parity.scorer.trial_reward import StepRecord, mean_of_steps
from parity.scorer.values import Number, Rewards, literal_nans

type Listed = Mapping[tuple[str, str], tuple[str, int]]
"""Reward key and trial name to the reward under which the job's result.json lists it, and the length of that list."""


def with_real_rewards(job: Path, file: TrialFile, series: Series, listed: Listed) -> TrialFile:
    """Return the trial with the rewards that its result.json lost.

    Args:
        job: the job's folder.
        file: the trial.
        series: the interpreter series that ran the job.
        listed: the job's lists. They decide what the folder does not show, such as a multi-step task's strategy.

    Raises:
        FolderError: the verifier's files do not show the lost rewards.
    """
    home, written = job / file.folder, file.trial.rewards or {}
    possible = [
        replace(file.trial, rewards=_in_order(rewards, written), literal_nans=literal_nans(rewards))
        for rewards in _candidates(home, file, series)
        if rewards is not None and as_written(rewards) == as_written(written)
    ]
    if possible:
        fitting = [trial for trial in possible if _fits(trial, listed)]
        return file._replace(trial=(fitting or possible)[0])
    if all(value == value for value in written.values()):
        return file
    problem = "a reward is null, so it was nan or infinite, and the verifier's files do not say which"
    raise FolderError(home / "result.json", problem)


def _in_order(rewards: Rewards, written: Rewards) -> Rewards:
    """Return the rewards in the order of the file, because the keys of a mean are in the order of a set."""
    places = {key: place for place, key in enumerate(written)}
    return dict(sorted(rewards.items(), key=lambda reward: places[writable_key(reward[0])]))


def _fits(trial: JobTrial, listed: Listed) -> bool:
    """Return whether the job may list the trial's rewards as it does. A nan in a shared list is the literal `NaN`."""
    for key, value in (trial.rewards or {}).items():
        text, count = listed.get((writable_key(key), trial.name), (key_text(value), 1))
        if not isinstance(value, int) and not math.isfinite(value):
            shares = value == value or key in trial.literal_nans
            if text != key_text(value) or (count > 1 and not shares):
                return False
    return True


def _candidates(home: Path, file: TrialFile, series: Series) -> Iterator[Rewards | None]:
    """Yield the possible rewards of the trial: the verifier's, or those of its steps by either strategy."""
    if file.steps is None:
        yield rewards_if_any(home / "verifier", series=series)
        return
    places = {step.name: home / "steps" / step.name / "verifier" for step in file.steps if step.verified}
    read = {name: rewards_if_any(place, series=series) for name, place in places.items()}
    yield from rewards_of_steps([step._replace(rewards=read.get(step.name)) for step in file.steps], series)


def rewards_of_steps(steps: Sequence[StepFile], series: Series) -> Iterator[Rewards | None]:
    """Yield both possible rewards of a multi-step trial: the mean of its steps, and the last step's."""
    records: list[StepRecord] = [
        {"verified": step.verified, "rewards": step.rewards, "exception": None} for step in steps
    ]
    with suppress(OverflowError):
        yield mean_of_steps(records, series)["rewards"]
    if records:
        yield records[-1]["rewards"]


def as_written(rewards: Rewards) -> dict[str, str]:
    """Return the rewards as text, in the form that a trial's result.json can hold."""
    return {writable_key(key): _text(value) for key, value in rewards.items()}


def _text(value: Number) -> str:
    return repr(value) if isinstance(value, int) or math.isfinite(value) else "null"
