"""`HarborEnv` on our own sandboxes: the documented interface on a machine without `verifiers`."""

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from parity.harbor_env.agent_env import AgentEnv
from parity.harbor_env.arguments import check_count, check_text
from parity.harbor_env.evaluation import Results, Run, evaluate
from parity.harbor_env.faults import Faults
from parity.harbor_env.scoring import Scoring
from parity.harbor_env.tasks import HarborTasks


class HarborEnv(HarborTasks, AgentEnv):
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
        *,
        scoring: Scoring = "harbor",
        faults: Faults = "zero",
        end_processes: bool = False,
        network: bool = False,
        host_env: Sequence[str] = (),
        **kwargs: Any,
    ) -> None:
        """An environment over the tasks of a folder, which are read now.

        Args:
            run_command: bash source that runs the agent inside the sandbox.
            dataset_path: the folder that holds the task folders.
            tasks: names of tasks to take; None for all.
            agent_workdir: the agent's folder, which is made, and named in AGENT_WORKDIR; "" for none.
            docker_image: for tasks that name none.
            scoring: Harbor's own rules, or those of HarborEnv's documentation.
            faults: whether what the agent or its tests did wrong is a reward of 0.0 alone, or `state["error"]`, too.
            end_processes: whether everything that the agent left running is ended before the tests come. Harbor lets
                it run, because tests may ask for a server; but then it may do to the reward what it likes.
            network: whether sandboxes have a network.
            host_env: names of this process's variables that templates of a task may take under Harbor's scoring; a
                task that takes another is refused.
            kwargs: as `AgentEnv` takes them.

        Raises:
            DatasetError: the tasks cannot be used.
            TypeError, ValueError: an argument is none that counts.
            SandboxUnavailable: that kind of sandbox cannot work here.
        """
        self.take_tasks(
            dataset_path,
            tasks,
            agent_workdir,
            docker_image,
            scoring,
            faults=faults,
            end_processes=end_processes,
            network=network,
            host_env=host_env,
        )
        super().__init__(run_command, self.read_rows(), network=network, **kwargs)
        self.check_builds(self.rows, self.sandbox_client.sandboxes)

    async def evaluate(
        self,
        model: str | None = None,
        num_examples: int = -1,
        rollouts_per_example: int = 1,
        max_concurrent: int | None = None,
        *,
        progress: bool | None = None,
    ) -> Results:
        """Roll out the tasks in order, several at once.

        Args:
            model: which model the agent is told to use.
            num_examples: how many tasks, from the first; -1 for all.
            rollouts_per_example: how often each.
            max_concurrent: how many at once; None for one a processor.
            progress: whether to show it on stderr; None for terminals only.

        Raises:
            TypeError, ValueError: an argument is none that counts.
        """
        if model is not None:
            check_text("model", model, "its name, or None", may_be_empty=True)
        check_count("rollouts_per_example", rollouts_per_example)
        if max_concurrent is not None:
            check_count("max_concurrent", max_concurrent)
        if num_examples != -1:
            check_count("num_examples", num_examples, "at least 1, or -1 for all")
        rows = self.rows if num_examples < 0 else self.rows[:num_examples]
        return await evaluate(
            self, Run(rows, rollouts_per_example, max_concurrent or os.cpu_count() or 1, model, progress)
        )
