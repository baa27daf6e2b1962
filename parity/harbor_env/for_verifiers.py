"""`HarborEnv` for training with `verifiers`: its `CliAgentEnv`, with Harbor's tasks and scoring.

`parity.harbor_env.releases` names the releases that it is tested with.
"""

import inspect
import shlex
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from parity.driver.sandbox import Sandboxes
from parity.harbor_env.arguments import check_command, check_limits
from parity.harbor_env.errors import SandboxError
from parity.harbor_env.faults import Faults
from parity.harbor_env.processes import bounded
from parity.harbor_env.scoring import Scoring
from parity.harbor_env.states import State
from parity.harbor_env.tasks import HarborTasks
from parity.harbor_env.verifiers_release import HAS_TASK_COLUMN, OPTIONS, AgentError, vf
from parity.harbor_env.verifiers_sandboxes import SandboxedEnv

__all__ = ["HarborEnv", "HarborFault"]

_POLL_SECONDS = 5
_POLLING_SECONDS = 60
_LONGEST_SECONDS = 24 * 60 * 60
_KILLED = 137
_FOLDER = "HARBOR_TASK_WORKDIR"


class HarborFault(vf.Error):  # type: ignore[misc]
    """What Harbor records in place of a reward; its message begins with the kind."""

    @property
    def kind(self) -> str:
        """The name of Harbor's exception."""
        return str(self).partition(":")[0]


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
    limits = inspect.signature(check_limits).parameters
    check_limits(**{name: given.get(name, OPTIONS.get(name)) for name in limits})


class HarborEnv(HarborTasks, SandboxedEnv):
    """Runs an agent on a folder of Harbor tasks and scores what it leaves, with the interception of `CliAgentEnv`."""

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
        sandboxes: Sandboxes | str | None = None,
        network: bool = False,
        host_env: Sequence[str] = (),
        end_processes: bool = False,
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
            faults: whether what the agent or its tests did wrong is a reward of 0.0 alone, or `state["error"]`, too:
                trainers leave out what has one.
            sandboxes: None for the sandboxes that `verifiers` uses; `"local"`, `"docker"` or a kind of sandbox to
                run agents there instead, without an account. It needs an `interception_url`, by which the sandboxes
                reach this process.
            network: whether sandboxes of ours have a network.
            host_env: names of this process's variables that templates of a task may take under Harbor's scoring; a
                task that takes another is refused.
            end_processes: whether everything that the agent left running is ended before the tests come, on sandboxes
                of ours. Harbor lets it run, because tests may ask for a server.
            kwargs: as `CliAgentEnv` of the installed release takes them by name; any other is refused.

        Raises:
            DatasetError: the tasks cannot be used.
            TypeError, ValueError: an argument is none that counts.
            SandboxUnavailable: that kind of sandbox cannot work here.
        """
        check_command(run_command)
        _check_options(kwargs)
        if end_processes and sandboxes is None:
            raise ValueError("end_processes is for sandboxes of ours: others may have processes of their own")
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
        # A client of verifiers looks less and less often whether the tests have ended.
        self.polling_seconds = _POLLING_SECONDS if sandboxes is None else 0
        dataset = self.load_harbor_dataset()
        if not HAS_TASK_COLUMN:
            dataset = dataset.remove_columns("task")
        super().__init__(
            run_command=_in_folder(run_command),
            dataset=dataset,
            rubric=vf.Rubric(funcs=[self.harbor_reward], weights=[1.0]),
            docker_image=docker_image,
            sandboxes=sandboxes,
            network=network,
            **kwargs,
        )
        if self._client is not None:
            self.check_builds(dataset, self._client.sandboxes)

    async def start_agent(self, state: State) -> None:
        """Start the agent when all is set up, what a subclass adds to that included."""
        await self.before_agent(state)
        await super().start_agent(state)

    async def post_rollout(self, state: State) -> None:
        """Score what the agent left, before its sandbox goes; not where the rollout was cut off."""
        if not state.get("is_completed"):
            return
        error = state.get("error")
        if isinstance(error, AgentError):
            if state.get("agent_exit_code") is None:
                # Nobody knows how the agent ended: that is no crash of its own.
                state["error"] = vf.SandboxError(str(error))
                state["error"].__cause__ = error
            else:
                # The release would run it again, and score nothing of it; its exit code says how it ended.
                state["error"] = None
        try:
            await super().post_rollout(state)
        except BaseException:
            state["is_completed"] = False  # it was cut off, and is not scored once more
            raise

    def as_error(self, error: Exception) -> Exception:
        """An error as `state["error"]` takes it: one of those that `verifiers` knows."""
        is_known: bool = isinstance(error, vf.Error)
        if is_known:
            return error
        text = str(error) if isinstance(error, SandboxError) else f"{type(error).__name__}: {error}"
        known: Exception = (vf.SandboxError if isinstance(error, SandboxError) else HarborFault)(text)
        known.__cause__ = error
        return known

    def is_infrastructure(self, error: object) -> bool:
        """Whether an error says that nothing can be scored."""
        return isinstance(error, vf.InfraError)

    async def build_env_vars(self, state: State) -> dict[str, str]:
        """The variables of the sandbox, with the agent's folder where the task names one."""
        variables = await super().build_env_vars(state)
        folder = self.starting_folder(state)
        return variables if folder is None else {**variables, _FOLDER: folder}

    async def run_tests(self, state: State, command: str, *, seconds: float | None = None, **options: Any) -> None:
        """Run the test script in the background of the sandbox, as the release does.

        Raises:
            TimeoutError: it ran into its time, which is measured inside where nobody outside looks often enough.
        """
        limited = self._client is None and seconds is not None and 0 < seconds < _LONGEST_SECONDS
        if limited:
            command = bounded(command, seconds)
        begun = time.monotonic()
        if "env" not in options:
            ended = await self.run_background_job(state, command, poll_interval=_POLL_SECONDS, **options)
        else:
            sandbox = state["sandbox_id"]
            ended = await self.sandbox_client.run_background_job(sandbox_id=sandbox, command=command, **options)
        if limited and ended.exit_code == _KILLED and time.monotonic() - begun >= (seconds or 0):
            raise TimeoutError

    def may_end_agents(self) -> bool:
        """Always: an agent may run on when its turns are up."""
        return True

    async def end_agent(self, state: State) -> None:
        """End what may run on of an agent: with its turns or its time up, nobody knows how it ended."""
        await super().end_agent({**state, "timed_out": state.get("agent_exit_code") is None})

    def retried(self, call: Callable[..., Awaitable[Any]]) -> Callable[..., Awaitable[Any]]:
        """A call to the sandbox client, retried as the release does, but not with sandboxes of ours."""
        if self._client is not None:
            return call
        retried: Callable[..., Awaitable[Any]] = self.with_retry(call)
        return retried
