"""Environments over small tasks, their evaluation, and results of rollouts for tests."""

import asyncio
from pathlib import Path
from typing import Any

from parity.driver.sandbox import Sandboxes
from parity.harbor_env import HarborEnv
from parity.harbor_env.env import Results
from parity.harbor_env.hooks import State
from tests.sandboxes.kinds import IMAGE


def environment(dataset: Path, run_command: str, sandboxes: Sandboxes | str = "local", **options: Any) -> HarborEnv:
    """Return an environment for the tasks of a folder, which name no image that a machine might lack."""
    return HarborEnv(run_command, dataset, docker_image=IMAGE, sandboxes=sandboxes, **options)


def evaluated(env: HarborEnv, **options: Any) -> Results:
    """Return the results of an evaluation in its own event loop, and check that no sandbox is left."""
    results = asyncio.run(env.evaluate(**options))
    assert env.sandbox_client.active == frozenset()
    return results


def outcome(state: State) -> tuple[float, str | None]:
    """Return the reward, and the kind of the fault or of the error."""
    error, fault = state["error"], state["fault"]
    return state["reward"], type(error).__name__ if error is not None else fault and fault.partition(":")[0]
