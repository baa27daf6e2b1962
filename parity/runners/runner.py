"""The interface of a runner.

A runner has a `name`, and a method for each operation that it supports, with the operation's name. An operation without
a method, and a case for which the method raises `Unsupported`, are *not claimed*. Any other exception is a fault. The
fault's kind is the name of the exception's class, so a runner need not import this package.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Protocol

from parity.operations.rollout.scenario import EnvScenario
from parity.operations.scenarios.scenario import JobScenario, TrialScenario
from parity.operations.scenarios.transcripts import Transcript
from parity.runners.pipe import PipeRunner
from parity.scorer.job import Job
from parity.scorer.pass_at_k import Trial
from parity.scorer.trial_reward import MultiStepTrial, TrialReward
from parity.scorer.values import Rewards


class Unsupported(Exception):
    """The runner does not implement something that this case needs."""


class Runner(Protocol):
    """All methods that a runner may have. A runner leaves out those that it does not support."""

    name: str

    def read_reward(self, directory: Path) -> Rewards | None:
        """Return the rewards in `directory`, which has the role of the verifier's `/logs/verifier`."""

    def aggregate(self, metric: str, rewards: Sequence[Rewards | None]) -> Rewards:
        """Return the mean, max, min or sum over the rewards of all trials; None stands for a trial without a result."""

    def pass_at_k(self, trials: Sequence[Trial]) -> dict[str, dict[int, float]]:
        """Return pass@k by evals key and k, for every group of trials that has one."""

    def trial_reward(self, trial: MultiStepTrial) -> TrialReward:
        """Return the transcript of a multi-step trial: its rewards, its error, and each step that ran."""

    def run_trial(self, scenario: TrialScenario) -> Transcript:
        """Return the transcript of a trial: its calls to sandboxes, its result, and the files that it writes."""

    def run_job(self, scenario: JobScenario) -> Transcript:
        """Return the transcript of a job: its trials, each with the calls of all its runs, and the job's files."""

    def job_stats(self, job: Job) -> str:
        """Return the text of `stats` in result.json after the job's events, from `{` to `}`."""

    def trial_score(self, text: str) -> Mapping[str, float | None] | None:
        """Return the values of a trial's result.json in the means of its job; None if the trial is left out."""

    def outcome(self, result: Path) -> Mapping[str, object]:
        """Return the outcome for a result.json: status, score, resolved, total, reason_code and the printed line."""

    def reason_code(self, text: str | None) -> str | None:
        """Return the reason code for an error message, or None if there is none."""

    def harbor_env(self, scenario: EnvScenario) -> Transcript:
        """Return the transcript of an environment: rows, images, variables, commands and rewards; or a refusal."""


def claims(runner: object, operation: str) -> bool:
    """Return whether the runner has a method for the operation or, if it is a program, lists it in its hello."""
    if isinstance(runner, PipeRunner):
        return runner.claims(operation)
    return callable(getattr(runner, operation, None))
