"""`CliAgentEnv` of whichever release, with sandboxes of ours if wanted, none of which outlives its rollout.

Releases leave the sandbox of a rollout behind whose tests are cut off. Here it goes in any case.
"""

import asyncio
from contextvars import ContextVar
from typing import Any

from parity.driver.sandbox import Sandboxes
from parity.harbor_env.agent_env import open_sandboxes
from parity.harbor_env.sandbox_client import SandboxClient
from parity.harbor_env.states import State
from parity.harbor_env.verifiers_release import CliAgentEnv, vf

_STATES: ContextVar[list[State]] = ContextVar("states")
"""The state of the rollout that runs."""


class SandboxedEnv(CliAgentEnv):  # type: ignore[misc]
    """Runs agents on the sandboxes of the release, or on ours."""

    def __init__(self, *, sandboxes: Sandboxes | str | None, network: bool, **kwargs: Any) -> None:
        """An environment; keywords are those of `CliAgentEnv`.

        Args:
            sandboxes: where agents run: a kind of sandbox, or the name of one, `local` or `docker`; None for the
                sandboxes of the release.
            network: whether sandboxes of ours have a network.
            kwargs: as `CliAgentEnv` takes them.

        Raises:
            ValueError: there is no such kind of sandbox, or no address for the agents' calls to a model.
            SandboxUnavailable: that kind cannot work here.
        """
        self._client: SandboxClient | None = None
        if sandboxes is not None:
            if not kwargs.get("interception_url"):
                what = "with sandboxes there is no tunnel: give the interception_url at which they reach this process"
                raise ValueError(what)
            self._client = SandboxClient(open_sandboxes(sandboxes), network=network)
            # Ours run without one, and releases of prime-sandboxes differ in what they take for one.
            kwargs["start_command"] = None
        super().__init__(**kwargs)
        if self._client is not None:
            self.sandbox_client.teardown()
            self.sandbox_client = self._client

    async def rollout(self, *args: Any, **kwargs: Any) -> State:
        """Run a rollout as the release does; if it is cut off, its sandbox goes all the same."""
        states: list[State] = []
        token = _STATES.set(states)
        try:
            state: State = await super().rollout(*args, **kwargs)
        except BaseException:
            for cut_off in states:
                cut_off["is_completed"] = False
                await asyncio.shield(asyncio.ensure_future(self._free(cut_off)))
            raise
        finally:
            _STATES.reset(token)
        return state

    async def setup_state(self, state: State) -> State | None:
        """Set up the sandbox and start the agent; whatever fails is an error of the infrastructure."""
        _STATES.get([]).append(state)
        try:
            made: State | None = await super().setup_state(state)
        except vf.Error:
            raise
        except Exception as error:
            raise vf.SandboxError(f"the sandbox was not set up: {type(error).__name__}: {error}") from error
        return made

    async def before_agent(self, state: State) -> None:
        """Called when the sandbox is set up, right before the agent; to be extended."""

    @vf.teardown  # type: ignore[untyped-decorator]
    async def delete_own_sandboxes(self) -> None:
        """Delete what is left on sandboxes of ours, before the release looks for it on its own."""
        if self._client is not None:
            await self._client.delete_all()
            self.active_sandboxes.clear()

    async def _free(self, state: State) -> None:
        """Delete a rollout's sandbox if it is there."""
        if state.get("sandbox_id") in self.active_sandboxes:
            await self.delete_sandbox(state["sandbox_id"])
