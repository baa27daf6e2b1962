"""`HarborEnv` for training with `verifiers`: its `CliAgentEnv`, with Harbor's tasks and scoring.

It works with release 0.3.1, and on request with the kit's own sandboxes. When a rollout's tests are cut off, the
release leaves its sandbox behind; here it is always deleted.
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
from parity.driver.sandboxes.tar import unpack_compressed
from parity.driver.sandboxes.transfer import log_left_out
from parity.harbor_env.client import SandboxClient
from parity.harbor_env.errors import CommandFailed, SandboxError, message_of
from parity.harbor_env.hooks import HarborHooks, State
from parity.harbor_env.rollout import KILLED, TRANSFER_SECONDS, bounded, timeout_text
from parity.harbor_env.settings import NAMES, EnvSettings, check_names
from parity.harbor_env.threads import in_thread, temporary_directory

__all__ = ["HarborEnv", "HarborFault"]

_DIRECTORY, _SECONDS = "HARBOR_TASK_WORKDIR", "HARBOR_AGENT_TIMEOUT"


def _check_release() -> None:
    """Check that a release is installed that works.

    Raises:
        ImportError: there is none, or another one.
    """
    needed = "HarborEnv for verifiers needs verifiers 0.3.1"
    try:
        installed = version("verifiers")
    except PackageNotFoundError:
        raise ImportError(f"{needed}: pip install 'harbor-parity[verifiers]'") from None
    if not installed.startswith("0.3.") or installed == "0.3.0":
        raise ImportError(f"{needed}, and {installed} is installed: pip install 'harbor-parity[verifiers]'")


_check_release()
import verifiers as vf  # noqa: E402
from verifiers.envs.experimental.cli_agent_env import AgentError, CliAgentEnv  # noqa: E402

_SET_HERE = frozenset({"self", "run_command", "docker_image", "dataset", "rubric", "message_type"})


def _release_options() -> frozenset[str]:
    """Return the names of the other arguments of the release's environment and its base classes."""
    constructors = [vars(kind)["__init__"] for kind in CliAgentEnv.__mro__[:-1] if "__init__" in vars(kind)]
    parameters = [each for one in constructors for each in inspect.signature(one).parameters.values()]
    named = (inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY)
    return frozenset(each.name for each in parameters if each.kind in named) - _SET_HERE


_OPTIONS = _release_options()
"""Arguments that are passed on to `CliAgentEnv`. It ignores any others silently."""


class HarborFault(vf.Error):  # type: ignore[misc]
    """Harbor's error for a rollout without a reward. Its message begins with the error's kind."""


class _ReleaseClient:
    """The release's sandbox client as a rollout uses it: with retries, timeouts that hold inside, and directories."""

    polling_seconds = 60.0
    """It polls less and less often for the end of a command."""

    _LONGEST_SECONDS = 24 * 60 * 60
    _ARCHIVE = "/tmp/parity-verifier.tar.gz"

    def __init__(self, client: Any, retried: Callable[[Any], Any]) -> None:
        """Make a client from the release's own, and from its function that adds retries to a call."""
        self._client, self._download_file = client, retried(client.download_file)
        self.execute_command, self.upload_file = retried(client.execute_command), retried(client.upload_file)

    async def run_background_job(self, sandbox_id: str, command: str, *, timeout: float, **options: Any) -> Any:
        """Run a command, and wait for it.

        Raises:
            TimeoutError: it ran into its timeout, which is measured inside because the client polls too rarely.
        """
        begun = time.monotonic()
        latest = math.ceil(min(self._LONGEST_SECONDS, timeout) + self.polling_seconds)
        ended = await self._client.run_background_job(sandbox_id, bounded(command, timeout), timeout=latest, **options)
        if ended.exit_code == KILLED and time.monotonic() - begun >= timeout:
            raise TimeoutError(f"{command!r} ran into its timeout of {timeout} seconds")
        return ended

    async def download_directory(self, sandbox_id: str, path: str, local_path: str) -> None:
        """Copy the content of a directory in a sandbox into one of the host.

        Raises:
            CommandFailed: the directory is missing.
            TransferError: it is larger than the host accepts.
        """
        pack = f"rm -rf {self._ARCHIVE}; tar -czf {self._ARCHIVE} -C {path} ."
        packed = await self.execute_command(sandbox_id, pack, working_dir="/", timeout=TRANSFER_SECONDS)
        if packed.exit_code not in (0, 1):  # 1 means that files changed while they were read
            raise CommandFailed(f"tar ended with {packed.exit_code}: {(packed.stderr or '').strip()[:200]}")
        async with temporary_directory() as local:
            await self._download_file(sandbox_id, self._ARCHIVE, str(local / "archive.tar.gz"))
            log_left_out(path, await in_thread(unpack_compressed, local / "archive.tar.gz", Path(local_path)))


class HarborEnv(HarborHooks, CliAgentEnv):  # type: ignore[misc]
    """An environment that runs an agent on Harbor tasks and scores the result, with `CliAgentEnv`'s interception."""

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

        The arguments are the fields of `parity.harbor_env.settings.EnvSettings` but `base_url`, the named arguments of
        `CliAgentEnv` of the installed release, and `sandboxes`: None for those of `verifiers`, or `"local"`, `"docker"`
        or a kind of sandbox to run agents there without an account. That needs an `interception_url`, by which the
        sandboxes reach this process. Errors are those of `parity.harbor_env.HarborEnv`.
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
                what = "with sandboxes there is no tunnel: give the interception_url at which they reach this process"
                raise ValueError(what)
            options["start_command"] = None  # our sandboxes need none
        elif settings.end_processes:
            raise ValueError("end_processes is for sandboxes of ours: others may have processes of their own")
        self.read_dataset(settings, None if self._client is None else self._client.sandboxes)
        super().__init__(
            run_command=_agent_command(run_command),
            dataset=self.load_harbor_dataset().remove_columns("task"),  # which must be a dict, if there is one
            rubric=vf.Rubric(funcs=[self.harbor_reward], weights=[1.0]),
            docker_image=docker_image,
            **options,
        )
        if self._client is not None:
            self.sandbox_client.teardown()
            self.sandbox_client = self._client

    @property
    def rollout_client(self) -> Any:
        """Our own client, or the release's with its retries."""
        return self._client or _ReleaseClient(self.sandbox_client, self.with_retry)

    async def init_state(self, *args: Any, **kwargs: Any) -> State:
        """Return the state of a new rollout, with the task's name as `task`."""
        state: State = await super().init_state(*args, **kwargs)
        state["task"] = state["info"]["task_name"]
        return state

    async def build_env_vars(self, state: State) -> dict[str, str]:
        """Return the variables of the sandbox, with the agent's directory and timeout if the task names them."""
        variables = self.variables(state, await super().build_env_vars(state))
        if (directory := self.task_of(state).workdir) is not None:
            variables[_DIRECTORY] = directory
        if (seconds := self._task_seconds(state)) is not None:
            variables[_SECONDS] = timeout_text(seconds)
        return variables

    def get_sandbox_resources(self, state: State) -> dict[str, Any]:
        """Return the environment's resources. Under Harbor's scoring, the task's values override these."""
        return {**super().get_sandbox_resources(state), **self.task_of(state).resources}

    async def harbor_reward(self, state: State, **kwargs: Any) -> float:
        """Return the computed reward, for a rubric."""
        reward: float = state.get("reward", 0.0)
        return reward

    async def setup_state(self, state: State) -> State | None:
        """Set up the sandbox and start the agent. Any failure is an error of the infrastructure."""
        try:
            started: State | None = await super().setup_state(state)
        except vf.Error:
            raise
        except Exception as error:
            raise vf.SandboxError(f"the sandbox was not set up: {message_of(error)}") from error
        return started

    async def start_agent(self, state: State) -> None:
        """Start the agent after all set-up, including that of subclasses."""
        await self.list_processes(state)
        await super().start_agent(state)

    async def post_rollout(self, state: State) -> None:
        """Score the agent's work before its sandbox is deleted. If this is cut off, the sandbox is still deleted."""
        await CliAgentEnv.post_rollout(self, state)
        error, code, seconds = state.get("error"), state.get("agent_exit_code"), self._task_seconds(state)
        if isinstance(error, AgentError) and code is not None:
            state["error"] = None  # the release would run the agent again, without scoring its work
        if seconds is not None and code == KILLED and not time.time() - state["agent_start_time"] < seconds:
            state["timed_out"] = True
        if state.get("timed_out") and "agent_start_time" not in state and error is None:
            state["error"] = self.as_error(SandboxError("the time was up before the agent was started"))
        try:
            await HarborHooks.post_rollout(self, state)
        except BaseException:
            state["is_completed"] = False  # otherwise the release would score it once more
            await asyncio.shield(asyncio.ensure_future(self.delete_sandbox(state["sandbox_id"])))
            raise

    def as_error(self, error: Exception) -> Exception:
        """Return an error for `state["error"]`, as a class that `verifiers` knows."""
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
        """Delete the remaining sandboxes of our own, before the release looks for its own."""
        if self._client is not None:
            await self._client.delete_all()
            self.active_sandboxes.clear()

    def _task_seconds(self, state: State) -> float | None:
        """Return the agent's timeout that only its task gives; the release keeps `timeout_seconds` itself."""
        return self.agent_seconds(state) if self.timeout_seconds is None else None


def _agent_command(run_command: str) -> str:
    """Return a command for any shell that runs the agent by bash, in the directory and for the time that variables
    name.
    """
    in_directory = f'cd "${{{_DIRECTORY}:-.}}" && {{ {run_command}\n}}'
    return f"${{{_SECONDS}:+timeout -s KILL ${_SECONDS}}} bash -c {shlex.quote(in_directory)}"
