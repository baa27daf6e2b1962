"""Compare the rewards in each trial's result.json with the verifier's files and with the rewards of the steps."""

import math
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path

from parity.scorer.job_directory.directory import JobDirectory
from parity.scorer.job_directory.trial_file import StepFile, TrialFile
from parity.scorer.job_directory.verifier_files import rewards_if_any
from parity.scorer.result_text import writable_key
from parity.scorer.series import OFFICIAL, Series
from parity.scorer.trial_reward import StepReward, mean_of_steps
from parity.scorer.values import Number, Rewards


def reward_differences(job: JobDirectory, *, series: Series = OFFICIAL) -> Iterator[str]:
    """Yield a line for each trial or step whose recorded rewards differ from the verifier's files or from the steps."""
    for file in job.trials:
        directory = job.path / file.directory
        if file.steps is None:
            if file.trial.rewards is not None:
                yield from _of_files(file.directory, directory / "verifier", file.trial.rewards, series)
            continue
        for step in file.steps:
            if step.rewards is not None:
                place = f"{file.directory}/steps/{step.name}"
                yield from _of_files(place, job.path / place / "verifier", step.rewards, series)
        yield from _of_steps(file, series)


def _of_files(place: str, verifier: Path, recorded: Rewards, series: Series) -> Iterator[str]:
    read = rewards_if_any(verifier, series=series)
    if read is None or list(_written(read).items()) != list(_written(recorded).items()):
        described = "no rewards" if read is None else repr(read)
        yield f"{place}: result.json records {recorded}, the verifier's files give {described}"


def _of_steps(file: TrialFile, series: Series) -> Iterator[str]:
    if file.trial.rewards is None or not file.steps:
        return
    possible = [_written(rewards) for rewards in _rewards_of_steps(file.steps, series) if rewards is not None]
    if _written(file.trial.rewards) not in possible:
        yield f"{file.directory}: records {file.trial.rewards}, which is neither the mean nor the last of its steps"


def _rewards_of_steps(steps: Sequence[StepFile], series: Series) -> Iterator[Rewards | None]:
    """Yield the two possible rewards of a multi-step trial: the mean over its steps, and the last step's rewards."""
    records: list[StepReward] = [
        {"verified": step.verified, "rewards": step.rewards, "exception": None} for step in steps
    ]
    with suppress(OverflowError):
        yield mean_of_steps(records, series)["rewards"]
    yield records[-1]["rewards"]


def _written(rewards: Rewards) -> dict[str, str]:
    """Return rewards as a trial's result.json records them: numbers as strings, nan and infinities as `null`."""
    return {writable_key(key): _written_number(value) for key, value in rewards.items()}


def _written_number(value: Number) -> str:
    return repr(value) if isinstance(value, int) or math.isfinite(value) else "null"
