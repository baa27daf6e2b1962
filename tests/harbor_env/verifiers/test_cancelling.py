"""Tests that a rollout that is cancelled at any time deletes its sandbox."""

import asyncio
from pathlib import Path

import pytest

from parity.driver.sandbox import Sandbox, SandboxSpec
from parity.driver.sandboxes.bubblewrap import LocalSandboxes
from parity.harbor_env import Scoring
from parity.harbor_env.rollout import TESTS_ARCHIVE
from tests.harbor_env.verifiers.places import write_task
from tests.harbor_env.verifiers.rollouts import client, closing, foreign_warnings, make
from tests.harbor_env.watched import WatchedSandboxes

pytestmark = foreign_warnings


class _Slow(LocalSandboxes):
    """Provides local sandboxes whose start takes a second longer."""

    def make(self, spec: SandboxSpec) -> Sandbox:
        sandbox = super().make(spec)
        start = sandbox.start

        async def start_slowly() -> None:
            await start()
            await asyncio.sleep(1)

        sandbox.start = start_slowly  # type: ignore[method-assign]
        return sandbox


def _cancel(
    dataset: Path, sandboxes: WatchedSandboxes, when: str, scoring: Scoring = "harbor", agent: str = "sleep 60"
) -> None:
    """Cancel a rollout after a certain call to its sandbox, and wait until the sandbox is deleted."""
    environment = make(agent, dataset, sandboxes=sandboxes, scoring=scoring)

    async def run() -> None:
        async with closing(environment):
            (row,) = environment.get_dataset().to_list()
            rollout = asyncio.ensure_future(environment.rollout(row, client(), "a-model"))
            await asyncio.wait(
                [rollout, asyncio.ensure_future(sandboxes.until_asked(when))], return_when="FIRST_COMPLETED"
            )
            rollout.cancel()
            with pytest.raises(asyncio.CancelledError):
                await rollout
            async with asyncio.timeout(5):
                while sandboxes.running:
                    await asyncio.sleep(0.02)

    asyncio.run(run())


def test_rollout_cancelled_while_its_sandbox_starts_leaves_no_sandbox(tmp_path: Path) -> None:
    """A rollout that is cancelled while its sandbox starts leaves no sandbox."""
    sandboxes = WatchedSandboxes(_Slow())

    _cancel(write_task(tmp_path, "true"), sandboxes, "start")

    assert sandboxes.running == set()


def test_rollout_cancelled_while_its_agent_runs_is_not_scored(tmp_path: Path) -> None:
    """A rollout that is cancelled while its agent runs is not scored, and leaves no sandbox."""
    sandboxes = WatchedSandboxes(LocalSandboxes())

    _cancel(write_task(tmp_path, "true"), sandboxes, "sleep 60")

    assert sandboxes.running == set()
    assert not any("test.sh" in call for call in sandboxes.calls)


def test_rollout_cancelled_while_its_tests_run_leaves_no_sandbox(tmp_path: Path, scoring: Scoring) -> None:
    """If a rollout is cancelled while its tests run, the tests are not run again, and no sandbox is left."""
    sandboxes = WatchedSandboxes(LocalSandboxes())

    _cancel(write_task(tmp_path, "sleep 60"), sandboxes, "test.sh", scoring, agent="true")

    assert sandboxes.running == set()
    assert sandboxes.calls.count(TESTS_ARCHIVE) == 1
