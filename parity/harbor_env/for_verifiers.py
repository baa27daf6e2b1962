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
from collections.abc import Collection, Mapping
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any, ClassVar

from parity.driver.sandbox import Sandboxes
from parity.driver.sandboxes.transfer import unpack_downloaded
from parity.driver.threads import temporary_directory
from parity.harbor_env.client import SandboxClient
from parity.harbor_env.errors import CommandFailed, SandboxError, message_of
from parity.harbor_env.hooks import HarborHooks, State
from parity.harbor_env.rollout import KILLED, TRANSFER_SECONDS, bounded
from parity.harbor_env.settings import NAMES, EnvSettings, check_names

__all__ = ["HarborEnv", "HarborFault", "HookError"]


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
from verifiers.envs.experimental.harbor_env import HarborMCPHealthcheck, HarborMCPMixin  # noqa: E402

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


class HookError(HarborFault):
    """An exception of a subclass's hook before the agent has run: there is nothing to score, and a retry is useless."""


class _RolloutClient:
    """A client for the sandbox of one rollout. The environment's own `run_background_job` runs the tests."""

    def __init__(self, environment: Any, state: State) -> None:
        self._environment, self._state = environment, state

    async def run_background_job(
        self,
        sandbox_id: str,
        command: str,
        *,
        timeout: float,
        working_dir: str | None = None,
        env: Mapping[str, str] | None = None,
    ) -> Any:
        """Run a command, with additional environment variables, and wait for it to end.

        Raises:
            TimeoutError: the command ran into its timeout, in seconds.
        """
        variables = [f"{name}={value}" for name, value in (env or {}).items()]
        command = shlex.join(["env", *variables, "bash", "-c", command]) if variables else command
        return await self._environment.run_background_job(self._state, command, timeout, working_dir)


class _KitClient(_RolloutClient):
    """The client for the kit's sandboxes."""

    def __init__(self, environment: Any, state: State, client: SandboxClient) -> None:
        super().__init__(environment, state)
        self.polling_seconds = client.polling_seconds
        self.execute_command, self.upload_file = client.execute_command, client.upload_file
        self.download_directory, self.check_running = client.download_directory, client.check_running


class _ReleaseClient(_RolloutClient):
    """The sandbox client from `verifiers`, extended for rollouts.

    Calls are retried, timeouts are enforced in the sandbox, and directories can be downloaded.
    """

    polling_seconds = 60.0
    """The longest delay, in seconds, until the client notices that a command has ended: it polls less and less often.
    """

    _LONGEST_SECONDS = 24 * 60 * 60
    _ARCHIVE = "/tmp/parity-verifier.tar.gz"

    def __init__(self, environment: Any, state: State) -> None:
        """Make a client from an environment's `sandbox_client` and its `with_retry`, which adds retries to a call."""
        super().__init__(environment, state)
        client, retried = environment.sandbox_client, environment.with_retry
        self.execute_command, self.upload_file = retried(client.execute_command), retried(client.upload_file)
        self._download_file = retried(client.download_file)

    async def run_background_job(self, sandbox_id: str, command: str, *, timeout: float, **options: Any) -> Any:
        """Run a command and wait for it to end.

        The timeout is enforced in the sandbox, because the client polls too rarely.

        Raises:
            TimeoutError: the command ran into its timeout.
        """
        begun = time.monotonic()
        latest = math.ceil(min(self._LONGEST_SECONDS, timeout) + self.polling_seconds)
        try:
            ended = await super().run_background_job(sandbox_id, bounded(command, timeout), timeout=latest, **options)
        except vf.SandboxError as error:  # without a message, if the sandbox has no memory or no time left
            cause = error.__cause__ or error
            raise cause from cause.__cause__
        if ended.exit_code == KILLED and time.monotonic() - begun >= timeout:
            raise TimeoutError(f"{command!r} ran into its timeout of {timeout} seconds")
        return ended

    async def check_running(self, sandbox_id: str) -> None:
        """Check that a sandbox still exists: the client raises for any command in a lost sandbox."""
        await self.execute_command(sandbox_id, "true", working_dir="/", timeout=TRANSFER_SECONDS)

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


class HarborEnv(HarborHooks, HarborMCPMixin, CliAgentEnv):  # type: ignore[misc]
    """A `CliAgentEnv` that runs an agent on Harbor tasks, intercepts its calls to a model, and scores the result.

    It has the attributes, arguments and methods of `HarborEnv` in the installed release, which subclasses may use.
    """

    has_mcp = True
    never_called: ClassVar[Mapping[str, str]] = {}

    def __init__(
        self,
        run_command: str,
        dataset_path: str | Path,
        tasks: Collection[str] | None = None,
        agent_workdir: str = "/app",
        docker_image: str = "python:3.11-slim",
        mcp_launch_commands: dict[str, str] | None = None,
        mcp_healthcheck: HarborMCPHealthcheck | None = None,
        *,
        sandboxes: Sandboxes | str | None = None,
        **options: Any,
    ) -> None:
        """Make an environment, and read its tasks from their directory.

        The arguments are the fields of `parity.harbor_env.settings.EnvSettings` except `base_url`, the named arguments
        of `HarborEnv` and `CliAgentEnv` in the installed release, and `sandboxes`: None for the sandboxes of
        `verifiers`, or `"local"`, `"docker"` or a kind of sandbox to run agents without an account. `sandboxes`
        requires an `interception_url`, at which the sandboxes reach this process. The exceptions are the same as for
        `parity.harbor_env.HarborEnv`.
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
        self.mcp_launch_commands = {} if mcp_launch_commands is None else mcp_launch_commands
        self.mcp_healthcheck = HarborMCPHealthcheck() if mcp_healthcheck is None else mcp_healthcheck
        self.read_arguments(settings, None if self._client is None else self._client.sandboxes)
        dataset = self.load_harbor_dataset()
        self.use_rows(dataset.to_list())
        if "task" in dataset.column_names:
            dataset = dataset.remove_columns("task")  # verifiers requires "task" to be a dict
        super().__init__(
            run_command=run_command,
            dataset=dataset,
            rubric=vf.Rubric(funcs=[self.harbor_reward], weights=[1.0]),
            docker_image=self.docker_image,
            **options,
        )
        if self._client is not None:
            self.sandbox_client.teardown()
            self.sandbox_client = self._client

    def client_of(self, state: State) -> Any:
        """Return the client for the kit's sandboxes, or the one from `verifiers` with its retries."""
        return _ReleaseClient(self, state) if self._client is None else _KitClient(self, state, self._client)

    async def init_state(self, *args: Any, **kwargs: Any) -> State:
        """Return the state of a new rollout, with the task's name as `task`."""
        state: State = await super().init_state(*args, **kwargs)
        state["task"] = state["info"].get("task_name")
        return state

    async def build_env_vars(self, state: State) -> dict[str, str]:
        """Return the environment variables for the sandbox, with the URLs of the task's MCP servers."""
        variables = self.variables(state, await super().build_env_vars(state))
        task = self.known_task(state)
        config = task.toml if task else (state.get("info") or {}).get("config") or {}
        return {**await self.mcp_agent_env_vars(config, state), **variables}

    async def post_sandbox_setup(self, state: State) -> None:
        """Set up the sandbox for the agent, and start the task's MCP servers that have a launch command."""
        await super().post_sandbox_setup(state)
        await self.start_mcp_servers(state["sandbox_id"], self.task_of(state).toml, state)

    def get_sandbox_resources(self, state: State) -> dict[str, Any]:
        """Return the resources from the environment's arguments. Under Harbor's scoring, the task overrides them."""
        return {**super().get_sandbox_resources(state), **self.task_of(state).resources}

    async def setup_state(self, state: State) -> State | None:
        """Set up the sandbox and start the agent.

        Raises:
            HookError: a hook of a subclass raised an exception.
            vf.Error: any other failure, as an error of the infrastructure.
        """
        try:
            started: State | None = await super().setup_state(state)
        except Exception as error:
            own = self.hook_error(error)
            if own is not None and not isinstance(own, vf.Error):
                raise HookError(message_of(own)) from own
            if isinstance(error, vf.Error):
                raise
            raise vf.SandboxError(f"the sandbox was not set up: {message_of(error)}") from error
        return started

    async def start_agent(self, state: State) -> None:
        """Start the agent in the task's directory when the sandbox is set up, including any set-up by subclasses."""
        await self.list_processes(state)
        command = bounded(f"bash -c {shlex.quote(self.run_command)}", self._task_seconds(state))
        try:
            job = await self.sandbox_client.start_background_job(
                state["sandbox_id"], command, working_dir=self.task_of(state).workdir
            )
        except Exception as error:
            raise vf.SandboxError(f"the agent was not started: {message_of(error)}") from error
        state["background_job"], state["agent_start_time"] = job, time.time()
        state["completion_wait_task"] = asyncio.create_task(self.wait_for_completion(state))

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
        translated: Exception = vf.SandboxError(str(error)) if is_sandbox else HarborFault(message_of(error))
        translated.__cause__ = error
        return translated

    def prevents_scoring(self, error: object) -> bool:
        """Return whether an error means that the rollout cannot be scored."""
        return isinstance(error, vf.InfraError | HookError)

    @vf.teardown  # type: ignore[untyped-decorator]
    async def delete_own_sandboxes(self) -> None:
        """Delete the remaining sandboxes of the kit, before `verifiers` looks for its sandboxes."""
        if self._client is not None:
            await self._client.delete_all()
            self.active_sandboxes.clear()

    def _task_seconds(self, state: State) -> float | None:
        """Return the agent's timeout from its task; None if `timeout_seconds` is set, which `verifiers` enforces."""
        return self.agent_seconds(state) if self.timeout_seconds is None else None
