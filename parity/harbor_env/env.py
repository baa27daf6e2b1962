"""`HarborEnv` on the kit's own sandboxes: the documented interface on a machine without `verifiers`.

It does not intercept the agent's calls to a model, as `CliAgentEnv` of `verifiers` does for training: an agent receives
the address and name of a model, or works without one.
"""

import asyncio
import logging
import os
from collections.abc import Collection, Mapping, Sequence
from copy import deepcopy
from pathlib import Path
from typing import Any, Self, TypedDict

from parity.driver.sandbox import Sandboxes
from parity.harbor_env.client import SandboxClient, SandboxRequest, open_sandboxes
from parity.harbor_env.dataset import Row
from parity.harbor_env.errors import CommandTimeoutError, SandboxError, message_of
from parity.harbor_env.progress import progress_bar
from parity.harbor_env.rollout import KILLED, State, bounded
from parity.harbor_env.scoring import average
from parity.harbor_env.settings import NAMES, EnvSettings, check_count, check_names
from parity.harbor_env.tasks import HarborTasks
from parity.scorer.printable import printable

_LOG = logging.getLogger("parity.harbor_env")
_GRACE_SECONDS = 30


class Metadata(TypedDict):
    """The arguments and totals of an evaluation."""

    model: str | None
    num_examples: int
    rollouts_per_example: int
    avg_reward: float
    errors: int
    """Rollouts with an error, with or without a reward."""

    faults: int
    """Rollouts with a fault of the agent or its tests, with or without a reward."""


class Results(TypedDict):
    """The results in the order of the dataset. All rollouts of an example are adjacent."""

    reward: list[float]
    state: list[State]
    metadata: Metadata


class HarborEnv(HarborTasks):
    """An environment that runs an agent on a directory of Harbor tasks and scores the result.

    `parity.harbor_env.for_verifiers.HarborEnv` is its counterpart for training with `verifiers`.

    A rollout's state is a dict with `example_id`, `task`, `prompt` and `info` of its row, and `model`, `sandbox_id`,
    `agent_exit_code`, `agent_stdout`, `agent_stderr`, `timed_out`, `error`, `fault`, `reward`, `rewards` and
    `is_completed`.
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

        Args:
            run_command: bash source that runs the agent inside the sandbox.
            dataset_path: the directory that holds the task directories.
            tasks: names of the tasks to use; None for all.
            agent_workdir: the agent's directory, which is made and named in AGENT_WORKDIR; "" for none.
            docker_image: the image for tasks that name none.
            sandboxes: the kind of sandbox for the agents, or its name: `"local"` or `"docker"`.
            options: the other fields of `EnvSettings`.

        Raises:
            DatasetError: the tasks cannot be used. If their directory is missing, the error is a FileNotFoundError,
                too.
            TypeError: an argument is unknown.
            ValueError: an argument is wrong.
            SandboxUnavailable: that kind of sandbox cannot work here.
        """
        check_names(options, NAMES)
        settings = EnvSettings(run_command, Path(dataset_path), tasks, agent_workdir, docker_image, **options)
        self.run_command, self.docker_image = run_command, docker_image
        self.timeout_seconds = settings.timeout_seconds
        kind = open_sandboxes(sandboxes, network=settings.network)
        self.sandbox_client: Any = SandboxClient(kind, network=settings.network)
        self.take_tasks(settings)
        self.rows = self.read_rows()
        """The rows that `evaluate` runs."""

        self.check_builds(kind)

    async def build_env_vars(self, state: State) -> dict[str, str]:
        """Return the variables of the sandbox. The environment's own variables override the others."""
        variables = dict(self.harbor_settings.environment_vars or {})
        if self.harbor_settings.base_url:
            variables["OPENAI_BASE_URL"] = self.harbor_settings.base_url
        # Rule: documented-env/model
        if state.get("model"):
            variables["OPENAI_MODEL"] = state["model"]
        return self.variables(state, variables)

    def get_sandbox_resources(self, state: State) -> dict[str, Any]:
        """Return `cpu_cores`, `memory_gb`, `disk_size_gb`: the environment's, or the task's under Harbor's scoring."""
        settings = self.harbor_settings
        own = {name: getattr(settings, name) for name in ("cpu_cores", "memory_gb", "disk_size_gb")}
        return self.resources(state, own)

    async def post_rollout(self, state: State) -> None:
        """Score the agent's work before its sandbox is deleted."""
        await self.score(state)

    async def rollout(self, row: Mapping[str, Any], *, model: str | None = None) -> State:
        """Run the agent on one row and score it. The sandbox is always deleted afterwards.

        Args:
            row: a row of the dataset.
            model: name of the model for the agent.
        """
        begun = {**deepcopy(dict(row)), "model": model, **_NOTHING_YET}
        state: State = dict(begun)
        created: list[str] = []  # kept here because a hook may change the state
        try:
            try:
                await self._set_up(state, created)
                await self._run_agent(state, created[0])
            except SandboxError as error:
                state["error"] = error
                _warn(row, error)
            try:
                await self.post_rollout(state)
            except Exception as error:  # an error of a subclass must not end the other rollouts
                state["error"], state["reward"], state["rewards"] = error, 0.0, None
                _warn(row, error)
            state["is_completed"] = True
        finally:
            for key, value in begun.items():
                state.setdefault(key, value)
            await self._delete(state, created)
        return state

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
            model: name of the model for the agent.
            num_examples: the number of tasks, from the first; -1 for all.
            rollouts_per_example: the number of rollouts of each task.
            max_concurrent: the most rollouts at once; None for one for each processor.
            progress: whether to show a progress bar on stderr; None for terminals only.
            client: must be None: an agent's calls to a model are not intercepted here.

        Raises:
            TypeError, ValueError: an argument is wrong.
            asyncio.CancelledError: the evaluation was cancelled; no sandbox is left.
        """
        if client is not None:
            raise TypeError(_NO_CLIENT)
        if num_examples != -1:
            check_count("num_examples", num_examples, "give at least 1, or -1 for all")
        check_count("rollouts_per_example", rollouts_per_example)
        at_once = os.cpu_count() or 1 if max_concurrent is None else max_concurrent
        check_count("max_concurrent", at_once)
        rows = self.rows if num_examples == -1 else self.rows[:num_examples]
        slots = asyncio.Semaphore(at_once)
        with progress_bar(len(rows) * rollouts_per_example, progress) as on_ended:

            async def one(row: Row) -> State:
                async with slots:
                    state = await self.rollout(row, model=model)
                on_ended(state)
                return state

            async with asyncio.TaskGroup() as group:
                tasks = [group.create_task(one(row)) for row in rows for _ in range(rollouts_per_example)]
        states = [task.result() for task in tasks]
        return _results(states, model, len(rows), rollouts_per_example)

    async def close(self) -> None:
        """Delete all sandboxes that still exist."""
        await self.sandbox_client.delete_all()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *error: object) -> None:
        await self.close()

    async def _set_up(self, state: State, created: list[str]) -> None:
        """Create the sandbox, add its id to a list, and prepare it for the agent.

        Raises:
            SandboxError: anything fails.
        """
        try:
            request = SandboxRequest(
                name=f"rollout-{state.get('example_id', 0)}",
                docker_image=await self.get_docker_image(state),
                environment_vars=await self.build_env_vars(state),
                **self.get_sandbox_resources(state),
            )
            state["sandbox_id"] = (await self.sandbox_client.create(request)).id
            created.append(state["sandbox_id"])
            await self.post_sandbox_setup(state)
            await self.before_agent(state)
        except SandboxError:
            raise
        except Exception as error:
            raise SandboxError(f"the sandbox was not set up: {message_of(error)}") from error

    async def _run_agent(self, state: State, sandbox: str) -> None:
        """Run the agent. Its failure or timeout is recorded, and its work is still scored.

        Raises:
            SandboxError: the agent could not be run, or not be ended.
        """
        loop, limit = asyncio.get_running_loop(), self.agent_seconds(state)
        begun = loop.time()
        try:
            async with asyncio.timeout(None if limit is None else max(0, limit) + _GRACE_SECONDS):
                command, where = bounded(self.run_command, limit), self.starting_directory(state)
                ended = await self.sandbox_client.execute_command(sandbox, command, where)
        except (TimeoutError, CommandTimeoutError) as error:
            raise SandboxError(f"the agent could not be ended after {limit} seconds") from error
        except Exception as error:
            raise SandboxError(f"the agent was not run: {message_of(error)}") from error
        state["agent_exit_code"], state["agent_stdout"] = ended.exit_code, ended.stdout
        state["agent_stderr"] = ended.stderr
        # Rule: run-trial/agent-timeout
        if limit is not None and ended.exit_code == KILLED and not loop.time() - begun < limit:
            state["timed_out"] = True

    async def _delete(self, state: State, created: Sequence[str]) -> None:
        """Delete the rollout's sandbox. A failure becomes the rollout's error, if it has none yet."""
        for sandbox in created:
            try:
                await self.sandbox_client.delete(sandbox)
            except Exception as error:
                failure = SandboxError(f"the sandbox was not deleted: {message_of(error)}")
                _warn(state, failure)
                if state["error"] is None:
                    state["error"] = failure


def _results(states: list[State], model: str | None, num_examples: int, rollouts_per_example: int) -> Results:
    rewards = [state["reward"] for state in states]
    metadata = Metadata(
        model=model,
        num_examples=num_examples,
        rollouts_per_example=rollouts_per_example,
        avg_reward=average(rewards),
        errors=sum(state["error"] is not None for state in states),
        faults=sum(state["fault"] is not None for state in states),
    )
    return Results(reward=rewards, state=states, metadata=metadata)


def _warn(row: Mapping[str, Any], error: Exception) -> None:
    what = str(error) if isinstance(error, SandboxError) else message_of(error)
    _LOG.warning("%s", printable(f"task {row.get('task')}: {what}"))


_NOTHING_YET: Mapping[str, Any] = {
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
"""The keys of a state before its rollout."""

_NO_CLIENT = (
    "evaluate takes no client here: agents call a model by base_url and model; with verifiers installed, use"
    " parity.harbor_env.for_verifiers.HarborEnv, which passes their calls on to a client"
)
