"""Environments over small tasks, their evaluation, and what tests look at in a rollout."""

import asyncio
from pathlib import Path
from typing import Any

from parity.driver.sandbox import Sandboxes
from parity.harbor_env import HarborEnv
from parity.harbor_env.evaluation import Results
from parity.harbor_env.states import State
from tests.run.tasks import write_task
from tests.sandboxes.kinds import IMAGE


def environment(dataset: Path, run_command: str, sandboxes: Sandboxes | str = "local", **options: Any) -> HarborEnv:
    """An environment for the tasks of a folder, which name no image that a machine might lack."""
    return HarborEnv(run_command, dataset, docker_image=IMAGE, sandboxes=sandboxes, **options)


def evaluated(env: HarborEnv, **options: Any) -> Results:
    """The evaluation, in a loop of its own, after which no sandbox may be left."""
    results = asyncio.run(env.evaluate(**options))
    assert env.sandbox_client.active == frozenset()
    return results


def rolled_out(dataset: Path, run_command: str, tests: str, sandboxes: Sandboxes | str, **options: Any) -> State:
    """The rollout of one task that is tested by this bash source."""
    write_task(dataset / "task", tests=tests)
    return evaluated(environment(dataset, run_command, sandboxes, **options))["state"][0]


def outcome(state: State) -> tuple[float, str | None]:
    """The reward, and the kind of the fault or of the error."""
    error, fault = state["error"], state["fault"]
    return state["reward"], type(error).__name__ if error is not None else fault and fault.partition(":")[0]
