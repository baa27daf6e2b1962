"""`HarborEnv` on our own sandboxes: the documented interface on a machine without `verifiers`."""

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Unpack

from parity.harbor_env.agent_env import AgentEnv
from parity.harbor_env.arguments import check_count, check_text
from parity.harbor_env.evaluation import EvaluationPlan, Results, evaluate
from parity.harbor_env.hooks import HarborHooks
from parity.harbor_env.settings import Options, take_settings
from parity.harbor_env.states import State
from parity.harbor_env.tasks import HarborTasks


class HarborEnv(HarborHooks, AgentEnv):
    """Runs an agent on a folder of Harbor tasks and scores what it leaves.

    `parity.harbor_env.for_verifiers.HarborEnv` is the same for training with `verifiers`.
    """

    def __init__(
        self,
        run_command: str,
        dataset_path: str | Path,
        tasks: Sequence[str] | None = None,
        agent_workdir: str = "/app",
        docker_image: str = "python:3.11-slim",
        **options: Unpack[Options],
    ) -> None:
        """An environment over the tasks of a folder, which are read now.

        Args:
            run_command: bash source that runs the agent inside the sandbox.
            dataset_path: the folder that holds the task folders.
            tasks: names of tasks to take; None for all.
            agent_workdir: the agent's folder, which is made, and named in AGENT_WORKDIR; "" for none.
            docker_image: for tasks that name none.
            options: as `Options` describes them.

        Raises:
            DatasetError: the tasks cannot be used.
            TypeError, ValueError: an argument is none that counts.
            SandboxUnavailable: that kind of sandbox cannot work here.
        """
        others: dict[str, Any] = {**options}
        settings = take_settings(run_command, dataset_path, tasks, agent_workdir, docker_image, others)
        super().__init__(run_command, settings.docker_image, settings.network, others)
        self.dataset_path, self.task_names = settings.dataset_path, settings.task_names
        self.agent_workdir = settings.agent_workdir
        self.harbor_tasks = HarborTasks(settings, self)
        self.rows = self.read_rows()
        self.harbor_tasks.check_builds(self.sandbox_client.sandboxes)

    def read_rows(self) -> list[dict[str, Any]]:
        """All tasks, each with `example_id`, `task`, `prompt` and `info`.

        Raises:
            DatasetError: one cannot be used, or there is none.
        """
        return self.harbor_tasks.read()

    async def build_env_vars(self, state: State) -> dict[str, str]:
        """The variables of the sandbox; those that the environment was given come first."""
        return self.harbor_tasks.variables(state, await super().build_env_vars(state))

    def get_sandbox_resources(self, state: State) -> dict[str, Any]:
        """The environment's, and over them what the task says under Harbor's scoring."""
        return self.harbor_tasks.resources(state, super().get_sandbox_resources(state))

    def starting_folder(self, state: State) -> str | None:
        """Where the agent begins: Harbor's is the task's own folder, if it names one."""
        return self.harbor_tasks.starting_folder(state)

    async def post_rollout(self, state: State) -> None:
        """Score what the agent left, before its sandbox goes."""
        await self.harbor_tasks.score(state)

    async def evaluate(
        self,
        model: str | None = None,
        num_examples: int = -1,
        rollouts_per_example: int = 1,
        max_concurrent: int | None = None,
        *,
        progress: bool | None = None,
        client: None = None,
    ) -> Results:
        """Roll out the tasks in order, several at once.

        Args:
            model: name of the model that the agent is given.
            num_examples: how many tasks, from the first; -1 for all.
            rollouts_per_example: how often each.
            max_concurrent: how many at once; None for one a processor.
            progress: whether to show it on stderr; None for terminals only.
            client: none: an agent's calls to a model are not intercepted here.

        Raises:
            TypeError, ValueError: an argument is none that counts.
        """
        if client is not None:
            raise TypeError(_NO_CLIENT)
        if model is not None:
            check_text("model", model, "its name, or None", may_be_empty=True)
        check_count("rollouts_per_example", rollouts_per_example)
        if max_concurrent is not None:
            check_count("max_concurrent", max_concurrent)
        if num_examples != -1:
            check_count("num_examples", num_examples, "at least 1, or -1 for all")
        rows = self.rows if num_examples < 0 else self.rows[:num_examples]
        return await evaluate(
            self, EvaluationPlan(rows, rollouts_per_example, max_concurrent or os.cpu_count() or 1, model, progress)
        )


_NO_CLIENT = (
    "evaluate takes no client here: agents call a model by base_url and model; where verifiers is installed, take"
    " parity.harbor_env.for_verifiers.HarborEnv, which passes their calls on to a client"
)
