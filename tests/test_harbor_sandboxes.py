"""Tests for Harbor's environments as sandboxes, with one environment in memory and one that is a directory."""

import asyncio
from pathlib import Path
from typing import Any

import pytest

from parity.driver.sandbox import Executed, SandboxSpec, SandboxUnavailable, TooLargeError
from parity.reference.harbor_sandboxes import HarborSandboxes
from tests.folder_environment import FolderEnvironment

DIRECTORY = "harbor:tests.folder_environment:FolderEnvironment"
MEMORY = "harbor:parity.reference.memory:MemoryEnvironment"


@pytest.fixture
def spec(tmp_path: Path) -> SandboxSpec:
    """Return a specification for a task with an image, a memory limit, and a file for the working directory."""
    (tmp_path / "environment").mkdir()
    (tmp_path / "environment/file.txt").touch()
    return SandboxSpec("trial", "task", tmp_path / "environment", image="image", memory_mb=64)


@pytest.mark.parametrize(
    ("environment", "complaint"),
    [
        ("nowhere", "harbor:nowhere: unknown; use one of apple-container, .*docker"),
        ("not.a.module:Class", "harbor:not.a.module:Class: Failed to import module 'not.a.module'"),
        ("pathlib:Path", "must subclass BaseEnvironment"),
        ("tests.folder_environment:WithoutCredentials", "WithoutCredentials: set FOLDER_KEY"),
    ],
)
def test_preflight_reports_what_is_missing_in_one_line(environment: str, complaint: str) -> None:
    """A missing type, class or credential is reported in one line."""
    sandboxes = HarborSandboxes(f"harbor:{environment}")

    with pytest.raises(SandboxUnavailable, match=complaint) as caught:
        sandboxes.preflight()

    assert "\n" not in str(caught.value)


def test_preflight_passes_if_nothing_is_missing() -> None:
    """An environment that lacks nothing passes the preflight, whatever tasks may need."""
    HarborSandboxes(MEMORY).preflight()


def test_refusal_has_the_message_of_the_environment(spec: SandboxSpec) -> None:
    """A task that the environment cannot run is refused with the environment's message."""
    refused = HarborSandboxes(MEMORY).refusal(spec)
    accepted = HarborSandboxes(DIRECTORY).refusal(spec)

    assert refused is not None
    assert refused.startswith(f"does not run on {MEMORY}: network_mode='no-network' is not supported by memory")
    assert accepted is None


def test_environment_is_created_from_the_spec(spec: SandboxSpec) -> None:
    """The environment gets no mounts and an empty directory, and is deleted at the end."""
    sandbox = HarborSandboxes(DIRECTORY).make(spec)

    asyncio.run(sandbox.start())

    made = FolderEnvironment.last
    assert (made.session_id, made.environment_name, made.task_env_config.memory_mb) == ("trial", "task", 64)
    assert (made.network_policy.network_mode, made._mounts) == ("no-network", [])
    assert list(made.environment_dir.iterdir()) == []
    asyncio.run(sandbox.stop())
    assert (made.deleted, made.environment_dir.exists()) == (True, False)


def test_commands_are_passed_on(spec: SandboxSpec) -> None:
    """Commands are passed on with user and variables; a timeout of 0 is no limit, and missing output is empty."""
    sandbox = HarborSandboxes(DIRECTORY).make(spec)

    async def run() -> list[Any]:
        await sandbox.start()
        executed = await sandbox.exec("command", cwd="/app", env={"A": "1"}, timeout=0, user="nobody")
        await sandbox.stop()
        return [executed, FolderEnvironment.last.ran]

    executed, ran = asyncio.run(run())

    assert executed == Executed(3)
    assert ran == [("command", "/app", {"A": "1"}, None, "nobody")]


def test_downloads_obey_the_rules_of_the_kit(spec: SandboxSpec, tmp_path: Path) -> None:
    """Symlinks that lead out of a download are left out, and the size of a download is limited."""
    sandbox = HarborSandboxes(DIRECTORY).make(spec)
    inside, target = tmp_path / "inside", tmp_path / "target"
    inside.mkdir()
    target.mkdir()
    (inside / "file.txt").write_text("content")
    (inside / "link.txt").symlink_to("/etc/hostname")

    async def download() -> None:
        await sandbox.start()
        await sandbox.get(str(inside), target, directory=True)
        await sandbox.get(str(inside / "file.txt"), target / "one.txt", directory=False)
        with pytest.raises(TooLargeError, match="more than 6 bytes"):
            await sandbox.get(str(inside), target, directory=True, max_bytes=6)
        await sandbox.stop()

    asyncio.run(download())

    assert {path.name: path.read_text() for path in target.iterdir()} == dict.fromkeys(
        ("file.txt", "one.txt"), "content"
    )


def test_sandbox_that_never_started_can_be_stopped(spec: SandboxSpec) -> None:
    """Stopping a sandbox that was never started raises nothing."""
    sandbox = HarborSandboxes(DIRECTORY).make(spec)

    asyncio.run(sandbox.stop())
