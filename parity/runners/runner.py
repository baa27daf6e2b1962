"""The interface of a runner.

A runner has a `name` and one method for each operation that it supports, called like the operation. A
method that is absent, or that raises `Unsupported`, is *not claimed*. Any other exception is a fault, and
the name of its class is the fault's kind, so that a runner need not import this package.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Protocol

from parity.operations.harbor_env.recorded.scenario import EnvScenario
from parity.operations.scenarios.records import Record
from parity.operations.scenarios.scenario import JobScenario, TrialScenario
from parity.runners.pipe import PipeRunner
from parity.scorer.job import Job
from parity.scorer.pass_at_k import Trial
from parity.scorer.trial_reward import MultiStepTrial, TrialReward
from parity.scorer.values import Rewards


class Unsupported(Exception):
    """The runner does not implement what this case needs."""


class Runner(Protocol):
    """Everything that a runner may be asked. Leave out what yours does not do."""

    name: str

    def read_reward(self, directory: Path) -> Rewards | None:
        """The rewards in `directory`, as a verifier left it at `/logs/verifier`."""

    def aggregate(self, metric: str, rewards: Sequence[Rewards | None]) -> Rewards:
        """One of mean, max, min, sum over the rewards of all trials; None is a trial without a result."""

    def pass_at_k(self, trials: Sequence[Trial]) -> dict[str, dict[int, float]]:
        """Evals key -> k -> pass@k, for every group of trials that has one."""

    def trial_reward(self, trial: MultiStepTrial) -> TrialReward:
        """What is recorded of a multi-step trial: its rewards, its error, and each step that was reached."""

    def run_trial(self, scenario: TrialScenario) -> Record:
        """What a trial asks of its sandboxes, call by call, its result, and the files that it writes."""

    def run_job(self, scenario: JobScenario) -> Record:
        """What the runs of each trial ask of their sandboxes, the last one's result and files, and the job's files."""

    def job_stats(self, job: Job) -> str:
        """The text of `stats` as it stands in result.json after the job's events, from its `{` to its `}`."""

    def outcome(self, result: Path) -> Mapping[str, object]:
        """The outcome that a result.json gives: status, score, resolved, total, reason_code and the printed line."""

    def reason_code(self, text: str | None) -> str | None:
        """The reason code of an error's text, or None where it has none."""

    def harbor_env(self, scenario: EnvScenario) -> Record:
        """What an environment makes of a dataset: rows, images, variables, commands and rewards, or a refusal."""


def claims(runner: object, operation: str) -> bool:
    """Whether the runner has a method of the operation's name, or says that it answers the operation."""
    if isinstance(runner, PipeRunner):
        return runner.claims(operation)
    return callable(getattr(runner, operation, None))
