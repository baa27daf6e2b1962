"""Rewards that a trial's result.json cannot hold: nan and infinities are null there, and halves of surrogate pairs
are replaced. The verifier's own files still have them.
"""

import math
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from parity.scorer.from_disk.files import FolderError
from parity.scorer.from_disk.trial_file import StepFile, TrialFile
from parity.scorer.from_disk.verifier_files import rewards_if_any
from parity.scorer.result_text import writable_key
from parity.scorer.series import Series
from parity.scorer.trial_reward import StepRecord, mean_of_steps
from parity.scorer.values import Number, Rewards


def with_real_rewards(job: Path, file: TrialFile, series: Series) -> TrialFile:
    """The trial with the rewards that its result.json lost.

    Raises:
        FolderError: the verifier's files do not tell what they were.
    """
    home = job / file.folder
    for rewards in _candidates(home, file, series):
        if rewards is not None and as_written(rewards) == as_written(file.trial.rewards or {}):
            return file._replace(trial=replace(file.trial, rewards=rewards))
    if all(value == value for value in (file.trial.rewards or {}).values()):
        return file
    problem = "a reward is null, so it was nan or infinite, and the verifier's files do not tell which"
    raise FolderError(f"{file.folder}/result.json", problem)


def _candidates(home: Path, file: TrialFile, series: Series) -> Iterator[Rewards | None]:
    """What the trial's rewards may have been: those of its verifier, or of its steps by either strategy."""
    if file.steps is None:
        yield rewards_if_any(home / "verifier", series=series)
        return
    records = [_record(home, step, series) for step in file.steps]
    yield mean_of_steps(records, series)["rewards"]
    if records:
        yield records[-1]["rewards"]


def _record(home: Path, step: StepFile, series: Series) -> StepRecord:
    rewards = rewards_if_any(home / "steps" / step.name / "verifier", series=series) if step.verified else None
    return {"verified": step.verified, "rewards": rewards, "exception": None}


def as_written(rewards: Rewards) -> dict[str, str]:
    """The rewards as a trial's result.json can tell them."""
    return {writable_key(key): _text(value) for key, value in rewards.items()}


def _text(value: Number) -> str:
    return repr(value) if isinstance(value, int) or math.isfinite(value) else "null"
