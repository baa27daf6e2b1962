"""Environments for small tasks, their evaluation, and the results of rollouts."""

import asyncio
from pathlib import Path
from typing import Any

from parity.driver.sandbox import Sandboxes
from parity.harbor_env import HarborEnv
from parity.harbor_env.hooks import State
from parity.harbor_env.results import Results
from tests.sandboxes.kinds import IMAGE


def environment(dataset: Path, run_command: str, sandboxes: Sandboxes | str = "local", **options: Any) -> HarborEnv:
    """Return an environment for the tasks in a directory, with an image that is available on this machine."""
    return HarborEnv(run_command, dataset, docker_image=IMAGE, sandboxes=sandboxes, **options)


def evaluated(env: HarborEnv, **options: Any) -> Results:
    """Return the results of an evaluation in a new event loop, and check that no sandbox is left."""
    results = asyncio.run(env.evaluate(**options))
    assert env.sandbox_client.active == frozenset()
    return results


def outcome(state: State) -> tuple[float, str | None]:
    """Return the reward, and the kind of the error or of the fault, if there is one."""
    error, fault = state["error"], state["fault"]
    return state["reward"], type(error).__name__ if error is not None else fault and fault.partition(":")[0]
