"""The release's own HarborEnv, with its sandbox client replaced by that of ours."""

import asyncio
import importlib
import logging
from pathlib import Path
from typing import Any

import pytest

from parity.driver.sandboxes.local import LocalSandboxes
from parity.harbor_env.sandbox_client import SandboxClient
from parity.harbor_env.verifiers_release import HAS_CLIENT, vf
from tests.harbor_env.verifiers.rollouts import OPTIONS, client, closing


def released_reward(run_command: str, dataset: Path, monkeypatch: pytest.MonkeyPatch, **options: Any) -> float | str:
    """The reward of one rollout of the one task, or the name of the exception that the rollout ends with."""
    logging.getLogger("asyncio").setLevel(logging.CRITICAL)
    replaced = SandboxClient(LocalSandboxes())
    if not HAS_CLIENT:
        for name in ("cli_agent_env", "harbor_env"):
            module = importlib.import_module(f"verifiers.envs.experimental.{name}")
            monkeypatch.setattr(module, "AsyncSandboxClient", lambda: replaced)
    environment = vf.HarborEnv(run_command, dataset, **{**OPTIONS, "start_command": None, **options})
    if HAS_CLIENT:
        environment.sandbox_client.teardown()
        environment.sandbox_client = replaced

    async def run() -> float | str:
        async with closing(environment):
            (row,) = environment.get_dataset().to_list()
            try:
                state = await environment.rollout(row, client(), "a-model")
            except Exception as error:
                return type(error).__name__
            finally:
                await replaced.delete_all()
                getattr(environment, "active_sandboxes", set()).clear()
            reward: float = state["reward"]
            return reward

    return asyncio.run(run())
