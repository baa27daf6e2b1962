"""Tests that a damaged archive of artifacts is refused.

Artifacts with an `exclude` list are transferred as a gzip archive. Golden vectors have intact archives;
`tests/sandboxes/test_unpacking.py` has hostile members.
"""

import asyncio
import gzip
import io
import json
import tarfile
from collections.abc import Callable
from pathlib import Path

import pytest

from parity.driver.artifacts import download_artifacts
from parity.driver.log_directories import log_directories
from parity.driver.places import TrialDirectory
from parity.driver.sandbox import Executed, SandboxSpec
from parity.driver.sandboxes.tar_members import LIMITS
from parity.driver.trial_sandbox import TrialSandbox
from parity.formats.task import Artifact, EnvironmentConfig
from parity.operations.scenarios.scripted_sandbox import CallLog, Script, ScriptedSandbox


class _Packed(ScriptedSandbox):
    """A scripted sandbox in which every file has the content of this archive."""

    def __init__(self, archive: bytes) -> None:
        super().__init__(CallLog(Script(), {}), SandboxSpec("trial", "task", Path()), "trial")
        self._archive = archive
        self.targets = list[Path]()

    async def exec(self, command: str, **options: object) -> Executed:
        return Executed(0)

    async def get(self, source: str, target: Path, *, directory: bool, max_bytes: int | None = None) -> None:
        target.write_bytes(self._archive)
        self.targets.append(target)


def _download(packed: _Packed, directory: Path) -> str:
    """Return the status of an artifact that is downloaded as the sandbox's archive."""
    sandbox = TrialSandbox(packed, EnvironmentConfig(), {}, SandboxSpec("trial", "task", directory), directory)
    logs = log_directories(sandbox, TrialDirectory(directory))
    excluding = Artifact(source="/data", destination="data", exclude=("*.pyc",))
    asyncio.run(download_artifacts(sandbox, logs, directory, [excluding]))
    return str(json.loads((directory / "manifest.json").read_text())[0]["status"])


def _archive(*members: tarfile.TarInfo) -> bytes:
    """Return an archive of members that are filled with zeros up to their stated size."""
    stream = io.BytesIO()
    with tarfile.open(fileobj=stream, mode="w:gz", compresslevel=1) as archive:
        for member in members:
            with open("/dev/zero", "rb") as zeros:
                archive.addfile(member, zeros)
    return stream.getvalue()


def _file(name: str, size: int = 3) -> tarfile.TarInfo:
    member = tarfile.TarInfo(name)
    member.size = size
    return member


@pytest.mark.parametrize(
    "archive",
    [
        lambda: _archive(_file("./bomb", LIMITS.size + 1)),
        lambda: gzip.compress(bytes(512)) + b"nonsense",
        lambda: _archive(_file("./a"))[:-20],
        lambda: b"",
    ],
    ids=["bomb", "trailing", "cut", "empty"],
)
def test_broken_or_large_archive_is_a_failed_download(tmp_path: Path, archive: Callable[[], bytes]) -> None:
    """For a broken or too large archive, the status is `failed`, and nothing from a bomb is written."""
    status = _download(_Packed(archive()), tmp_path)

    assert status == "failed"
    assert not (tmp_path / "data" / "bomb").exists()


def test_archive_is_kept_in_the_trial_directory_only_while_it_is_unpacked(tmp_path: Path) -> None:
    """The archive is downloaded into the trial's directory, which resuming removes after a kill, and then removed."""
    packed = _Packed(_archive(_file("./a")))

    status = _download(packed, tmp_path)

    (target,) = packed.targets
    assert status == "ok"
    assert target.is_relative_to(tmp_path)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["data", "manifest.json"]
