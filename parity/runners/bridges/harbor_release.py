"""Harbor itself, in whichever release is installed: `Verifier.verify()`, the metrics, and pass@k.

Answers whether a runner that is not as Harbor 0.13.1 is as another release. It runs in an environment of its own, since
there can be but one Harbor in each. Replaced is the environment of the trial, in which commands do nothing and the
verifier's folder is mounted.
"""

import os
from collections.abc import Sequence
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any

from parity.runners.bridges.event_loop import EventLoop
from parity.runners.bridges.sandbox import BridgeSandbox, Ended
from parity.runners.bridges.task_folder import task_folder
from parity.runners.runner import Unsupported
from parity.runners.third_party import named, quietly, third_party

os.environ.setdefault("LITELLM_LOCAL_MODEL_COST_MAP", "True")  # else some releases fetch it

_INSTALL = "the release of harbor to ask"
_TASK = third_party("harbor.models.task.task", install=_INSTALL)
_PATHS = third_party("harbor.models.trial.paths", install=_INSTALL)
_RESULT = third_party("harbor.models.trial.result", install=_INSTALL)
_REWARDS = third_party("harbor.models.verifier.result", install=_INSTALL)
_VERIFIER = third_party("harbor.verifier.verifier", install=_INSTALL)
_METRICS: dict[str, Any] = {
    name: getattr(third_party(f"harbor.metrics.{name}", install=_INSTALL), name.capitalize())()
    for name in ("mean", "max", "min", "sum")
}


class HarborRelease:
    """One task for every case, in a new environment each."""

    def __init__(self) -> None:
        self.name = named("harbor")
        self.sandbox: BridgeSandbox | None = None
        self._loop = EventLoop()
        with quietly():
            self._task = _TASK.Task(task_folder())

    def read_reward(self, directory: Path) -> Any:
        """The rewards of the whole `verify()`. The folder must be called `verifier`, as in a trial."""
        self.sandbox = _ReleaseEnvironment(directory)
        with quietly():
            verifier = _VERIFIER.Verifier(self._task, _PATHS.TrialPaths(directory.parent), self.sandbox)
            return self._loop.run(verifier.verify()).rewards

    def aggregate(self, metric: str, rewards: Sequence[dict[str, Any] | None]) -> Any:
        """`Mean`, `Max`, `Min` or `Sum`."""
        return _METRICS[metric].compute(list(rewards))

    def pass_at_k(self, trials: Sequence[Any]) -> Any:
        """`compute_pass_at_k_by_evals` over results, of which it reads names and rewards alone.

        Raises:
            Unsupported: the release has none.
        """
        compute = _found("harbor.utils.pass_at_k", "compute_pass_at_k_by_evals")
        if compute is None:
            raise Unsupported(f"{self.name} has no pass@k")
        return compute([_result(trial) for trial in trials])


def _result(trial: Any) -> Any:
    model = None if trial.model is None else _RESULT.ModelInfo(name=trial.model, provider="")
    return _RESULT.TrialResult.model_construct(
        task_name=trial.task,
        source=trial.source,
        agent_info=_RESULT.AgentInfo(name=trial.agent, version="", model_info=model),
        verifier_result=None if trial.rewards is None else _REWARDS.VerifierResult(rewards=trial.rewards),
    )


@cache
def _found(module: str, name: str) -> Any:
    """What some releases have, or None."""
    try:
        return getattr(import_module(module), name, None)
    except ModuleNotFoundError:
        return None


class _ReleaseEnvironment(BridgeSandbox):
    """The part of `BaseEnvironment` that some release's verification touches."""

    def __init__(self, directory: Path) -> None:
        super().__init__(directory)
        self.is_mounted = True
        if (system := _found("harbor.models.task.config", "TaskOS")) is not None:
            self.os = system.LINUX
            self.env_paths = _PATHS.EnvironmentPaths.for_os(system.LINUX)
        if (capabilities := _found("harbor.environments.capabilities", "EnvironmentCapabilities")) is not None:
            self.capabilities = capabilities(mounted=True)

    def is_path_mounted(self, *paths: Any) -> bool:
        return True

    async def upload_dir(self, source_dir: Path | str, target_dir: str) -> None:
        self.asked(f"upload {target_dir}", "/tests")

    async def exec(self, command: str, **options: Any) -> Ended:
        self.asked(command, "/tests/test.sh", "rm -f -- /logs/verifier/reward")
        return Ended()
