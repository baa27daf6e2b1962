"""Tests for a task's settings in the local sandbox."""

import os
from pathlib import Path

import pytest

from parity.driver.sandbox import Sandbox, SandboxSpec, TransferError
from parity.driver.sandboxes import limits
from parity.driver.sandboxes.bubblewrap import bubblewrap
from tests.sandboxes.kinds import Kind


@pytest.mark.parametrize(("dockerfile", "expected"), [("FROM a", "/app\n"), ("FROM a\nWORKDIR /work/a", "/work/a\n")])
def test_working_directory_is_that_of_the_dockerfile(
    local: Kind, environment: Path, dockerfile: str, expected: str
) -> None:
    """The working directory is the WORKDIR in the Dockerfile, or else `/app`."""
    (environment / "Dockerfile").write_text(dockerfile)

    assert local.executed("pwd").stdout == expected


@pytest.mark.parametrize(("user", "expected"), [("agent", "agent:/home/agent\n"), ("root", "root:/root\n")])
def test_users_have_names_and_homes(local: Kind, user: str, expected: str) -> None:
    """Each user has a name and a home directory with write access."""

    async def run(sandbox: Sandbox) -> str:
        return (await sandbox.exec('touch ~/file && echo "$(id -un):$HOME"', user=user)).stdout

    assert local.run(run, users=frozenset({"agent"})) == expected


def test_start_waits_until_the_files_are_mounted(local: Kind, monkeypatch: pytest.MonkeyPatch) -> None:
    """The start waits until the sandbox's files are mounted, however long that takes."""

    def slow(*arguments: object, **options: object) -> list[str]:
        command = bubblewrap(*arguments, **options)  # type: ignore[arg-type]
        place = command.index("--proc")
        mounts = [word for number in range(2000) for word in ("--tmpfs", f"/slow/{number}")]
        return [*command[:place], *mounts, *command[place:]]

    monkeypatch.setattr("parity.driver.sandboxes.bubblewrap.bubblewrap", slow)

    assert local.executed("echo here").stdout == "here\n"


def test_upload_that_does_not_fit_is_an_error(local: Kind, tmp_path: Path) -> None:
    """An upload that does not fit raises an error with the size of the disk and the setting for it."""
    (tmp_path / "large").write_bytes(bytes(5 << 20))

    async def run(sandbox: Sandbox) -> None:
        await sandbox.put(tmp_path / "large", "/tests/large")

    with pytest.raises(TransferError, match=r"^disk full: 4 MB \(storage_mb\)$"):
        local.run(run, storage_mb=4)


def test_task_can_have_more_disk_than_the_default(tmp_path: Path) -> None:
    """A task's `storage_mb` is the limit, even if it is more than the default of half the host's memory."""
    default = limits.size(SandboxSpec("a", "a", tmp_path))

    own = limits.size(SandboxSpec("a", "a", tmp_path, storage_mb=(default >> 20) + 1000))

    assert default == os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") // 2
    assert own == ((default >> 20) + 1000) << 20
