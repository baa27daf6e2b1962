"""Tests that the driver's own commands have a time limit if the sandbox sets one."""

import asyncio
from pathlib import Path

import pytest

from parity.driver.sandbox import Executed, SandboxSpec
from parity.driver.trial_sandbox import TrialSandbox
from parity.formats.task import EnvironmentConfig, Healthcheck
from tests.fake_sandbox import FakeSandbox


class _Hanging(FakeSandbox):
    """A sandbox whose commands begin but never end."""

    driver_timeout = 0.1

    async def exec(self, command: str, **options: object) -> Executed:
        await asyncio.Event().wait()
        raise AssertionError


class _Failing(FakeSandbox):
    """A sandbox whose commands raise a TimeoutError."""

    driver_timeout = 60.0

    async def exec(self, command: str, **options: object) -> Executed:
        raise TimeoutError("its own")


def _trial_sandbox(sandbox: FakeSandbox, directory: Path) -> TrialSandbox:
    return TrialSandbox(sandbox, EnvironmentConfig(), {}, SandboxSpec("trial", "task", directory), directory)


def test_endless_command_stops_the_sandbox(tmp_path: Path) -> None:
    """A command that does not end stops the sandbox."""
    calls: list[tuple[object, ...]] = []
    sandbox = _trial_sandbox(_Hanging(calls), tmp_path)

    with pytest.raises(RuntimeError, match=r"^the sandbox was stopped: 'pwd' did not end within 0.1 seconds$"):
        asyncio.run(sandbox.working_directory())

    assert calls == [("stop",)]


def test_timeout_that_the_sandbox_raises_is_passed_on(tmp_path: Path) -> None:
    """A TimeoutError that the sandbox raises is passed on, and the sandbox is not stopped."""
    calls: list[tuple[object, ...]] = []
    sandbox = _trial_sandbox(_Failing(calls), tmp_path)

    with pytest.raises(TimeoutError, match="its own"):
        asyncio.run(sandbox.empty("/logs", open_to_all=True))

    assert calls == []


class _Timed(FakeSandbox):
    """A sandbox with a time limit for the driver's commands."""

    driver_timeout = 120.0


def test_healthcheck_without_a_timeout_has_the_limit_of_scripts(tmp_path: Path) -> None:
    """A health check with a timeout below one second gets the time limit for scripts instead of none."""
    calls: list[tuple[object, ...]] = []
    check = Healthcheck(
        command="true", interval_sec=1, timeout_sec=0.5, start_period_sec=0, start_interval_sec=1, retries=1
    )

    asyncio.run(_trial_sandbox(_Timed(calls), tmp_path).check_health(check))

    assert calls == [("exec", "true", None, {}, 3600, None)]


def test_scripts_have_no_limit_if_the_sandbox_has_none(tmp_path: Path) -> None:
    """Scripts have no time limit if the sandbox sets none, as in Harbor."""
    assert _trial_sandbox(FakeSandbox([]), tmp_path).script_timeout is None
