"""Runs a command as agent in a sandbox for each task, where `verifiers` is not installed.

What `CliAgentEnv` of `verifiers` does for training, the interception of the agent's calls to a model, is not here:
an agent is given a model and its address, or does without.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from copy import deepcopy
from typing import Any, Self

from parity.driver.sandbox import Sandboxes
from parity.driver.sandboxes.named import sandboxes_named
from parity.driver.sandboxes.starting import limited
from parity.harbor_env.arguments import check_limits, check_text
from parity.harbor_env.errors import CommandTimeoutError, SandboxError, message_of
from parity.harbor_env.processes import bounded
from parity.harbor_env.sandbox_client import SandboxClient, SandboxRequest
from parity.harbor_env.settings import Options
from parity.harbor_env.states import State
from parity.scorer.printable import printable

_LOG = logging.getLogger("parity.harbor_env")
_GRACE_SECONDS = 30
_KILLED = 137
_OF_VERIFIERS = (
    *("advanced_configs", "backoff_factor", "base_delay", "gpu_count", "interception_port", "interception_url"),
    *("jitter", "keep_sandbox_for_scoring", "labels", "max_backoff_seconds", "max_retries", "poll_interval"),
    *("sandbox_client_max_connections", "sandbox_client_max_keepalive_connections", "sandbox_client_max_workers"),
    *("sandbox_creations_per_minute", "sandbox_wait_for_creation_max_attempts", "start_command", "team_id"),
    *("timeout_minutes", "timeouts"),
)
"""What some release of `CliAgentEnv` takes besides."""


class AgentEnv:
    """What an environment for tasks extends: sandboxes, agents, and rollouts over a dataset.

    A rollout's state is a dict with `example_id`, `task`, `prompt` and `info` of its row, and `model`, `sandbox_id`,
    `agent_exit_code`, `agent_stdout`, `agent_stderr`, `timed_out`, `error`, `fault`, `reward`, `rewards` and
    `is_completed`.
    """

    rows: Sequence[Mapping[str, Any]] = ()
    """What it is evaluated on."""

    def __init__(self, run_command: str, docker_image: str, network: bool, options: Mapping[str, Any]) -> None:
        """An environment without rows.

        Args:
            run_command: bash source that runs the agent.
            docker_image: the image of sandboxes.
            network: whether they have a network.
            options: what is in `Options` and not in `Choices`; what else `CliAgentEnv` takes is refused by its name.

        Raises:
            TypeError: there is no such argument, or one is of another type.
            ValueError: there is no such kind of sandbox, or an argument is none that counts.
            SandboxUnavailable: that kind cannot work here.
        """
        if unknown := options.keys() - Options.__annotations__.keys():
            raise TypeError(_refusal(min(unknown)))
        limits = check_limits(options)
        self.base_url: str | None = options.get("base_url")
        if self.base_url is not None:
            check_text("base_url", self.base_url, "an address, or None for no model", may_be_empty=True)
        self.run_command, self.docker_image = run_command, docker_image
        self.environment_vars: dict[str, str] = dict(limits["environment_vars"] or {})
        self.timeout_seconds: float | None = limits["timeout_seconds"]
        self.max_turns: int = limits["max_turns"]
        self.cpu_cores: int = limits["cpu_cores"]
        self.memory_gb: float = limits["memory_gb"]
        self.disk_size_gb: float = limits["disk_size_gb"]
        self.sandbox_client: Any = SandboxClient(open_sandboxes(options.get("sandboxes", "local")), network=network)

    @property
    def cuts_off_agents(self) -> bool:
        """Whether an agent has a time after which it may run on."""
        return self.timeout_seconds is not None

    async def build_env_vars(self, state: State) -> dict[str, str]:
        """The variables of a rollout's sandbox."""
        variables = dict(self.environment_vars)
        if self.base_url:
            variables["OPENAI_BASE_URL"] = self.base_url
        # Rule: documented-env/model
        if state.get("model"):
            variables["OPENAI_MODEL"] = state["model"]
        return variables

    async def get_docker_image(self, state: State) -> str:
        """The image of a rollout's sandbox."""
        return self.docker_image

    def get_sandbox_resources(self, state: State) -> dict[str, Any]:
        """How large a rollout's sandbox is: `cpu_cores`, `memory_gb` and `disk_size_gb`."""
        return {"cpu_cores": self.cpu_cores, "memory_gb": self.memory_gb, "disk_size_gb": self.disk_size_gb}

    def starting_folder(self, state: State) -> str | None:
        """Where the agent begins; None for the sandbox's own folder."""
        return None

    async def post_sandbox_setup(self, state: State) -> None:
        """Called when the sandbox runs, before the agent; to be extended."""

    async def before_agent(self, state: State) -> None:
        """Called when all of that is done, right before the agent; to be extended."""

    async def post_rollout(self, state: State) -> None:
        """Called when the agent has ended, before the sandbox goes; to be extended."""

    async def rollout(self, row: Mapping[str, Any], *, model: str | None = None) -> State:
        """Run the agent on one row and score it. Whatever happens, the sandbox is gone afterwards.

        Args:
            row: of the dataset.
            model: name of the model that the agent is given.
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
        sandbox: str | None = None  # whatever a hook does to the state
        try:
            try:
                sandbox = await self._create(state)
                await self._set_up(state, sandbox)
                await self._run_agent(state, sandbox)
            except SandboxError as error:
                state["error"] = error
                _LOG.warning("%s", printable(f"task {row.get('task')}: {error}"))
            try:
                await self.post_rollout(state)
            except Exception as error:  # of whoever extends it: the other rollouts go on
                _LOG.warning("%s", printable(f"task {row.get('task')}: {message_of(error)}"))
                state["error"], state["reward"], state["rewards"] = error, 0.0, None
            state["is_completed"] = True
        finally:
            for key, value in begun.items():
                state.setdefault(key, value)
            await self._delete(state, sandbox)
        return state

    async def run_tests(self, state: State, command: str, *, seconds: float | None = None, **options: Any) -> None:
        """Run the test script in the background of the sandbox."""
        await self.sandbox_client.run_background_job(state["sandbox_id"], command, **options)

    def retried(self, call: Callable[..., Awaitable[Any]]) -> Callable[..., Awaitable[Any]]:
        """A call to the sandbox client, which nothing would mend by trying again."""
        return call

    def as_error(self, error: Exception) -> Exception:
        """An error as `state["error"]` takes it: as it is."""
        return error

    def is_infrastructure(self, error: object) -> bool:
        """Whether an error says that nothing can be scored."""
        return isinstance(error, SandboxError)

    async def close(self) -> None:
        """Delete all sandboxes that are left."""
        await self.sandbox_client.delete_all()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *error: object) -> None:
        await self.close()

    async def _create(self, state: State) -> str:
        with _setting_up():
            request = SandboxRequest(
                name=f"rollout-{state.get('example_id', 0)}",
                docker_image=await self.get_docker_image(state),
                environment_vars=await self.build_env_vars(state),
                **self.get_sandbox_resources(state),
            )
            state["sandbox_id"] = (await self.sandbox_client.create(request)).id
        sandbox: str = state["sandbox_id"]
        return sandbox

    async def _set_up(self, state: State, sandbox: str) -> None:
        with _setting_up():
            await self.post_sandbox_setup(state)
            await self.before_agent(state)

    async def _delete(self, state: State, sandbox: str | None) -> None:
        """Delete the sandbox; that it fails is an error of a rollout that has none."""
        if sandbox is None:
            return
        try:
            await self.sandbox_client.delete(sandbox)
        except Exception as error:
            failure = SandboxError(f"the sandbox was not deleted: {type(error).__name__}: {error}")
            _LOG.warning("%s", printable(f"task {state.get('task')}: {failure}"))
            if state["error"] is None:
                state["error"] = failure

    async def _run_agent(self, state: State, sandbox: str) -> None:
        """Run the agent; that it fails or runs into its timeout is recorded, and scored all the same."""
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
            raise SandboxError(f"the agent was not run: {type(error).__name__}: {error}") from error
        state["agent_exit_code"], state["agent_stdout"] = ended.exit_code, ended.stdout
        state["agent_stderr"] = ended.stderr
        if limit is not None and ended.exit_code == _KILLED and loop.time() - begun >= limit:
            state["timed_out"] = True


@contextmanager
def _setting_up() -> Iterator[None]:
    """Whatever fails is an error of the infrastructure."""
    try:
        yield
    except SandboxError:
        raise
    except Exception as error:
        raise SandboxError(f"the sandbox was not set up: {type(error).__name__}: {error}") from error


def _refusal(name: str) -> str:
    """Why there is no such argument, and which there are."""
    known = ", ".join(Options.__annotations__)
    if name in _OF_VERIFIERS:
        return f"{name} is for the environment of verifiers alone, parity.harbor_env.for_verifiers; known are {known}"
    return f"there is no argument {name!r}; known are {known}"


def open_sandboxes(sandboxes: Sandboxes | str) -> Sandboxes:
    """A kind of sandbox, by its name if need be, that works here.

    Raises:
        TypeError: it is no kind of sandbox.
        ValueError: there is none of that name.
        SandboxUnavailable: it cannot work here.
    """
    kind = sandboxes_named(sandboxes) if isinstance(sandboxes, str) else sandboxes
    wanted = "choose 'local' or 'docker', or give a kind of sandbox"
    if kind is None and sandboxes is not None:
        raise ValueError(f"no sandbox {sandboxes!r}: {wanted}")
    if isinstance(kind, type) or not all(hasattr(kind, name) for name in ("preflight", "refusal", "make")):
        raise TypeError(f"sandboxes is {sandboxes!r}: {wanted}")
    kind.preflight()
    return kind
