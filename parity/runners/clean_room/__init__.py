"""The built-in runner, for the kit's own scorer and driver. A subclass can override methods to change answers."""

import os
from collections.abc import Sequence
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

from parity import scorer
from parity.operations.files.directories import scratch_directory
from parity.operations.rollout.scenario import EnvScenario
from parity.operations.scenarios.scenario import JobScenario, TrialScenario
from parity.operations.scenarios.transcripts import Transcript
from parity.operations.series import running_series
from parity.runners.clean_room.environments import run_environment_scenario
from parity.runners.clean_room.scenarios import run_job_scenario, run_trial_scenario
from parity.runners.runner import Unsupported
from parity.scorer import Job, MultiStepTrial, Outcome, Rewards, Series, Trial, TrialReward
from parity.scorer.job_directory.trial_score import trial_score


class CleanRoom:
    """A runner that calls `parity.scorer` and `parity.driver`, and computes scores as one interpreter series does.

    The default is the series of the running interpreter, which is also that of the installed wheel.
    """

    name = "clean-room"

    def __init__(self, series: Series | None = None) -> None:
        self.series = series or running_series()

    def load(self, operation: str) -> None:
        """Import slow packages for an operation now, so that the import does not use up the first case's time."""
        if operation == "harbor_env" and find_spec("datasets"):
            import_module("datasets")

    def read_reward(self, directory: Path) -> Rewards | None:
        return scorer.read_reward(directory, series=self.series)

    def aggregate(self, metric: str, rewards: Sequence[Rewards | None]) -> Rewards:
        return scorer.aggregate(metric, rewards, series=self.series)

    def pass_at_k(self, trials: Sequence[Trial]) -> dict[str, dict[int, float]]:
        return scorer.pass_at_k(trials, series=self.series)

    def trial_reward(self, trial: MultiStepTrial) -> TrialReward:
        return scorer.trial_reward(trial, series=self.series)

    def run_trial(self, scenario: TrialScenario) -> Transcript:
        with scratch_directory() as directory:
            return run_trial_scenario(scenario, directory, series=self.series)

    def run_job(self, scenario: JobScenario) -> Transcript:
        with scratch_directory() as directory:
            return run_job_scenario(scenario, directory, series=self.series)

    def job_stats(self, job: Job) -> str:
        return scorer.job_stats(job, series=self.series)

    def trial_score(self, text: str) -> dict[str, float | None] | None:
        return trial_score(text, series=self.series)

    def outcome(self, result: Path) -> Outcome:
        return scorer.outcome(result, series=self.series)

    def reason_code(self, text: str | None) -> str | None:
        return scorer.reason_code(text)

    def harbor_env(self, scenario: EnvScenario) -> Transcript:
        if scenario.scoring == "documented" and find_spec("datasets") is None:
            raise Unsupported("documented scoring needs the package datasets: pip install datasets")
        for task in scenario.tasks:
            try:
                os.fsencode(task.name)
            except UnicodeEncodeError as error:
                raise Unsupported(f"{error.encoding} has no name for the directory {task.name!a}") from None
        with scratch_directory() as directory:
            return run_environment_scenario(scenario, directory, series=self.series)
