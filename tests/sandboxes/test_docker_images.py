"""Tests for the images of Docker sandboxes, built from a Dockerfile or named, and for settings in an image."""

import asyncio
import uuid
from pathlib import Path

import pytest

from tests.sandboxes.kinds import IMAGE, Kind


def test_dockerfile_is_built_once(docker: Kind, environment: Path) -> None:
    """A Dockerfile is built only once; its working directory is used, and its entrypoint is not run."""
    (environment / "Dockerfile").write_text(f'FROM {IMAGE}\nWORKDIR /work\nCOPY given .\nENTRYPOINT ["false"]\n')
    (environment / "given").write_text("built")

    async def run() -> str:
        async with docker.started(image=None) as sandbox:
            return (await sandbox.exec("pwd; cat given")).stdout

    async def run_twice() -> list[str]:
        return list(await asyncio.gather(run(), run()))

    assert asyncio.run(run_twice()) == ["/work\nbuilt"] * 2


def test_failed_build_is_reported(docker: Kind, environment: Path) -> None:
    """A failed build is reported in one line."""
    (environment / "Dockerfile").write_text(f"FROM {IMAGE}\nCOPY missing .\n")

    with pytest.raises(RuntimeError, match=r"^docker build of .*missing.*$"):
        asyncio.run(docker.make(image=None).start())


def test_failed_start_is_reported(docker: Kind, monkeypatch: pytest.MonkeyPatch) -> None:
    """A failed start is reported in one line, and the sandbox can then be stopped."""
    monkeypatch.setattr("parity.driver.sandboxes.container._CAPABILITIES", ("NONE_SUCH",))

    async def run() -> None:
        sandbox = docker.make(name=f"failed-{uuid.uuid4().hex[:8]}")
        try:
            await sandbox.start()
        finally:
            await sandbox.stop()

    with pytest.raises(RuntimeError, match=r"^docker run of [^\n]*NONE_SUCH[^\n]*$"):
        asyncio.run(run())
