"""Tests for the state in which a cancelled job ends."""

import asyncio
from pathlib import Path

import pytest

from parity.driver.job import run_plan
from parity.driver.job_plan import plan_job
from parity.driver.sandbox import SandboxSpec
from parity.driver.settings import Options
from parity.driver.trial_plan import RunContext
from parity.formats.configuration import DatasetConfiguration, JobConfiguration
from parity.operations.scenarios.scripted_sandbox import Script, ScriptedSandbox, ScriptedSandboxes
from parity.operations.scenarios.virtual_time import run_virtually
from tests.run.tasks import reward, write_task


class _SlowToStop(ScriptedSandboxes):
    """Provides scripted sandboxes that take a minute to stop."""

    def __init__(self) -> None:
        super().__init__(lambda name, run: Script(), lambda name: {})
        self.begun, self.ended = asyncio.Event(), asyncio.Event()

    def make(self, spec: SandboxSpec) -> ScriptedSandbox:
        sandbox = super().make(spec)
        stop = sandbox.stop

        async def slow() -> None:
            self.begun.set()
            await asyncio.sleep(60)
            await stop()
            self.ended.set()

        sandbox.stop = slow  # type: ignore[method-assign]
        return sandbox


def test_cancelled_job_waits_for_its_sandboxes_to_stop(tmp_path: Path) -> None:
    """A cancelled job waits until its sandboxes have stopped; a cancelled trial does not wait, as in Harbor."""
    write_task(tmp_path / "data" / "one", tests=reward(1))
    sandboxes = _SlowToStop()
    job = JobConfiguration(job_name="job", jobs_dir=tmp_path, datasets=[DatasetConfiguration(path=tmp_path / "data")])
    plan = plan_job(job, Options(), sandboxes, {})

    async def run() -> bool:
        running = asyncio.create_task(run_plan(plan, RunContext(sandboxes)))
        await sandboxes.begun.wait()
        running.cancel()
        with pytest.raises(asyncio.CancelledError):
            await running
        return sandboxes.ended.is_set()

    assert run_virtually(run())
