"""Rollouts with the installed release of verifiers on this kit's sandboxes."""

import asyncio
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
import verifiers as vf
from openai import AsyncOpenAI

from parity.driver.sandbox import Sandboxes
from parity.driver.sandboxes.bubblewrap import LocalSandboxes
from parity.harbor_env.for_verifiers import HarborEnv

type State = dict[str, Any]

foreign_warnings = pytest.mark.filterwarnings(
    "ignore:Bare functions are deprecated, use async ones:DeprecationWarning",
    "ignore:The 'initial' parameter is deprecated:DeprecationWarning",
)
"""A mark for tests that create an environment: ignores warnings that a release causes in newer libraries."""

NOWHERE = "http://127.0.0.1:1"
"""An address at which no model answers, because the agents in these tests need none."""

OPTIONS: Mapping[str, Any] = {
    "interception_url": NOWHERE,
    "interception_port": 0,
    "poll_interval": 0.05,
    "max_retries": 0,
    "timeout_seconds": 60,
}


def make(run_command: str, dataset: Path, kind: type[HarborEnv] = HarborEnv, **options: Any) -> Any:
    """Return an environment, by default on local sandboxes."""
    sandboxes: Sandboxes = options.pop("sandboxes", None) or LocalSandboxes()
    return kind(run_command, dataset, **{**OPTIONS, "sandboxes": sandboxes, **options})


def client() -> Any:
    """Return a model client of the type that the release expects; the client is never called."""
    openai = AsyncOpenAI(api_key="none", base_url=NOWHERE)
    return vf.OpenAIChatCompletionsClient(openai)


@asynccontextmanager
async def closing(environment: Any) -> AsyncIterator[Any]:
    """Yield an environment, and close it with the handlers that the release calls at the interpreter's exit."""
    try:
        yield environment
    finally:
        if isinstance(environment, HarborEnv):
            await environment.delete_own_sandboxes()
        await environment.teardown_resources()
        environment.sandbox_client.teardown()


async def roll_out(environment: Any) -> list[State]:
    """Return the state of one rollout for each task, in the dataset's order."""
    rows = environment.get_dataset().to_list()
    return list(await asyncio.gather(*(environment.rollout(row, client(), "a-model") for row in rows)))


def states_of(environment: Any) -> list[State]:
    """Return the state of one rollout for each task, run in a new event loop."""

    async def run() -> list[State]:
        async with closing(environment):
            return await roll_out(environment)

    return asyncio.run(run())


def state_of(run_command: str, dataset: Path, **options: Any) -> State:
    """Return the state of one rollout for the only task in a dataset."""
    (state,) = states_of(make(run_command, dataset, **options))
    return state
