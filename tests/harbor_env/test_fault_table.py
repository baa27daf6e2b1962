"""Runs the table of faults: each row in both classes, with both kinds of scoring and both values of `faults`."""

import asyncio
import importlib.util
from collections.abc import Awaitable, Callable
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from parity.driver.sandbox import Sandboxes
from parity.harbor_env import HarborEnv, Scoring, rollout
from tests.harbor_env.fault_table import ROWS, Given
from tests.run.tasks import write_task
from tests.sandboxes.kinds import IMAGE

type Rolled = Callable[..., Awaitable[dict[str, Any]]]


async def _plain(agent: str, dataset: Path, sandboxes: Sandboxes, **options: Any) -> dict[str, Any]:
    env = HarborEnv(agent, dataset, docker_image=IMAGE, sandboxes=sandboxes, **options)
    return (await env.evaluate())["state"][0]


async def _for_verifiers(agent: str, dataset: Path, sandboxes: Sandboxes, **options: Any) -> dict[str, Any]:
    from tests.harbor_env.verifiers.rollouts import closing, make, roll_out

    arguments = {"timeout_seconds": None, **options}
    async with closing(make(agent, dataset, docker_image=IMAGE, sandboxes=sandboxes, **arguments)) as env:
        return (await roll_out(env))[0]


_CLASSES: dict[str, Rolled] = {
    "plain": _plain,
    **({"for verifiers": _for_verifiers} if importlib.util.find_spec("verifiers") else {}),
}
"""The classes under test; the second one needs verifiers, which some of tox's environments have."""


@pytest.mark.filterwarnings("ignore::DeprecationWarning")  # a release causes this warning in newer libraries
@pytest.mark.parametrize("name", ROWS)
@pytest.mark.parametrize("rolled", _CLASSES.values(), ids=_CLASSES)
def test_fault_is_the_same_in_both_classes(
    tmp_path: Path, local: Sandboxes, monkeypatch: pytest.MonkeyPatch, rolled: Rolled, name: str
) -> None:
    """A fault gives the same reward, error and fault in both classes, for each scoring and each value of `faults`."""
    row = ROWS[name]
    choices = list(product(("harbor", "documented"), ("zero", "error")))
    expected = [_expected(row.harbor if scoring == "harbor" else row.documented, faults) for scoring, faults in choices]
    task = write_task(tmp_path / "task", tests=row.tests)
    (task / "task.toml").write_text(row.toml)
    if row.tests.endswith("sleep 600"):
        (task / "task.toml").write_text("[verifier]\ntimeout_sec = 1\n")
        monkeypatch.setattr(rollout, "DOCUMENTED_SECONDS", 1)

    async def run() -> list[dict[str, Any]]:
        options = [{"scoring": scoring, "faults": faults, **row.options} for scoring, faults in choices]
        return await asyncio.gather(*(rolled(row.agent, tmp_path, local, **each) for each in options))

    states = asyncio.run(run())

    assert [(state["reward"], _kind(state["error"]), state["fault"]) for state in states] == expected


def _expected(row: Given, faults: str) -> tuple[float, str | None, str | None]:
    error = row.fault.partition(":")[0] if row.fault and faults == "error" else None
    return row.reward, row.infrastructure or error, row.fault


def _kind(error: Exception | None) -> str | None:
    """Return the name of the exception; for a `HarborFault` it is in the message."""
    if type(error).__name__ == "HarborFault":
        return str(error).partition(":")[0]
    return None if error is None else type(error).__name__


def test_fault_is_logged(tmp_path: Path, local: Sandboxes, scoring: Scoring, caplog: pytest.LogCaptureFixture) -> None:
    """The reason for a reward of 0.0 is logged under any scoring, in one line with the task's name."""
    write_task(tmp_path / "task", tests="true")

    asyncio.run(_plain("true", tmp_path, local, scoring=scoring))

    (record,) = caplog.records
    assert record.getMessage().startswith("task task: RewardFileNotFoundError: ")
