"""`HarborEnv` on the kit's own sandboxes: the documented interface on a machine without `verifiers`.

For training, `CliAgentEnv` from `verifiers` intercepts the agent's calls to a model. The class in this module does not:
an agent receives the address and name of a model, or works without a model.
"""

import asyncio
import os
from collections.abc import Collection, Mapping
from copy import deepcopy
from pathlib import Path
from typing import Any, Self

from parity.driver.sandbox import Sandboxes
from parity.harbor_env.client import SandboxClient, SandboxRequest
from parity.harbor_env.dataset import Row
from parity.harbor_env.errors import SandboxError, infrastructure
from parity.harbor_env.hooks import HarborHooks, State, warn
from parity.harbor_env.results import Results, base_url_of, results_of
from parity.harbor_env.rollout import KILLED, bounded
from parity.harbor_env.settings import NAMES, EnvSettings, check_names

_GRACE_SECONDS = 30


class HarborEnv(HarborHooks):
    """An environment that runs an agent on a directory of Harbor tasks and scores the result.

    `parity.harbor_env.for_verifiers.HarborEnv` is the counterpart for training with `verifiers`.

    A rollout's state is a dict with the keys `example_id`, `task`, `prompt` and `info` from its row, and `model`,
    `base_url`, `sandbox_id`, `agent_exit_code`, `agent_stdout`, `agent_stderr`, `timed_out`, `error`, `fault`,
    `reward`, `rewards`, `timing` (in seconds) and `is_completed`.
    """

    never_called = dict.fromkeys(
        (
            *("mcp_launch_command", "mcp_agent_env_vars", "start_mcp_servers", "stop_mcp_servers"),
            *("setup_state", "init_state", "start_agent", "wait_for_completion", "poll_job_completion"),
            *("check_agent_completed", "agent_completed", "get_prompt_messages", "get_model_response", "env_response"),
            *("add_model_response", "add_trajectory_step", "normalize_response", "normalize_intercepted_messages"),
            *("normalize_intercepted_tools", "render_completion", "is_completed", "get_tunnel_url", "create_sandbox"),
            *("delete_sandbox", "destroy_sandbox", "run_background_job", "compute_sandbox_timeout_minutes"),
            *("init_interception", "cleanup_interception_context", "teardown_resources"),
        ),
        "only verifiers calls it; subclass parity.harbor_env.for_verifiers.HarborEnv instead",
    )
    """Methods that `verifiers` calls in a rollout, and this class, which has no calls to a model, does not."""

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
        self.read_arguments(settings, client.sandboxes)
        # Without a subclass's method, tasks are used even if they do not fit into one Hugging Face dataset.
        is_changed = type(self).load_harbor_dataset is not HarborHooks.load_harbor_dataset
        self.use_rows(self.load_harbor_dataset().to_list() if is_changed else self.read_rows())

    def __init_subclass__(cls, **arguments: Any) -> None:
        """Refuse a subclass with a method which is never called. A decorator of `verifiers` may mark it.

        Raises:
            TypeError: the subclass has such a method.
        """
        super().__init_subclass__(**arguments)
        for name, value in vars(cls).items():
            for mark in ("cleanup", "stop", "teardown"):
                if getattr(value, mark, None) is True:
                    what = f"{cls.__name__}.{name} would never be called: verifiers.{mark} marks it"
                    raise TypeError(f"{what}; subclass parity.harbor_env.for_verifiers.HarborEnv instead")

    async def build_env_vars(self, state: State) -> dict[str, str]:
        """Return the environment variables for the sandbox. The arguments' variables override those from the task."""
        variables = dict(self.harbor_settings.environment_vars or {})
        if base_url := state.get("base_url") or self.harbor_settings.base_url:
            variables["OPENAI_BASE_URL"] = base_url
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
        client: Any = None,
        model: str | None = None,
        num_examples: int = -1,
        rollouts_per_example: int = 1,
        max_concurrent: int | None = None,
    ) -> Results:
        """Run rollouts of the tasks in order, several at once.

        Args:
            client: a client of a model's API, such as `AsyncOpenAI` or `ClientConfig` from `verifiers`. Agents get its
                URL as OPENAI_BASE_URL, in place of the argument `base_url`. They do not get its key, because a task's
                code is untrusted: pass a key on purpose with `environment_vars={"OPENAI_API_KEY": ...}`.
            model: name of the model for the agent.
            num_examples: the number of tasks to use, counted from the first; -1 for all.
            rollouts_per_example: the number of rollouts of each task.
            max_concurrent: the largest number of rollouts that run at once; None for the number of processors.

        Raises:
            ValueError: an argument has an invalid value, or the client has no URL.
            asyncio.CancelledError: the evaluation was cancelled. All its sandboxes have been deleted.
        """
        if not isinstance(model, str | None):
            raise ValueError(f"model is {model!r}: give the model's name")
        count = len(self.rows) if num_examples == -1 else num_examples
        at_once = (os.cpu_count() or 1) if max_concurrent is None else max_concurrent
        _check_positive(num_examples=count, rollouts_per_example=rollouts_per_example, max_concurrent=at_once)
        base_url = base_url_of(client, self.harbor_settings.environment_vars or {}) or self.harbor_settings.base_url
        slots = asyncio.Semaphore(at_once)

        async def roll_out(row: Row) -> State:
            async with slots:
                return await self.rollout(row, model=model, base_url=base_url)

        async with asyncio.TaskGroup() as group:
            rollouts = [
                group.create_task(roll_out(row)) for row in self.rows[:count] for _ in range(rollouts_per_example)
            ]
        return results_of(
            [rollout.result() for rollout in rollouts],
            env_id=type(self).__name__,
            model=model,
            base_url=base_url,
            rollouts_per_example=rollouts_per_example,
        )

    async def rollout(self, row: Mapping[str, Any], *, model: str | None = None, base_url: str | None = None) -> State:
        """Run the agent on one row and score it. The sandbox is always deleted afterwards.

        Args:
            row: a row of the dataset.
            model: name of the model for the agent.
            base_url: the URL of the model's API, in place of the environment's own.
        """
        state: State = {**deepcopy(dict(row)), "model": model, "base_url": base_url, **_BEFORE_ROLLOUT}
        state.setdefault("task", (state.get("info") or {}).get("task_name"))
        loop = asyncio.get_running_loop()
        begun = loop.time()
        try:
            with infrastructure("the sandbox was not set up"):
                await self._start_sandbox(state)
                await self.post_sandbox_setup(state)
                await self.list_processes(state)
            with infrastructure("the agent was not run"):
                await self._run_agent(state)
            await self.post_rollout(state)
            state["reward"] = float(await self.harbor_reward(state))
        except Exception as error:  # from the infrastructure or a subclass; all other rollouts go on
            own = self.hook_error(error) or error
            warn(state, own)
            state.update(error=own, reward=0.0, rewards=None)
        finally:
            await self._delete_sandbox(state)
        # Rule: harbor-env/ends
        state.update(is_completed=True, timing={"total": loop.time() - begun})
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


def _check_positive(**numbers: object) -> None:
    for name, number in numbers.items():
        if type(number) is not int or number < 1:
            raise ValueError(f"{name} is {number!r}: give a whole number of at least 1")


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
