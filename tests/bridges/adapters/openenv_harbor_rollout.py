"""A bridge to OpenEnv's Harbor integration: the rewards that `run_rollout()` forwards from the installed `Verifier`.

The bridge replaces `Trial.create()` so that it returns a trial that only verifies, because the agent has already run.
Commands in the sandbox do nothing, and the verifier's directory is mounted. No model is called. If a result contains
the name of an exception, the bridge raises an exception with that name.
"""

from pathlib import Path
from types import SimpleNamespace
from typing import Any
from unittest import mock

from tests.bridges.adapters.event_loop import run
from tests.bridges.adapters.harbor_environment import HarborEnvironment
from tests.bridges.adapters.task_directory import task_directory
from tests.bridges.adapters.third_party import named, quietly, third_party

_ROLLOUT = third_party("openenv.harbor.rollout")
_SESSIONS = third_party("openenv.core.harness.capture.sessions")
_TASK = third_party("harbor.models.task.task")
_PATHS = third_party("harbor.models.trial.paths")
_TRIAL = third_party("harbor.trial.trial").Trial
_VERIFIER = third_party("harbor.verifier.verifier")


class OpenEnvRollout:
    """A runner that makes an evaluation rollout for each case. Evaluation needs no tokens."""

    def __init__(self) -> None:
        self.name = named("openenv", "Harbor rollout")
        self._registry = _SESSIONS.SessionRegistry()
        with quietly():
            self._task = _TASK.Task(task_directory())

    def read_reward(self, directory: Path) -> dict[str, float]:
        """Return the rewards in the rollout's result. The directory's name must be `verifier`, as in a trial."""
        sandbox = HarborEnvironment(directory)
        trial = _EndedTrial(self._task, directory, sandbox)
        with quietly(), mock.patch.object(_TRIAL, "create", trial.create):
            result = run(self._rollout())
        if result.exception_type:
            raise type(result.exception_type, (Exception,), {})(result.error)
        rewards: dict[str, float] = result.rewards
        return rewards

    async def _rollout(self) -> Any:
        return await _ROLLOUT.run_rollout(
            task_dir=task_directory(),
            harness="opencode",
            sandbox="docker",
            registry=self._registry,
            intercept_url="http://localhost",
            model="none",
            trials_dir=task_directory().parent,
            purpose="eval",
            capture_level="text",
        )


class _EndedTrial:
    """A trial that only verifies."""

    def __init__(self, task: Any, directory: Path, sandbox: HarborEnvironment) -> None:
        self._task = task
        self._paths = _PATHS.TrialPaths(directory.parent)
        self._sandbox = sandbox

    async def create(self, config: object) -> "_EndedTrial":
        return self

    async def run(self) -> SimpleNamespace:
        verifier = _VERIFIER.Verifier(self._task, self._paths, self._sandbox)
        return SimpleNamespace(verifier_result=await verifier.verify())
