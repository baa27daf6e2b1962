"""Tests for this kit's sandbox as an environment of Harbor: its specification and its calls."""

import asyncio
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from harbor.models.task.task import Task
from harbor.models.trial.paths import TrialPaths

from parity.driver.sandbox import SandboxSpec
from parity.reference import sandbox_environment
from parity.reference.sandbox_environment import SandboxEnvironment, named_users, ready_sandboxes
from tests.end_to_end.engine import TASKS
from tests.fake_sandbox import FakeSandboxes


@pytest.fixture
def sandboxes(monkeypatch: pytest.MonkeyPatch) -> Iterator[FakeSandboxes]:
    """Provide scripted sandboxes for any value of `--sandbox`."""
    recorded = FakeSandboxes()
    monkeypatch.setattr(sandbox_environment, "sandboxes_named", lambda _: recorded)
    ready_sandboxes.cache_clear()
    yield recorded
    ready_sandboxes.cache_clear()


def _environment(task: str, directory: Path, image: str | None = None, **options: Any) -> SandboxEnvironment:
    """Return an environment for a bundled task, created as in a trial."""
    loaded = Task(TASKS / task)
    config = loaded.config.environment
    return SandboxEnvironment(
        environment_dir=loaded.paths.environment_dir,
        environment_name=loaded.short_name,
        session_id=f"{task}__trial",
        trial_paths=TrialPaths(trial_dir=directory),
        task_env_config=config.model_copy(update={"docker_image": image or config.docker_image, "memory_mb": 64}),
        network_policy=config.resolve_baseline(),
        sandbox="recorded",
        **options,
    )


def test_sandbox_is_created_for_the_task(sandboxes: FakeSandboxes, tmp_path: Path) -> None:
    """The sandbox gets the task's users, limits and network when it starts."""
    environment = _environment("users", tmp_path)

    asyncio.run(environment.start(force_build=False))

    assert sandboxes.specs == [
        SandboxSpec(
            name="users__trial",
            task="users",
            directory=TASKS.resolve() / "users/environment",
            image="debian:stable-slim",
            users=frozenset({"nobody", "daemon"}),
            memory_mb=64,
        )
    ]


def test_commands_have_the_user_and_the_variables_of_the_phase(sandboxes: FakeSandboxes, tmp_path: Path) -> None:
    """Commands have the phase's user and the task's variables, which the command's own variables override."""
    environment = _environment("environment-variables", tmp_path)

    async def run() -> Any:
        await environment.start(force_build=False)
        sandboxes.calls.clear()
        with environment.with_default_user("nobody"):
            return await environment.exec("work", env={"NAME": "other"}, timeout_sec=5)

    result = asyncio.run(run())

    assert (result.return_code, result.stdout, result.stderr) == (0, "/app\n", "warning")
    assert sandboxes.calls == [("exec", "work", None, {"GREETING": "hello", "NAME": "other"}, 5, "nobody")]


def test_refused_task_does_not_start(sandboxes: FakeSandboxes, tmp_path: Path) -> None:
    """Starting a task that the kind of sandbox refuses raises the refusal's message."""
    with pytest.raises(RuntimeError, match=r"^reward-txt needs another image$"):
        _environment("reward-txt", tmp_path, image="refused")


def test_job_with_end_processes_is_refused(sandboxes: FakeSandboxes, tmp_path: Path) -> None:
    """A job that was run with `--end-processes` is refused, because Harbor does not end the agent's processes."""
    with pytest.raises(ValueError, match=r"run the job with parity run$"):
        _environment("reward-txt", tmp_path, end_processes=True)


def test_sandboxes_are_checked_once(sandboxes: FakeSandboxes, tmp_path: Path) -> None:
    """The preflight runs once for all trials in a job."""
    for task in ("reward-txt", "reward-json"):
        _environment(task, tmp_path)

    assert sandboxes.preflights == 1


def test_directory_without_a_task_has_no_users(tmp_path: Path) -> None:
    """For a directory that is not part of a task, there are no users."""
    assert named_users(tmp_path / "environment") == frozenset()
