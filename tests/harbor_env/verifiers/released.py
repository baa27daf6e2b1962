"""The release's own HarborEnv, with the release's sandbox client replaced by that of ours."""

import asyncio
from pathlib import Path
from typing import Any

from parity.driver.sandboxes.local import LocalSandboxes
from parity.harbor_env.sandbox_client import SandboxClient
from parity.harbor_env.verifiers_release import vf
from tests.harbor_env.verifiers.rollouts import OPTIONS, client, closing

type Outcome = float | str
"""A reward, or the name of the exception that the rollout ends with."""


def released_rewards(run_command: str, dataset: Path, kind: Any = vf.HarborEnv, **options: Any) -> dict[str, Outcome]:
    """What one rollout of each task comes to, in the release's own HarborEnv or another that uses its client."""
    replaced = SandboxClient(LocalSandboxes())
    environment = kind(run_command, dataset, **{**OPTIONS, "start_command": None, **options})
    environment.sandbox_client.teardown()
    environment.sandbox_client = replaced
    return asyncio.run(_roll_out(environment, replaced))


async def _roll_out(environment: Any, replaced: SandboxClient) -> dict[str, Outcome]:
    async def outcome(row: Any) -> Outcome:
        try:
            reward: float = (await environment.rollout(row, client(), "a-model"))["reward"]
        except Exception as error:
            return type(error).__name__
        return reward

    rows = environment.get_dataset().to_list()
    async with closing(environment):
        outcomes = await asyncio.gather(*map(outcome, rows))
        await replaced.delete_all()  # a release does not always do that itself
        environment.active_sandboxes.clear()
    return {Path(row["info"]["task_dir"]).name: told for row, told in zip(rows, outcomes, strict=True)}
