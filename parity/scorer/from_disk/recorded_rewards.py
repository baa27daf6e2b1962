"""Compare the rewards in each trial's result.json with its verifier's files and with its steps."""

from collections.abc import Iterator
from pathlib import Path

from parity.scorer.from_disk.job_folder import JobFolder
from parity.scorer.from_disk.lost_rewards import as_written, rewards_of_steps
from parity.scorer.from_disk.trial_file import TrialFile
from parity.scorer.from_disk.verifier_files import rewards_if_any
from parity.scorer.series import OFFICIAL, Series
from parity.scorer.values import Rewards


def recorded_differences(job: JobFolder, *, series: Series = OFFICIAL) -> Iterator[str]:
    """Yield a line for each trial or step with recorded rewards that differ from the verifier's files or the steps."""
    for file in job.trials:
        home = job.path / file.folder
        if file.steps is None:
            if file.trial.rewards is not None:
                yield from _of_files(file.folder, home / "verifier", file.trial.rewards, series)
            continue
        for step in file.steps:
            if step.rewards is not None:
                place = f"{file.folder}/steps/{step.name}"
                yield from _of_files(place, job.path / place / "verifier", step.rewards, series)
        yield from _of_steps(file, series)


def _of_files(place: str, verifier: Path, recorded: Rewards, series: Series) -> Iterator[str]:
    read = rewards_if_any(verifier, series=series)
    if read is None or list(as_written(read).items()) != list(as_written(recorded).items()):
        shown = "no rewards" if read is None else repr(read)
        yield f"  {place}: result.json records {recorded}, the verifier's files give {shown}"


def _of_steps(file: TrialFile, series: Series) -> Iterator[str]:
    if file.trial.rewards is None or not file.steps:
        return
    possible = [as_written(rewards) for rewards in rewards_of_steps(file.steps, series) if rewards is not None]
    if as_written(file.trial.rewards) not in possible:
        yield f"  {file.folder}: records {file.trial.rewards}, which is neither the mean nor the last of its steps"
