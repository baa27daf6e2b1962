"""`HarborEnv` for training with `verifiers`: its `CliAgentEnv`, with Harbor's tasks and scoring.

`parity.harbor_env.releases` names the releases that it is tested with.
"""

import shlex
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from parity.driver.sandbox import Sandboxes
from parity.harbor_env.agent_env import open_sandboxes
from parity.harbor_env.arguments import check_limits
from parity.harbor_env.hooks import HarborHooks
from parity.harbor_env.settings import take_settings
from parity.harbor_env.states import State
from parity.harbor_env.tasks import HarborTasks
from parity.harbor_env.verifiers_release import HAS_TASK_COLUMN, OPTIONS, Rubric
from parity.harbor_env.verifiers_sandboxes import HarborFault, SandboxedEnv

__all__ = ["HarborEnv", "HarborFault"]

_POLLING_SECONDS = 60
_FOLDER = "HARBOR_TASK_WORKDIR"


class HarborEnv(HarborHooks, SandboxedEnv):
    """Runs an agent on a folder of Harbor tasks and scores what it leaves, with the interception of `CliAgentEnv`."""

    def __init__(
        self,
        run_command: str,
        dataset_path: str | Path,
        tasks: Sequence[str] | None = None,
        agent_workdir: str = "/app",
        docker_image: str = "python:3.11-slim",
        *,
        sandboxes: Sandboxes | str | None = None,
        **options: Any,
    ) -> None:
        """An environment over the tasks of a folder, which are read now.

        Args:
            run_command: bash source that runs the agent inside the sandbox.
            dataset_path: the folder that holds the task folders.
            tasks: names of tasks to take; None for all.
            agent_workdir: the agent's folder, which is made, and named in AGENT_WORKDIR; "" for none.
            docker_image: for tasks that name none.
            sandboxes: None for the sandboxes that `verifiers` uses; `"local"`, `"docker"` or a kind of sandbox to
                run agents there instead, without an account. It needs an `interception_url`, by which the sandboxes
                reach this process.
            options: as `Choices` of `parity.harbor_env.settings` describes them, and as `CliAgentEnv` of the installed
                release takes them by name; any other is refused.

        Raises:
            DatasetError: the tasks cannot be used.
            TypeError, ValueError: an argument is none that counts.
            SandboxUnavailable: that kind of sandbox cannot work here.
        """
        settings = take_settings(run_command, dataset_path, tasks, agent_workdir, docker_image, options)
        _check_options(options)
        if settings.end_processes and sandboxes is None:
            raise ValueError("end_processes is for sandboxes of ours: others may have processes of their own")
        kind = None if sandboxes is None else open_sandboxes(sandboxes)
        self.dataset_path, self.task_names = settings.dataset_path, settings.task_names
        self.agent_workdir = settings.agent_workdir
        # A client of verifiers looks less and less often whether the tests have ended.
        self.harbor_tasks = HarborTasks(settings, self, polling_seconds=_POLLING_SECONDS if kind is None else 0)
        dataset = self.load_harbor_dataset()
        super().__init__(
            _in_folder(run_command),
            dataset if HAS_TASK_COLUMN else dataset.remove_columns("task"),
            Rubric(funcs=[self.harbor_reward], weights=[1.0]),
            settings.docker_image,
            kind,
            settings.network,
            options,
        )
        if kind is not None:
            self.harbor_tasks.check_builds(kind)

    async def build_env_vars(self, state: State) -> dict[str, str]:
        """The variables of the sandbox, with the agent's folder where the task names one."""
        variables = self.harbor_tasks.variables(state, await super().build_env_vars(state))
        folder = self.harbor_tasks.starting_folder(state)
        return variables if folder is None else {**variables, _FOLDER: folder}

    def get_sandbox_resources(self, state: State) -> dict[str, Any]:
        """The environment's, and over them what the task says under Harbor's scoring."""
        return self.harbor_tasks.resources(state, super().get_sandbox_resources(state))

    async def score_rollout(self, state: State) -> None:
        """Score what the agent left, before its sandbox goes."""
        await self.harbor_tasks.score(state)

    async def harbor_reward(self, state: State, **kwargs: Any) -> float:
        """The reward that was computed, for a rubric."""
        reward: float = state.get("reward", 0.0)
        return reward


def _in_folder(run_command: str) -> str:
    """A command of any shell that runs the agent by bash in the folder that a variable names."""
    return f"bash -c {shlex.quote(f'cd "${{{_FOLDER}:-.}}" && {{ {run_command}\n}}')}"


def _check_options(given: Mapping[str, Any]) -> None:
    """See that the release takes these arguments, and sandboxes and agents can be bounded so.

    Raises:
        TypeError, ValueError: the first argument that there is not, or that is none that counts.
    """
    for name in sorted(given.keys() - OPTIONS.keys()):
        raise TypeError(f"there is no argument {name!r}; known are {', '.join(OPTIONS)}")
    check_limits({**OPTIONS, **given})
