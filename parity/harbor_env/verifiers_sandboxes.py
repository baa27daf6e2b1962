"""`CliAgentEnv` of whichever release, with sandboxes of ours if wanted, none of which outlives its rollout.

Releases leave the sandbox of a rollout behind whose tests are cut off. Here it goes in any case.
"""

import asyncio
import time
from collections.abc import Awaitable, Callable
from contextvars import ContextVar
from typing import Any

from datasets import Dataset

from parity.driver.sandbox import Sandboxes
from parity.harbor_env.errors import SandboxError, message_of
from parity.harbor_env.processes import bounded
from parity.harbor_env.sandbox_client import SandboxClient
from parity.harbor_env.states import State
from parity.harbor_env.verifiers_release import AgentError, CliAgentEnv, Error, InfraError, Rubric, teardown
from parity.harbor_env.verifiers_release import SandboxError as ReleasedSandboxError

_POLL_SECONDS = 5
_LONGEST_SECONDS = 24 * 60 * 60
_KILLED = 137

_STATES: ContextVar[list[State]] = ContextVar("states")
"""The state of the rollout that runs."""


class HarborFault(Error):
    """What Harbor records in place of a reward; its message begins with the kind."""

    @property
    def kind(self) -> str:
        """The name of Harbor's exception."""
        return str(self).partition(":")[0]


class SandboxedEnv(CliAgentEnv):
    """Runs agents on the sandboxes of the release, or on ours."""

    cuts_off_agents = True

    def __init__(
        self,
        run_command: str,
        dataset: Dataset,
        rubric: Rubric,
        docker_image: str,
        sandboxes: Sandboxes | None,
        network: bool,
        options: dict[str, Any],
    ) -> None:
        """An environment.

        Args:
            run_command: runs the agent.
            dataset: its rows are rolled out.
            rubric: takes the reward from a state.
            docker_image: the image of sandboxes.
            sandboxes: where agents run; None for the sandboxes of the release.
            network: whether sandboxes of ours have a network.
            options: what `CliAgentEnv` takes besides.

        Raises:
            ValueError: there is no address for the agents' calls to a model.
        """
        self._client: SandboxClient | None = None
        if sandboxes is not None:
            if not options.get("interception_url"):
                what = "with sandboxes there is no tunnel: give the interception_url at which they reach this process"
                raise ValueError(what)
            self._client = SandboxClient(sandboxes, network=network)
            # Ours run without one, and releases of prime-sandboxes differ in what they take for one.
            options = {**options, "start_command": None}
        super().__init__(run_command=run_command, dataset=dataset, rubric=rubric, docker_image=docker_image, **options)
        if self._client is not None:
            self.sandbox_client.teardown()
            self.sandbox_client = self._client

    async def rollout(self, *args: Any, **kwargs: Any) -> State:
        """Run a rollout as the release does; if it is cut off, its sandbox goes all the same."""
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
        """Set up the sandbox and start the agent; whatever fails is an error of the infrastructure."""
        _STATES.get([]).append(state)
        try:
            return await super().setup_state(state)
        except Error:
            raise
        except Exception as error:
            raise ReleasedSandboxError(f"the sandbox was not set up: {message_of(error)}") from error

    async def before_agent(self, state: State) -> None:
        """Called when the sandbox is set up, right before the agent; to be extended."""

    async def start_agent(self, state: State) -> None:
        """Start the agent when all is set up, what a subclass adds to that included."""
        await self.before_agent(state)
        await super().start_agent(state)

    async def score_rollout(self, state: State) -> None:
        """Called when the agent has ended, before the sandbox goes; to be extended."""

    async def post_rollout(self, state: State) -> None:
        """Score what the agent left, before its sandbox goes; not where the rollout was cut off."""
        if not state.get("is_completed"):
            return
        await super().post_rollout(state)
        error, code = state.get("error"), state.get("agent_exit_code")
        if isinstance(error, AgentError):
            # The release would run it again, and score nothing of it; its exit code says how it ended. Without one
            # it is unknown how it ended: that is an error of the infrastructure.
            state["error"] = None if code is not None else self.as_error(SandboxError(str(error)))
        if code is None and (state.get("agent_timed_out") or state.get("stop_condition") == "timeout_reached"):
            state["timed_out"] = True
        if state.get("timed_out") and "agent_start_time" not in state and error is None:
            state["error"] = self.as_error(SandboxError("the time was up before the agent was started"))
        try:
            await self.score_rollout(state)
        except BaseException:
            state["is_completed"] = False  # it was cut off, and is not scored once more
            raise

    async def run_tests(self, state: State, command: str, *, seconds: float | None = None, **options: Any) -> None:
        """Run the test script in the background of the sandbox, as the release does.

        Raises:
            TimeoutError: it ran into its time, which is measured inside where the client outside polls too seldom.
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

    def retried(self, call: Callable[..., Awaitable[Any]]) -> Callable[..., Awaitable[Any]]:
        """A call to the sandbox client, retried as the release does, but not with sandboxes of ours."""
        return call if self._client is not None else self.with_retry(call)

    def as_error(self, error: Exception) -> Exception:
        """An error as `state["error"]` takes it: one of those that `verifiers` knows."""
        if isinstance(error, Error):
            return error
        is_sandbox = isinstance(error, SandboxError)
        known = ReleasedSandboxError(str(error)) if is_sandbox else HarborFault(message_of(error))
        known.__cause__ = error
        return known

    def is_infrastructure(self, error: object) -> bool:
        """Whether an error says that nothing can be scored."""
        return isinstance(error, InfraError)

    @teardown
    async def delete_own_sandboxes(self) -> None:
        """Delete what is left on sandboxes of ours, before the release looks for it on its own."""
        if self._client is not None:
            await self._client.delete_all()
            self.active_sandboxes.clear()

    async def _free(self, state: State) -> None:
        """Delete a rollout's sandbox if it is there."""
        if state.get("sandbox_id") in self.active_sandboxes:
            await self.delete_sandbox(state["sandbox_id"])
