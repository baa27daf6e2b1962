"""`HarborEnv` on the kit's own sandboxes: the documented interface on a machine without `verifiers`.

It does not intercept the agent's calls to a model, as `CliAgentEnv` of `verifiers` does for training: an agent receives
the address and name of a model, or works without one.
"""

import asyncio
import logging
import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from copy import deepcopy
from pathlib import Path
from typing import Any, Self, Unpack

from parity.driver.sandboxes.starting import limited
from parity.harbor_env.arguments import check_count, check_limits, check_names, check_text, open_sandboxes
from parity.harbor_env.dataset import Row
from parity.harbor_env.errors import CommandTimeoutError, SandboxError, message_of
from parity.harbor_env.evaluation import Metadata, Results, shown
from parity.harbor_env.inside import KILLED, bounded
from parity.harbor_env.sandbox_client import SandboxClient, SandboxRequest
from parity.harbor_env.scoring import average
from parity.harbor_env.settings import Options, take_settings
from parity.harbor_env.states import State
from parity.harbor_env.tasks import HarborTasks
from parity.scorer.printable import printable

_LOG = logging.getLogger("parity.harbor_env")
_GRACE_SECONDS = 30


class HarborEnv(HarborTasks):
    """An environment that runs an agent on a folder of Harbor tasks and scores the result.

    `parity.harbor_env.for_verifiers.HarborEnv` is its counterpart for training with `verifiers`.

    A rollout's state is a dict with `example_id`, `task`, `prompt` and `info` of its row, and `model`, `sandbox_id`,
    `agent_exit_code`, `agent_stdout`, `agent_stderr`, `timed_out`, `error`, `fault`, `reward`, `rewards` and
    `is_completed`.
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
        """Make an environment, and read its tasks from their folder.

        Args:
            run_command: bash source that runs the agent inside the sandbox.
            dataset_path: the folder that holds the task folders.
            tasks: names of the tasks to use; None for all.
            agent_workdir: the agent's folder, which is made and named in AGENT_WORKDIR; "" for none.
            docker_image: the image for tasks that name none.
            options: as `Options` describes them.

        Raises:
            DatasetError: the tasks cannot be used. If their folder is missing, the error is a FileNotFoundError, too.
            TypeError, ValueError: an argument is wrong.
            SandboxUnavailable: that kind of sandbox cannot work here.
        """
        others: dict[str, Any] = {**options}
        settings = take_settings(run_command, dataset_path, tasks, agent_workdir, docker_image, others)
        check_names(others, Options.__annotations__, _ELSEWHERE)
        limits = check_limits(others)
        self.base_url: str | None = others.get("base_url")
        if self.base_url is not None:
            check_text("base_url", self.base_url, "an address, or None for no model", may_be_empty=True)
        self.run_command, self.docker_image = run_command, settings.docker_image
        self.environment_vars: dict[str, str] = dict(limits["environment_vars"] or {})
        self.timeout_seconds: float | None = limits["timeout_seconds"]
        self.max_turns: int = limits["max_turns"]
        self.cpu_cores: int = limits["cpu_cores"]
        self.memory_gb: float = limits["memory_gb"]
        self.disk_size_gb: float = limits["disk_size_gb"]
        kind = open_sandboxes(others.get("sandboxes", "local"), network=settings.network)
        self.sandbox_client: Any = SandboxClient(kind, network=settings.network)
        self.take_tasks(settings)
        self.rows = self.read_rows()
        """The rows that `evaluate` runs."""

        self.check_builds(kind)

    async def build_env_vars(self, state: State) -> dict[str, str]:
        """Return the variables of the sandbox. The environment's own variables override the others."""
        variables = dict(self.environment_vars)
        if self.base_url:
            variables["OPENAI_BASE_URL"] = self.base_url
        # Rule: documented-env/model
        if state.get("model"):
            variables["OPENAI_MODEL"] = state["model"]
        return self.variables(state, variables)

    def get_sandbox_resources(self, state: State) -> dict[str, Any]:
        """Return `cpu_cores`, `memory_gb`, `disk_size_gb`: the environment's, or the task's under Harbor's scoring."""
        own = {"cpu_cores": self.cpu_cores, "memory_gb": self.memory_gb, "disk_size_gb": self.disk_size_gb}
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
        begun: State = {
            **deepcopy(dict(row)),
            "model": model,
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
        state = dict(begun)
        sandbox: str | None = None  # kept here because a hook may change the state
        try:
            try:
                with _setting_up():
                    sandbox = await self._create(state)
                    await self.post_sandbox_setup(state)
                    await self.before_agent(state)
                await self._run_agent(state, sandbox)
            except SandboxError as error:
                state["error"] = error
                _LOG.warning("%s", printable(f"task {row.get('task')}: {error}"))
            try:
                await self.post_rollout(state)
            except Exception as error:  # an error of a subclass must not end the other rollouts
                _LOG.warning("%s", printable(f"task {row.get('task')}: {message_of(error)}"))
                state["error"], state["reward"], state["rewards"] = error, 0.0, None
            state["is_completed"] = True
        finally:
            for key, value in begun.items():
                state.setdefault(key, value)
            await self._delete(state, sandbox)
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
        if model is not None:
            check_text("model", model, "its name, or None", may_be_empty=True)
        check_count("rollouts_per_example", rollouts_per_example)
        if max_concurrent is not None:
            check_count("max_concurrent", max_concurrent)
        if num_examples != -1:
            check_count("num_examples", num_examples, "at least 1, or -1 for all")
        rows = self.rows if num_examples < 0 else self.rows[:num_examples]
        slots = asyncio.Semaphore(max_concurrent or os.cpu_count() or 1)
        with shown(len(rows) * rollouts_per_example, progress) as on_ended:

            async def one(row: Row) -> State:
                async with slots:
                    state = await self.rollout(row, model=model)
                on_ended(state)
                return state

            tasks = []
            async with asyncio.TaskGroup() as group:
                for row in (row for row in rows for _ in range(rollouts_per_example)):
                    tasks.append(group.create_task(one(row)))
                    await asyncio.sleep(0)  # hundreds that begin in one turn of the loop would block it
        states = [task.result() for task in tasks]
        rewards = [state["reward"] for state in states]
        return Results(
            reward=rewards,
            state=states,
            metadata=Metadata(
                model=model,
                num_examples=len(rows),
                rollouts_per_example=rollouts_per_example,
                avg_reward=average(rewards),
                errors=sum(state["error"] is not None for state in states),
                faults=sum(state["fault"] is not None for state in states),
            ),
        )

    async def close(self) -> None:
        """Delete all sandboxes that still exist."""
        await self.sandbox_client.delete_all()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *error: object) -> None:
        await self.close()

    async def _create(self, state: State) -> str:
        request = SandboxRequest(
            name=f"rollout-{state.get('example_id', 0)}",
            docker_image=await self.get_docker_image(state),
            environment_vars=await self.build_env_vars(state),
            **self.get_sandbox_resources(state),
        )
        state["sandbox_id"] = (await self.sandbox_client.create(request)).id
        sandbox: str = state["sandbox_id"]
        return sandbox

    async def _delete(self, state: State, sandbox: str | None) -> None:
        """Delete the sandbox. A failure becomes the rollout's error, if it has none yet."""
        if sandbox is None:
            return
        try:
            await self.sandbox_client.delete(sandbox)
        except Exception as error:
            failure = SandboxError(f"the sandbox was not deleted: {message_of(error)}")
            _LOG.warning("%s", printable(f"task {state.get('task')}: {failure}"))
            if state["error"] is None:
                state["error"] = failure

    async def _run_agent(self, state: State, sandbox: str) -> None:
        """Run the agent. Its failure or timeout is recorded, and its work is still scored."""
        loop = asyncio.get_running_loop()
        limit = self.timeout_seconds
        begun = loop.time()
        try:
            async with limited(None if limit is None else limit + _GRACE_SECONDS):
                command = bounded(self.run_command, limit)
                where = self.starting_folder(state)
                ended = await self.sandbox_client.execute_command(sandbox, command, where)
        except (TimeoutError, CommandTimeoutError) as error:
            raise SandboxError(f"the agent could not be ended after {limit} seconds") from error
        except Exception as error:
            raise SandboxError(f"the agent was not run: {message_of(error)}") from error
        state["agent_exit_code"], state["agent_stdout"] = ended.exit_code, ended.stdout
        state["agent_stderr"] = ended.stderr
        if limit is not None and ended.exit_code == KILLED and loop.time() - begun >= limit:
            state["timed_out"] = True


@contextmanager
def _setting_up() -> Iterator[None]:
    """Turn any error in the block into an error of the infrastructure."""
    try:
        yield
    except SandboxError:
        raise
    except Exception as error:
        raise SandboxError(f"the sandbox was not set up: {message_of(error)}") from error


_ELSEWHERE = "; the other arguments of CliAgentEnv of verifiers are for parity.harbor_env.for_verifiers only"
_NO_CLIENT = (
    "evaluate takes no client here: agents call a model by base_url and model; with verifiers installed, use"
    " parity.harbor_env.for_verifiers.HarborEnv, which passes their calls on to a client"
)
