"""`HarborEnv` on the kit's own sandboxes: the documented interface on a machine without `verifiers`.

For training, `CliAgentEnv` from `verifiers` intercepts the agent's calls to a model. The class in this module does not:
an agent receives the address and name of a model, or works without a model.
"""

import asyncio
import os
from collections.abc import Collection, Mapping
from copy import deepcopy
from pathlib import Path
from typing import Any, Self, TypedDict

from parity.driver.sandbox import Sandboxes
from parity.harbor_env.client import SandboxClient, SandboxRequest
from parity.harbor_env.dataset import Row
from parity.harbor_env.errors import SandboxError, infrastructure
from parity.harbor_env.hooks import HarborHooks, State, warn
from parity.harbor_env.rollout import KILLED, bounded
from parity.harbor_env.scoring import average
from parity.harbor_env.settings import NAMES, EnvSettings, check_names

_GRACE_SECONDS = 30


class Metadata(TypedDict):
    """The arguments of an evaluation, and its totals."""

    model: str | None
    num_examples: int
    rollouts_per_example: int
    avg_reward: float
    errors: int
    """The number of rollouts with an error, whether or not they have a reward."""

    faults: int
    """The number of rollouts with a fault caused by the agent or its tests, whether or not they have a reward."""


class Results(TypedDict):
    """The results of all rollouts, in the order of the dataset. Rollouts of the same example are adjacent."""

    reward: list[float]
    state: list[State]
    metadata: Metadata


class HarborEnv(HarborHooks):
    """An environment that runs an agent on a directory of Harbor tasks and scores the result.

    `parity.harbor_env.for_verifiers.HarborEnv` is the counterpart for training with `verifiers`.

    A rollout's state is a dict with the keys `example_id`, `task`, `prompt` and `info` from its row, and `model`,
    `sandbox_id`, `agent_exit_code`, `agent_stdout`, `agent_stderr`, `timed_out`, `error`, `fault`, `reward`, `rewards`
    and `is_completed`.
    """

    def __init__(
        self,
        run_command: str,
        dataset_path: str | Path,
        tasks: Collection[str] | None = None,
        agent_workdir: str = "/app",
        docker_image: str = "python:3.11-slim",
        *,
        sandboxes: Sandboxes | str = "local",
        **options: Any,
    ) -> None:
        """Make an environment, and read its tasks from their directory.

        The arguments are the fields of `EnvSettings`, and `sandboxes`: the kind of sandbox for the agents, or its name,
        `"local"` or `"docker"`.

        Raises:
            DatasetError: the tasks cannot be used. If their directory is missing, the exception is also a
                FileNotFoundError.
            TypeError: an argument is unknown.
            ValueError: an argument has an invalid value.
            SandboxUnavailable: this kind of sandbox cannot work on this machine.
        """
        check_names(options, NAMES)
        settings = EnvSettings.read(
            run_command=run_command,
            dataset_path=dataset_path,
            tasks=tasks,
            agent_workdir=agent_workdir,
            docker_image=docker_image,
            **options,
        )
        self.run_command, self.timeout_seconds = settings.run_command, settings.timeout_seconds
        client = SandboxClient(sandboxes, network=settings.network)
        self.sandbox_client: Any = client
        self.read_dataset(settings, client.sandboxes)

    async def build_env_vars(self, state: State) -> dict[str, str]:
        """Return the environment variables for the sandbox. The arguments' variables override those from the task."""
        variables = dict(self.harbor_settings.environment_vars or {})
        if self.harbor_settings.base_url:
            variables["OPENAI_BASE_URL"] = self.harbor_settings.base_url
        # Rule: documented-env/model
        if state.get("model"):
            variables["OPENAI_MODEL"] = state["model"]
        return self.variables(state, variables)

    def get_sandbox_resources(self, state: State) -> dict[str, Any]:
        """Return the sandbox's `cpu_cores`, `memory_gb` and `disk_size_gb`.

        These are the environment's arguments. Under Harbor's scoring, values that the task sets override them.
        """
        settings = self.harbor_settings
        own = {name: getattr(settings, name) for name in ("cpu_cores", "memory_gb", "disk_size_gb")}
        return {**own, **self.task_of(state).resources}

    async def evaluate(
        self,
        model: str | None = None,
        num_examples: int = -1,
        rollouts_per_example: int = 1,
        max_concurrent: int | None = None,
    ) -> Results:
        """Run rollouts of the tasks in order, several at once.

        Args:
            model: name of the model for the agent.
            num_examples: the number of tasks to use, counted from the first; -1 for all.
            rollouts_per_example: the number of rollouts of each task.
            max_concurrent: the largest number of rollouts that run at once; None for the number of processors.

        Raises:
            ValueError: a number is below 1.
            asyncio.CancelledError: the evaluation was cancelled. All its sandboxes have been deleted.
        """
        count = len(self.rows) if num_examples == -1 else num_examples
        at_once = (os.cpu_count() or 1) if max_concurrent is None else max_concurrent
        _check_positive(num_examples=count, rollouts_per_example=rollouts_per_example, max_concurrent=at_once)
        rows, slots = self.rows[:count], asyncio.Semaphore(at_once)

        async def roll_out(row: Row) -> State:
            async with slots:
                return await self.rollout(row, model=model)

        async with asyncio.TaskGroup() as group:
            rollouts = [group.create_task(roll_out(row)) for row in rows for _ in range(rollouts_per_example)]
        states = [rollout.result() for rollout in rollouts]
        rewards = [state["reward"] for state in states]
        metadata = Metadata(
            model=model,
            num_examples=len(rows),
            rollouts_per_example=rollouts_per_example,
            avg_reward=average(rewards),
            errors=sum(state["error"] is not None for state in states),
            faults=sum(state["fault"] is not None for state in states),
        )
        return Results(reward=rewards, state=states, metadata=metadata)

    async def rollout(self, row: Mapping[str, Any], *, model: str | None = None) -> State:
        """Run the agent on one row and score it. The sandbox is always deleted afterwards.

        Args:
            row: a row of the dataset.
            model: name of the model for the agent.
        """
        state: State = {**deepcopy(dict(row)), "model": model, **_BEFORE_ROLLOUT}
        try:
            with infrastructure("the sandbox was not set up"):
                await self._start_sandbox(state)
                await self.post_sandbox_setup(state)
                await self.list_processes(state)
            with infrastructure("the agent was not run"):
                await self._run_agent(state)
            await self.post_rollout(state)
        except Exception as error:  # from the infrastructure or a subclass; all other rollouts go on
            warn(state, error)
            state.update(error=error, reward=0.0, rewards=None)
        finally:
            await self._delete_sandbox(state)
        # Rule: harbor-env/ends
        state["is_completed"] = True
        return state

    async def close(self) -> None:
        """Delete all sandboxes that still exist."""
        await self.sandbox_client.delete_all()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *error: object) -> None:
        await self.close()

    async def _start_sandbox(self, state: State) -> None:
        request = SandboxRequest(
            name=f"rollout-{state.get('example_id', 0)}",
            docker_image=await self.get_docker_image(state),
            environment_vars=await self.build_env_vars(state),
            **self.get_sandbox_resources(state),
        )
        state["sandbox_id"] = (await self.sandbox_client.create(request)).id

    async def _run_agent(self, state: State) -> None:
        """Run the agent. If the agent fails or is killed at its timeout, this is recorded, and its work is scored."""
        loop, limit = asyncio.get_running_loop(), self.agent_seconds(state)
        command, directory = bounded(self.run_command, limit), self.task_of(state).workdir
        latest = None if limit is None else max(0, limit) + _GRACE_SECONDS
        begun = loop.time()
        try:
            ended = await self.sandbox_client.execute_command(state["sandbox_id"], command, directory, timeout=latest)
        except TimeoutError as error:
            raise SandboxError(f"the agent could not be killed after {limit} seconds") from error
        state["agent_exit_code"], state["agent_stdout"] = ended.exit_code, ended.stdout
        state["agent_stderr"] = ended.stderr
        # Rule: run-trial/agent-timeout
        state["timed_out"] = limit is not None and ended.exit_code == KILLED and not loop.time() - begun < limit

    async def _delete_sandbox(self, state: State) -> None:
        """Delete the rollout's sandbox. If that fails and the rollout has no error yet, record the failure as one."""
        if state["sandbox_id"] is None:
            return
        try:
            with infrastructure("the sandbox was not deleted"):
                await self.sandbox_client.delete(state["sandbox_id"])
        except SandboxError as error:
            warn(state, error)
            state["error"] = state["error"] or error


def _check_positive(**numbers: float) -> None:
    for name, number in numbers.items():
        if not number >= 1:
            raise ValueError(f"{name} is {number!r}: give at least 1")


_BEFORE_ROLLOUT: Mapping[str, Any] = {
    "sandbox_id": None,
    "agent_exit_code": None,
    "agent_stdout": None,
    "agent_stderr": None,
    "timed_out": False,
    "error": None,
    "fault": None,
    "reward": 0.0,
    "rewards": None,
    "is_completed": False,
}
"""The keys that a state has before its rollout, with their values."""
