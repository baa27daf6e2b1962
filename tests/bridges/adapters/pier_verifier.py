"""A bridge to Pier, a fork of Harbor: its `Verifier.verify()`, its metrics, and its pass@k.

The bridge replaces the trial's environment: commands do nothing, and the verifier's directory is mounted.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from tests.bridges.adapters.event_loop import run
from tests.bridges.adapters.harbor_environment import HarborEnvironment
from tests.bridges.adapters.task_directory import task_directory
from tests.bridges.adapters.third_party import named, quietly, third_party

_TASK = third_party("pier.models.task.task")
_PATHS = third_party("pier.models.trial.paths")
_RESULT = third_party("pier.models.trial.result")
_REWARDS = third_party("pier.models.verifier.result")
_VERIFIER = third_party("pier.verifier.verifier")
_PASS_AT_K = third_party("pier.utils.pass_at_k")
_METRICS: dict[str, Any] = {
    name: getattr(third_party(f"pier.metrics.{name}"), name.capitalize())() for name in ("mean", "max", "min", "sum")
}


class PierVerifier:
    """A runner with one task for all cases, and a new environment for each case."""

    def __init__(self) -> None:
        self.name = named("datacurve-pier")
        with quietly():
            self._task = _TASK.Task(task_directory())

    def read_reward(self, directory: Path) -> Any:
        """Return the rewards that `verify()` returns. The directory's name must be `verifier`, as in a trial."""
        sandbox = HarborEnvironment(directory, "pier")
        with quietly():
            verifier = _VERIFIER.Verifier(self._task, _PATHS.TrialPaths(directory.parent), sandbox)
            return run(verifier.verify()).rewards

    def aggregate(self, metric: str, rewards: Sequence[dict[str, Any] | None]) -> Any:
        """Return the result of `Mean`, `Max`, `Min` or `Sum`."""
        return _METRICS[metric].compute(list(rewards))

    def pass_at_k(self, trials: Sequence[Any]) -> Any:
        """Return the result of `compute_pass_at_k_by_evals`, which reads only names and rewards from the trials."""
        return _PASS_AT_K.compute_pass_at_k_by_evals([_result(trial) for trial in trials])


def _result(trial: Any) -> Any:
    model = None if trial.model is None else _RESULT.ModelInfo(name=trial.model, provider="")
    return _RESULT.TrialResult.model_construct(
        task_name=trial.task,
        source=trial.source,
        agent_info=_RESULT.AgentInfo(name=trial.agent, version="", model_info=model),
        verifier_result=None if trial.rewards is None else _REWARDS.VerifierResult(rewards=trial.rewards),
    )
