"""The release's own HarborEnv, with this kit's sandbox client instead of the release's."""

import asyncio
from pathlib import Path
from typing import Any

import verifiers as vf

from parity.driver.sandboxes.bubblewrap import LocalSandboxes
from parity.harbor_env.client import SandboxClient
from tests.harbor_env.verifiers.rollouts import OPTIONS, State, client, closing

type Outcome = float | str
"""A reward, or the name of the exception that ended the rollout."""


def released_rewards(run_command: str, dataset: Path, kind: Any = vf.HarborEnv, **options: Any) -> dict[str, Outcome]:
    """Return the result of one rollout of each task, in the release's HarborEnv or another class."""
    environment = released(run_command, dataset, kind, **options)
    rows = environment.get_dataset().to_list()
    ended = asyncio.run(_roll_out(environment, rows))
    outcomes = [type(end).__name__ if isinstance(end, BaseException) else end["reward"] for end in ended]
    return {Path(row["info"]["task_dir"]).name: outcome for row, outcome in zip(rows, outcomes, strict=True)}


def released_state(environment: Any) -> State:
    """Return the state after a rollout of the first task in an environment that `released` returned."""
    (ended,) = asyncio.run(_roll_out(environment, environment.get_dataset().to_list()[:1]))
    if isinstance(ended, BaseException):
        raise ended
    return ended


def released(run_command: str, dataset: Path, kind: Any = vf.HarborEnv, **options: Any) -> Any:
    """Return an environment of this class, by default on local sandboxes."""
    sandboxes = options.pop("sandboxes", None) or LocalSandboxes()
    environment = kind(run_command, dataset, **{**OPTIONS, "start_command": None, **options})
    environment.sandbox_client.teardown()
    environment.sandbox_client = SandboxClient(sandboxes)
    return environment


def rewards_of(environment: Any, **options: Any) -> dict[str, float]:
    """Return the reward of each task in an evaluation, which scores by the rubric and may retry rollouts."""

    async def run() -> list[dict[str, Any]]:
        async with closing(environment):
            quiet = {"on_start": _ignore, "on_progress": _ignore}
            results = await environment.evaluate(client=client(), model="a-model", **quiet, **options)
            await environment.sandbox_client.delete_all()
            environment.active_sandboxes.clear()
        return list(results["outputs"])

    return {Path(output["info"]["task_dir"]).name: output["reward"] for output in asyncio.run(run())}


def _ignore(*arguments: Any) -> None:
    """Show no progress."""


async def _roll_out(environment: Any, rows: list[Any]) -> list[State | BaseException]:
    async with closing(environment):
        ended = await asyncio.gather(
            *(environment.rollout(row, client(), "a-model") for row in rows), return_exceptions=True
        )
        await environment.sandbox_client.delete_all()  # a release does not always delete its sandboxes itself
        environment.active_sandboxes.clear()
    return ended
