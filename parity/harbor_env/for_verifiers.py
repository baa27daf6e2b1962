"""`HarborEnv` for training with `verifiers`: its `CliAgentEnv`, with Harbor's tasks and scoring.

It works with release 0.3.1, and on request with the kit's own sandboxes. When a rollout's tests are cut off, the
release leaves its sandbox behind; here it is always deleted.
"""

import asyncio
import shlex
import time
from collections.abc import Awaitable, Callable, Sequence
from contextvars import ContextVar
from pathlib import Path
from typing import Any

from parity.driver.sandbox import Sandboxes
from parity.harbor_env.arguments import check_limits, check_names, open_sandboxes
from parity.harbor_env.errors import SandboxError, message_of
from parity.harbor_env.inside import KILLED, bounded
from parity.harbor_env.sandbox_client import SandboxClient
from parity.harbor_env.settings import take_settings
from parity.harbor_env.states import State
from parity.harbor_env.tasks import HarborTasks
from parity.harbor_env.verifiers_release import (
    OPTIONS,
    AgentError,
    CliAgentEnv,
    Error,
    InfraError,
    Rubric,
    teardown,
)
from parity.harbor_env.verifiers_release import SandboxError as ReleasedSandboxError
from parity.harbor_env.verifying import LONGEST_SECONDS

__all__ = ["HarborEnv", "HarborFault"]

_CLIENT_POLLS_SECONDS = 60
_POLL_SECONDS = 5
_FOLDER = "HARBOR_TASK_WORKDIR"

_STATES: ContextVar[list[State]] = ContextVar("states")
"""The state of the running rollout."""


class HarborFault(Error):
    """Harbor's error for a rollout without a reward. Its message begins with the error's kind."""

    @property
    def kind(self) -> str:
        """The name of Harbor's exception."""
        return str(self).partition(":")[0]


class HarborEnv(HarborTasks, CliAgentEnv):
    """An environment that runs an agent on Harbor tasks and scores the result, with `CliAgentEnv`'s interception."""

    cuts_off_agents = True

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
        """Make an environment, and read its tasks from their folder.

        Args:
            run_command: bash source that runs the agent inside the sandbox.
            dataset_path: the folder that holds the task folders.
            tasks: names of the tasks to use; None for all.
            agent_workdir: the agent's folder, which is made and named in AGENT_WORKDIR; "" for none.
            docker_image: the image for tasks that name none.
            sandboxes: None for the sandboxes of `verifiers`; `"local"`, `"docker"` or a kind of sandbox to run agents
                there without an account. That needs an `interception_url`, by which the sandboxes reach this process.
            options: as `Choices` of `parity.harbor_env.settings` describes them, and the named arguments of
                `CliAgentEnv` of the installed release; any other is refused.

        Raises:
            DatasetError: the tasks cannot be used. If their folder is missing, the error is a FileNotFoundError, too.
            TypeError, ValueError: an argument is wrong.
            SandboxUnavailable: that kind of sandbox cannot work here.
        """
        settings = take_settings(run_command, dataset_path, tasks, agent_workdir, docker_image, options)
        check_names(options, OPTIONS)
        check_limits({**OPTIONS, **options})
        self._client: SandboxClient | None = None
        if sandboxes is not None:
            kind = open_sandboxes(sandboxes, network=settings.network)
            self._client = SandboxClient(kind, network=settings.network)
        elif settings.end_processes:
            raise ValueError("end_processes is for sandboxes of ours: others may have processes of their own")
        else:
            # A client of verifiers polls less and less often for the end of the tests.
            self.polling_seconds = _CLIENT_POLLS_SECONDS
        self.take_tasks(settings)
        dataset = self.load_harbor_dataset()
        if self._client is not None:
            if not options.get("interception_url"):
                what = "with sandboxes there is no tunnel: give the interception_url at which they reach this process"
                raise ValueError(what)
            # Our sandboxes need none.
            options = {**options, "start_command": None}
        super().__init__(
            run_command=_in_folder(run_command),
            dataset=dataset.remove_columns("task"),  # a name in that column would end the rollout with a ValueError
            rubric=Rubric(funcs=[self.harbor_reward], weights=[1.0]),
            docker_image=settings.docker_image,
            **options,
        )
        if self._client is not None:
            self.sandbox_client.teardown()
            self.sandbox_client = self._client
            self.check_builds(self._client.sandboxes)

    async def build_env_vars(self, state: State) -> dict[str, str]:
        """Return the variables of the sandbox, with the agent's folder if the task names one."""
        variables = self.variables(state, await super().build_env_vars(state))
        folder = self.starting_folder(state)
        return variables if folder is None else {**variables, _FOLDER: folder}

    def get_sandbox_resources(self, state: State) -> dict[str, Any]:
        """Return the environment's resources. Under Harbor's scoring, the task's values override these."""
        return self.resources(state, super().get_sandbox_resources(state))

    async def harbor_reward(self, state: State, **kwargs: Any) -> float:
        """Return the computed reward, for a rubric."""
        reward: float = state.get("reward", 0.0)
        return reward

    async def rollout(self, *args: Any, **kwargs: Any) -> State:
        """Run a rollout as the release does. If it is cut off, its sandbox is still deleted."""
        states: list[State] = []
        token = _STATES.set(states)
        try:
            return await super().rollout(*args, **kwargs)
        except BaseException:
            for cut_off in states:
                cut_off["is_completed"] = False
                await asyncio.shield(asyncio.ensure_future(self._free(cut_off)))
            raise
        finally:
            _STATES.reset(token)

    async def setup_state(self, state: State) -> State | None:
        """Set up the sandbox and start the agent. Any failure is an error of the infrastructure."""
        _STATES.get([]).append(state)
        try:
            return await super().setup_state(state)
        except Error:
            raise
        except Exception as error:
            raise ReleasedSandboxError(f"the sandbox was not set up: {message_of(error)}") from error

    async def start_agent(self, state: State) -> None:
        """Start the agent after all set-up, including that of subclasses."""
        await self.before_agent(state)
        await super().start_agent(state)

    async def post_rollout(self, state: State) -> None:
        """Score the agent's work before its sandbox is deleted, unless the rollout was cut off."""
        if not state.get("is_completed"):
            return
        await super().post_rollout(state)
        error, code = state.get("error"), state.get("agent_exit_code")
        if isinstance(error, AgentError):
            # The release would run the agent again without scoring. With an exit code, the agent has ended and is
            # scored. Without one, its end is unknown, which is an error of the infrastructure.
            state["error"] = None if code is not None else self.as_error(SandboxError(str(error)))
        if code is None and (state.get("agent_timed_out") or state.get("stop_condition") == "timeout_reached"):
            state["timed_out"] = True
        if state.get("timed_out") and "agent_start_time" not in state and error is None:
            state["error"] = self.as_error(SandboxError("the time was up before the agent was started"))
        try:
            await self.score(state)
        except BaseException:
            state["is_completed"] = False  # it was cut off, and must not be scored again
            raise

    async def run_tests(self, state: State, command: str, *, seconds: float | None = None, **options: Any) -> None:
        """Run the test script in the background of the sandbox, as the release does.

        Raises:
            TimeoutError: the script ran into its timeout, which is measured inside if the client polls too rarely.
        """
        limited = self._client is None and seconds is not None and 0 < seconds < LONGEST_SECONDS
        if limited:
            command = bounded(command, seconds)
        begun = time.monotonic()
        if "env" not in options:
            ended = await self.run_background_job(state, command, poll_interval=_POLL_SECONDS, **options)
        else:
            sandbox = state["sandbox_id"]
            ended = await self.sandbox_client.run_background_job(sandbox_id=sandbox, command=command, **options)
        if limited and ended.exit_code == KILLED and time.monotonic() - begun >= (seconds or 0):
            raise TimeoutError

    def retried(self, call: Callable[..., Awaitable[Any]]) -> Callable[..., Awaitable[Any]]:
        """Return a call to the sandbox client with the release's retries, or without retries on our own sandboxes."""
        return call if self._client is not None else self.with_retry(call)

    def as_error(self, error: Exception) -> Exception:
        """Return an error for `state["error"]`, as a class that `verifiers` knows."""
        if isinstance(error, Error):
            return error
        is_sandbox = isinstance(error, SandboxError)
        known = ReleasedSandboxError(str(error)) if is_sandbox else HarborFault(message_of(error))
        known.__cause__ = error
        return known

    def is_infrastructure(self, error: object) -> bool:
        """Return whether an error means that the rollout cannot be scored."""
        return isinstance(error, InfraError)

    @teardown
    async def delete_own_sandboxes(self) -> None:
        """Delete the remaining sandboxes of our own, before the release looks for its own."""
        if self._client is not None:
            await self._client.delete_all()
            self.active_sandboxes.clear()

    async def _free(self, state: State) -> None:
        """Delete a rollout's sandbox if it still exists."""
        if state.get("sandbox_id") in self.active_sandboxes:
            await self.delete_sandbox(state["sandbox_id"])


def _in_folder(run_command: str) -> str:
    """Return a command for any shell that runs the agent by bash, in the folder that a variable names."""
    return f"bash -c {shlex.quote(f'cd "${{{_FOLDER}:-.}}" && {{ {run_command}\n}}')}"
