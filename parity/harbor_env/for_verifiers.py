"""`HarborEnv` for training with `verifiers`: a `CliAgentEnv` with Harbor's tasks and scoring.

The class works with `verifiers` 0.3.1, and can run agents in the kit's own sandboxes instead of those of `verifiers`.
If a rollout is cancelled during its tests, `CliAgentEnv` does not delete the sandbox; the class in this module always
does.
"""

import asyncio
import inspect
import math
import shlex
import time
from collections.abc import Callable, Collection
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from parity.driver.sandbox import Sandboxes
from parity.driver.sandboxes.transfer import unpack_downloaded
from parity.driver.threads import temporary_directory
from parity.harbor_env.client import SandboxClient
from parity.harbor_env.errors import CommandFailed, SandboxError, message_of
from parity.harbor_env.hooks import HarborHooks, State
from parity.harbor_env.rollout import KILLED, TRANSFER_SECONDS, bounded, timeout_text
from parity.harbor_env.settings import NAMES, EnvSettings, check_names

__all__ = ["HarborEnv", "HarborFault"]

_DIRECTORY, _SECONDS = "HARBOR_TASK_WORKDIR", "HARBOR_AGENT_TIMEOUT"


def _check_release() -> None:
    """Check that a supported release of `verifiers` is installed.

    Raises:
        ImportError: `verifiers` is not installed, or is a release that is not supported.
    """
    needed = "HarborEnv for verifiers needs verifiers 0.3.1"
    try:
        installed = version("verifiers")
    except PackageNotFoundError:
        raise ImportError(f"{needed}: pip install 'harbor-parity[verifiers]'") from None
    if not installed.startswith("0.3.") or installed == "0.3.0":
        raise ImportError(f"{needed}, but {installed} is installed: pip install 'harbor-parity[verifiers]'")


_check_release()
import verifiers as vf  # noqa: E402
from verifiers.envs.experimental.cli_agent_env import AgentError, CliAgentEnv  # noqa: E402

_SET_HERE = frozenset({"self", "run_command", "docker_image", "dataset", "rubric", "message_type"})


def _release_options() -> frozenset[str]:
    """Return the names of the arguments that `CliAgentEnv` and its base classes accept, except `_SET_HERE`."""
    constructors = [vars(kind)["__init__"] for kind in CliAgentEnv.__mro__[:-1] if "__init__" in vars(kind)]
    parameters = [each for one in constructors for each in inspect.signature(one).parameters.values()]
    named = (inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY)
    return frozenset(each.name for each in parameters if each.kind in named) - _SET_HERE


_OPTIONS = _release_options()
"""Names of the arguments that are passed on to `CliAgentEnv`, which silently ignores unknown ones."""


class HarborFault(vf.Error):  # type: ignore[misc]
    """Harbor's error for a rollout without a reward. The message begins with the name of Harbor's exception class."""


class _ReleaseClient:
    """The sandbox client from `verifiers`, extended for rollouts.

    Calls are retried, timeouts are enforced in the sandbox, and directories can be downloaded.
    """

    polling_seconds = 60.0
    """The longest delay, in seconds, until the client notices that a command has ended: it polls less and less often.
    """

    _LONGEST_SECONDS = 24 * 60 * 60
    _ARCHIVE = "/tmp/parity-verifier.tar.gz"

    def __init__(self, client: Any, retried: Callable[[Any], Any]) -> None:
        """Make a client from the client in `verifiers` and the function there that adds retries to a call."""
        self._client, self._download_file = client, retried(client.download_file)
        self.execute_command, self.upload_file = retried(client.execute_command), retried(client.upload_file)

    async def run_background_job(self, sandbox_id: str, command: str, *, timeout: float, **options: Any) -> Any:
        """Run a command and wait for it to end.

        The timeout is enforced in the sandbox, because the client polls too rarely.

        Raises:
            TimeoutError: the command ran into its timeout.
        """
        begun = time.monotonic()
        latest = math.ceil(min(self._LONGEST_SECONDS, timeout) + self.polling_seconds)
        ended = await self._client.run_background_job(sandbox_id, bounded(command, timeout), timeout=latest, **options)
        if ended.exit_code == KILLED and time.monotonic() - begun >= timeout:
            raise TimeoutError(f"{command!r} ran into its timeout of {timeout} seconds")
        return ended

    async def download_directory(self, sandbox_id: str, path: str, local_path: str) -> None:
        """Copy the content of a directory from a sandbox to a directory on the host.

        Raises:
            CommandFailed: the directory is missing.
            TransferError: the directory is larger than the host accepts.
        """
        pack = f"rm -rf {self._ARCHIVE}; tar -czf {self._ARCHIVE} -C {path} ."
        packed = await self.execute_command(sandbox_id, pack, working_dir="/", timeout=TRANSFER_SECONDS)
        if packed.exit_code not in (0, 1):  # 1 means that files changed while they were read
            raise CommandFailed(f"tar ended with {packed.exit_code}: {(packed.stderr or '').strip()[:200]}")
        async with temporary_directory() as local:
            await self._download_file(sandbox_id, self._ARCHIVE, str(local / "archive.tar.gz"))
            await unpack_downloaded(local / "archive.tar.gz", path, Path(local_path), None)


class HarborEnv(HarborHooks, CliAgentEnv):  # type: ignore[misc]
    """A `CliAgentEnv` that runs an agent on Harbor tasks, intercepts its calls to a model, and scores the result."""

    def __init__(
        self,
        run_command: str,
        dataset_path: str | Path,
        tasks: Collection[str] | None = None,
        agent_workdir: str = "/app",
        docker_image: str = "python:3.11-slim",
        *,
        sandboxes: Sandboxes | str | None = None,
        **options: Any,
    ) -> None:
        """Make an environment, and read its tasks from their directory.

        The arguments are the fields of `parity.harbor_env.settings.EnvSettings` except `base_url`, the named arguments
        of `CliAgentEnv` in the installed release, and `sandboxes`: None for the sandboxes of `verifiers`, or `"local"`,
        `"docker"` or a kind of sandbox to run agents without an account. `sandboxes` requires an `interception_url`,
        at which the sandboxes reach this process. The exceptions are the same as for `parity.harbor_env.HarborEnv`.
        """
        check_names(options, [*(name for name in NAMES if name != "base_url"), *_OPTIONS - {*NAMES}])
        settings = EnvSettings.read(
            run_command=run_command,
            dataset_path=dataset_path,
            tasks=tasks,
            agent_workdir=agent_workdir,
            docker_image=docker_image,
            **{name: value for name, value in options.items() if name in NAMES},
        )
        options = {name: value for name, value in options.items() if name in _OPTIONS}
        self._client = None if sandboxes is None else SandboxClient(sandboxes, network=settings.network)
        if self._client is not None:
            if not options.get("interception_url"):
                what = "sandboxes have no tunnel: give the interception_url at which they reach this process"
                raise ValueError(what)
            options["start_command"] = None  # the kit's sandboxes need no start command
        elif settings.end_processes:
            what = "end_processes requires sandboxes='local' or 'docker', because others may run processes of their own"
            raise ValueError(what)
        self.read_dataset(settings, None if self._client is None else self._client.sandboxes)
        super().__init__(
            run_command=_agent_command(run_command),
            dataset=self.load_harbor_dataset().remove_columns("task"),  # verifiers requires "task" to be a dict
            rubric=vf.Rubric(funcs=[self.harbor_reward], weights=[1.0]),
            docker_image=docker_image,
            **options,
        )
        if self._client is not None:
            self.sandbox_client.teardown()
            self.sandbox_client = self._client

    @property
    def rollout_client(self) -> Any:
        """The client for the kit's sandboxes, or the one from `verifiers` with its retries."""
        return self._client or _ReleaseClient(self.sandbox_client, self.with_retry)

    async def init_state(self, *args: Any, **kwargs: Any) -> State:
        """Return the state of a new rollout, with the task's name as `task`."""
        state: State = await super().init_state(*args, **kwargs)
        state["task"] = state["info"]["task_name"]
        return state

    async def build_env_vars(self, state: State) -> dict[str, str]:
        """Return the environment variables for the sandbox, with the agent's directory and timeout if the task sets
        them.
        """
        variables = self.variables(state, await super().build_env_vars(state))
        if (directory := self.task_of(state).workdir) is not None:
            variables[_DIRECTORY] = directory
        if (seconds := self._task_seconds(state)) is not None:
            variables[_SECONDS] = timeout_text(seconds)
        return variables

    def get_sandbox_resources(self, state: State) -> dict[str, Any]:
        """Return the resources from the environment's arguments. Under Harbor's scoring, the task overrides them."""
        return {**super().get_sandbox_resources(state), **self.task_of(state).resources}

    async def harbor_reward(self, state: State, **kwargs: Any) -> float:
        """Return the reward that `post_rollout` stored in the state. This is the function for the rubric."""
        reward: float = state.get("reward", 0.0)
        return reward

    async def setup_state(self, state: State) -> State | None:
        """Set up the sandbox and start the agent. Any failure is raised as an infrastructure error."""
        try:
            started: State | None = await super().setup_state(state)
        except vf.Error:
            raise
        except Exception as error:
            raise vf.SandboxError(f"the sandbox was not set up: {message_of(error)}") from error
        return started

    async def start_agent(self, state: State) -> None:
        """Start the agent when the sandbox is set up, including any set-up by subclasses."""
        await self.list_processes(state)
        await super().start_agent(state)

    async def post_rollout(self, state: State) -> None:
        """Score the agent's work before its sandbox is deleted. Delete the sandbox even if scoring is cancelled."""
        await CliAgentEnv.post_rollout(self, state)
        error, code, seconds = state.get("error"), state.get("agent_exit_code"), self._task_seconds(state)
        if isinstance(error, AgentError) and code is not None:
            state["error"] = None  # verifiers would run the agent again, without scoring its work
        if seconds is not None and code == KILLED and not time.time() - state["agent_start_time"] < seconds:
            state["timed_out"] = True
        if state.get("timed_out") and "agent_start_time" not in state and error is None:
            state["error"] = self.as_error(
                SandboxError("the rollout ran into its timeout before the agent was started")
            )
        try:
            await HarborHooks.post_rollout(self, state)
        except BaseException:
            state["is_completed"] = False  # otherwise verifiers would score the rollout once more
            await asyncio.shield(asyncio.ensure_future(self.delete_sandbox(state["sandbox_id"])))
            raise

    def as_error(self, error: Exception) -> Exception:
        """Convert an exception to a class that `verifiers` knows, for `state["error"]`."""
        if isinstance(error, vf.Error):
            return error  # type: ignore[no-any-return]
        is_sandbox = isinstance(error, SandboxError)
        known: Exception = vf.SandboxError(str(error)) if is_sandbox else HarborFault(message_of(error))
        known.__cause__ = error
        return known

    def is_infrastructure(self, error: object) -> bool:
        """Return whether an error means that the rollout cannot be scored."""
        return isinstance(error, vf.InfraError)

    @vf.teardown  # type: ignore[untyped-decorator]
    async def delete_own_sandboxes(self) -> None:
        """Delete the remaining sandboxes of the kit, before `verifiers` looks for its sandboxes."""
        if self._client is not None:
            await self._client.delete_all()
            self.active_sandboxes.clear()

    def _task_seconds(self, state: State) -> float | None:
        """Return the agent's timeout from its task; None if `timeout_seconds` is set, which `verifiers` enforces."""
        return self.agent_seconds(state) if self.timeout_seconds is None else None


def _agent_command(run_command: str) -> str:
    """Return a command for any shell that runs the agent with bash. Environment variables set its directory and
    timeout.
    """
    in_directory = f'cd "${{{_DIRECTORY}:-.}}" && {{ {run_command}\n}}'
    return f"${{{_SECONDS}:+timeout -s KILL ${_SECONDS}}} bash -c {shlex.quote(in_directory)}"
