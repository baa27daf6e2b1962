"""The wheel's own classes behind a runner's interface. Only `open_reference` imports this module.

A verifier is called with the smallest task and an environment that does nothing, because the reward files exist.
"""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any, NoReturn

from harbor.metrics.base import BaseMetric
from harbor.metrics.max import Max
from harbor.metrics.mean import Mean
from harbor.metrics.min import Min
from harbor.metrics.sum import Sum
from harbor.models.task.task import Task
from harbor.models.trial.paths import TrialPaths
from harbor.verifier.verifier import Verifier

from parity.operations.files.directories import process_directory, scratch_directory
from parity.operations.rollout.scenario import EnvScenario
from parity.operations.scenarios.scenario import JobScenario, TrialScenario
from parity.operations.scenarios.transcripts import Transcript
from parity.reference.driving import run
from parity.reference.lookup import lookup
from parity.runners.runner import Unsupported
from parity.scorer.job import Job
from parity.scorer.pass_at_k import Trial
from parity.scorer.trial_reward import MultiStepTrial, TrialReward
from parity.scorer.values import Rewards

OWN_MODULES = {
    "trial_reward": "parity.reference.trials",
    "run_trial": "parity.reference.recorded",
    "run_job": "parity.reference.recorded",
    "job_stats": "parity.reference.jobs",
    "trial_score": "parity.reference.jobs",
    "harbor_env": "parity.reference.env_scenarios",
}
"""The modules that only one operation needs, by operation. Importing such a module takes seconds."""

_METRICS: dict[str, BaseMetric[Any]] = {kind.__name__.lower(): kind() for kind in (Mean, Max, Min, Sum)}


class Wheel:
    """The installed wheel as a runner of every operation that it implements: all but `outcome` and `reason_code`.

    Args:
        lacking: operations that the release does not have, each with the reason.
    """

    name = "harbor"

    def __init__(self, lacking: Mapping[str, str]) -> None:
        self._task = write_task(process_directory() / "task")
        for operation, reason in lacking.items():
            setattr(self, operation, _refuse(reason))

    def read_reward(self, directory: Path) -> Rewards | None:
        """Call `Verifier.verify()` with an environment that does nothing."""
        verifier = Verifier(self._task, TrialPaths(directory.parent), NoEnvironment())
        rewards: Rewards | None = run(verifier.verify()).rewards
        return rewards

    def aggregate(self, metric: str, rewards: Sequence[Rewards | None]) -> Rewards:
        """Call `Mean`, `Max`, `Min` or `Sum`."""
        computed: Rewards = _METRICS[metric].compute(list(rewards))
        return computed

    def pass_at_k(self, trials: Sequence[Trial]) -> dict[str, dict[int, float]]:
        """Call `compute_pass_at_k_by_evals` with the same kind of results as a job does."""
        from parity.reference.results import trial_result

        compute = lookup("harbor.utils.pass_at_k", "compute_pass_at_k_by_evals")
        estimates: dict[str, dict[int, float]] = compute([trial_result(trial) for trial in trials])
        return estimates

    def trial_reward(self, trial: MultiStepTrial) -> TrialReward:
        """Run a real `MultiStepTrial` in memory."""
        from parity.reference.trials import run_multi_step

        return run_multi_step(trial)

    def run_trial(self, scenario: TrialScenario) -> Transcript:
        """Run a real `Trial` on a scripted sandbox."""
        from parity.reference.recorded import run_trial_scenario

        with scratch_directory() as directory:
            return run_trial_scenario(scenario, directory)

    def run_job(self, scenario: JobScenario) -> Transcript:
        """Run a real `Job` on scripted sandboxes."""
        from parity.reference.recorded import run_job_scenario

        with scratch_directory() as directory:
            return run_job_scenario(scenario, directory)

    def job_stats(self, job: Job) -> str:
        """Pass the events to a real `Job`, and return the stats in the result.json that it writes."""
        from parity.reference.jobs import stats_text

        return stats_text(job)

    def trial_score(self, text: str) -> dict[str, float | None] | None:
        """Resume a real `Job` whose only trial has ended with this result.json, and return its first metric."""
        from parity.reference.jobs import mean_of_trial

        return mean_of_trial(text)

    def harbor_env(self, scenario: EnvScenario) -> Transcript:
        """Run real trials under Harbor's scoring.

        Raises:
            Unsupported: the scenario demands the documented scoring, which Harbor does not have.
        """
        if scenario.scoring == "documented":
            raise Unsupported("no release of Harbor has the documented scoring")
        from parity.reference.env_scenarios import run_harbor_scenario

        with scratch_directory() as directory:
            return run_harbor_scenario(scenario, directory)


def _refuse(reason: str) -> Callable[..., NoReturn]:
    def refuse(*_: Any) -> NoReturn:
        raise Unsupported(reason)

    return refuse


_NEEDS: dict[str, tuple[str, str | None]] = {
    "pass_at_k": ("harbor.utils.pass_at_k", "compute_pass_at_k_by_evals"),
    "trial_reward": ("harbor.models.trial.result", "StepResult"),
    **dict.fromkeys(("job_stats", "trial_score"), ("harbor.models.job.config", "DatasetConfig")),
    **dict.fromkeys(("run_trial", "run_job", "harbor_env"), ("harbor.environments.definition", None)),
}
"""For each of these operations, the module and the attribute that it needs and that some releases lack."""


def lacking_operations(release: str) -> dict[str, str]:
    """Return the operations that the installed release does not have, each with a reason that names the version."""
    return {
        operation: f"harbor {release} has no {'.'.join(filter(None, need))}"
        for operation, need in _NEEDS.items()
        if lookup(*need) is None
    }


class NoEnvironment:
    """The part of Harbor's `BaseEnvironment` that verification uses in any release; the reward files exist already."""

    is_mounted = True

    def __init__(self) -> None:
        if (system := lookup("harbor.models.task.config", "TaskOS")) is not None:
            self.os = system.LINUX
            paths = lookup("harbor.models.trial.paths", "EnvironmentPaths")
            self.env_paths = paths.for_os(system.LINUX)
        if (capabilities := lookup("harbor.environments.capabilities", "EnvironmentCapabilities")) is not None:
            self.capabilities = capabilities(mounted=True)

    def is_path_mounted(self, environment_path: object, host_path: object) -> bool:
        return True

    async def upload_dir(self, source_dir: Path, target_dir: str) -> None:
        pass

    async def exec(self, command: str, env: dict[str, str] | None = None, user: str | None = None) -> SimpleNamespace:
        """Run nothing, so that the case's reward files stay, although a release tries to remove old ones first."""
        return SimpleNamespace(return_code=0, stdout=None, stderr=None)


def write_task(directory: Path) -> Task:
    """Write the smallest task that every release accepts."""
    (directory / "tests").mkdir(parents=True, exist_ok=True)
    (directory / "tests" / "test.sh").write_text("#!/bin/sh\n")
    (directory / "environment").mkdir(exist_ok=True)
    (directory / "instruction.md").write_text("Nothing to do.\n")
    (directory / "task.toml").write_text('version = "1.0"\n')
    return Task(directory)
