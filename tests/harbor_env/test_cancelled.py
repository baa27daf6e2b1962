"""Tests that a cancelled rollout leaves no process, no directory and no task in the event loop."""

import asyncio
import uuid
from collections.abc import Awaitable
from pathlib import Path

import pytest

from parity.driver.sandbox import Sandboxes
from parity.harbor_env import HarborEnv, Scoring
from parity.harbor_env.client import SandboxRequest
from tests.harbor_env.rollouts import environment
from tests.harbor_env.watched import WatchedSandboxes
from tests.run.processes import left_running
from tests.run.tasks import reward, write_task

_CALLS = {
    "harbor": [
        *("start 0", "upload 0", "exec 0", "exec 1", "exec 2", "exec 3", "upload 1", "exec 4", "exec 5", "exec 6"),
        *("download 0", "stop 0"),
    ],
    "documented": [
        *("start 0", "upload 0", "exec 0", "exec 1", "exec 2", "exec 3", "upload 1", "exec 4", "exec 5", "exec 6"),
        "stop 0",
    ],
}


@pytest.fixture
def mark(monkeypatch: pytest.MonkeyPatch) -> str:
    """Return a mark that is in the environment of all processes started from now on, including those in sandboxes."""
    mark = f"mark-{uuid.uuid4().hex}"
    monkeypatch.setenv("PARITY_MARK", mark)
    return mark


@pytest.fixture
def dataset(tmp_path: Path) -> Path:
    """Return a dataset with one task."""
    write_task(tmp_path / "data" / "task", tests=reward(1))
    return tmp_path / "data"


def _marked(dataset: Path, sandboxes: Sandboxes, mark: str, agent: str = "true", **options: object) -> HarborEnv:
    return environment(dataset, agent, sandboxes, environment_vars={"PARITY_MARK": mark}, **options)


async def _left_in_loop() -> int:
    """Return the number of tasks in the event loop, except the task that runs this function."""
    return len(asyncio.all_tasks()) - 1


async def _is_cancelled(awaited: Awaitable[object]) -> bool:
    try:
        await awaited
    except asyncio.CancelledError:
        return True
    return False


def _nothing_is_left(env: HarborEnv, mark: str, temporary: Path) -> bool:
    left = [*left_running(mark, docker=False), *map(str, temporary.iterdir()), *env.sandbox_client.active]
    return left == []


@pytest.mark.parametrize(
    ("scoring", "call", "again"),
    [
        *(("harbor", call, True) for call in _CALLS["harbor"]),
        *(("documented", call, False) for call in _CALLS["documented"]),
    ],
)
def test_cancelled_rollout_deletes_its_sandbox(
    dataset: Path, local: Sandboxes, mark: str, temporary: Path, scoring: Scoring, call: str, again: bool
) -> None:
    """A rollout that is cancelled before any call deletes its sandbox, even if it is cancelled again meanwhile."""
    reached, freed = asyncio.Event(), asyncio.Event()

    async def watch(begun_call: str) -> None:
        if begun_call == call:
            reached.set()
            await (freed.wait() if begun_call == "stop 0" else asyncio.Event().wait())
        elif begun_call == "stop 0" and again:
            reached.set()
            await freed.wait()

    env = _marked(dataset, WatchedSandboxes(local, watch), mark, scoring=scoring)

    async def run() -> tuple[bool, int]:
        rollout = asyncio.ensure_future(env.rollout(env.rows[0]))
        await reached.wait()
        reached.clear()
        rollout.cancel()
        if again:
            if call != "stop 0":
                await reached.wait()
            await asyncio.sleep(0)
            rollout.cancel()
            await asyncio.sleep(0)
        freed.set()
        return await _is_cancelled(rollout), await _left_in_loop()

    assert asyncio.run(run()) == (True, 0)
    assert _nothing_is_left(env, mark, temporary)


def test_environment_makes_only_the_listed_calls(dataset: Path, local: Sandboxes, scoring: Scoring) -> None:
    """The environment makes exactly the listed calls, so the test above cancels a rollout before each of them."""
    calls: list[str] = []

    async def watch(begun_call: str) -> None:
        calls.append(begun_call)

    asyncio.run(environment(dataset, "true", WatchedSandboxes(local, watch), scoring=scoring).evaluate())

    assert calls == _CALLS[scoring]


def test_cancelled_evaluation_deletes_all_sandboxes(
    tmp_path: Path, local: Sandboxes, mark: str, temporary: Path
) -> None:
    """A cancelled evaluation deletes the sandboxes of all running rollouts, and starts no further one."""
    for number in range(30):
        write_task(tmp_path / "data" / f"task-{number}", tests=reward(1))
    begun = asyncio.Semaphore(0)

    async def watch(begun_call: str) -> None:
        if begun_call == "start 0":
            begun.release()

    env = _marked(tmp_path / "data", WatchedSandboxes(local, watch), mark, agent="sleep 0.2; sleep 60 &")

    async def run() -> tuple[bool, int]:
        evaluation = asyncio.ensure_future(env.evaluate(max_concurrent=6))
        for _ in range(15):
            await begun.acquire()
        evaluation.cancel()
        return await _is_cancelled(evaluation), await _left_in_loop()

    assert asyncio.run(run()) == (True, 0)
    assert _nothing_is_left(env, mark, temporary)


def test_end_of_the_context_deletes_all_sandboxes(dataset: Path, local: Sandboxes, mark: str, temporary: Path) -> None:
    """Leaving the environment's context deletes sandboxes that were created by hand, with their processes."""
    env = _marked(dataset, local, mark)

    async def run() -> None:
        async with env:
            for number in range(3):
                sandbox = await env.sandbox_client.create(
                    SandboxRequest(f"s{number}", "debian", environment_vars={"PARITY_MARK": mark})
                )
                await env.sandbox_client.start_background_job(sandbox.id, "sleep 60")

    asyncio.run(run())

    assert _nothing_is_left(env, mark, temporary)
