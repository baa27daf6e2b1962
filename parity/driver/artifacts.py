"""Download artifacts from the agent's sandbox, and upload them into a separate sandbox for the verifier.

Rules: `run-trial/artifact-*`.
"""

import json
import logging
import os
import uuid
from collections.abc import Sequence
from pathlib import Path, PurePosixPath

from parity.driver.log_directories import LogDirectories
from parity.driver.places import LOGS_OF_ARTIFACTS
from parity.driver.sandboxes.transfer import unpack_downloaded
from parity.driver.shell_commands import pack, remove_file
from parity.driver.threads import blocking, in_thread, temporary_directory
from parity.driver.trial_sandbox import TrialSandbox
from parity.formats.task import Artifact, TaskConfig, TaskStep

_LOG = logging.getLogger("parity.driver")
_ALWAYS = Artifact(source=LOGS_OF_ARTIFACTS, destination=LOGS_OF_ARTIFACTS)


def artifacts_of(config: TaskConfig, step: TaskStep | None) -> list[Artifact]:
    """Return the artifacts of task and step, preceded by `/logs/artifacts` if that directory is not among them."""
    artifacts = [*config.artifacts, *(step.artifacts if step else ())]
    # Rule: run-trial/artifact-convention
    return artifacts if any(map(_is_convention, artifacts)) else [_ALWAYS, *artifacts]


def _is_convention(artifact: Artifact) -> bool:
    return artifact.source.rstrip("/") == LOGS_OF_ARTIFACTS


def host_path(directory: Path, artifact: Artifact) -> Path:
    """Return an artifact's path in the artifacts directory on the host. An absolute destination is made relative."""
    # Rule: run-trial/artifact-destination
    destination = artifact.destination or (
        LOGS_OF_ARTIFACTS if _is_convention(artifact) else PurePosixPath(artifact.source).name
    )
    if _is_convention(artifact) and destination.rstrip("/") in (LOGS_OF_ARTIFACTS, "."):
        return directory
    return directory.joinpath(*(part for part in PurePosixPath(destination).parts if part.strip("/")))


async def download_artifacts(
    sandbox: TrialSandbox, logs: LogDirectories, directory: Path, artifacts: Sequence[Artifact]
) -> None:
    """Download the artifacts, and write manifest.json with the status of each artifact."""
    directory.mkdir(parents=True, exist_ok=True)
    entries = [await _download(sandbox, logs, directory, artifact) for artifact in artifacts]
    # Rule: run-trial/artifact-manifest
    await in_thread(_write_manifest, directory, entries)


@blocking
def _write_manifest(directory: Path, entries: Sequence[object]) -> None:
    manifest = directory / "manifest.json"
    try:
        manifest.unlink(missing_ok=True)  # a download may have left a link with this name
        manifest.write_text(json.dumps(entries, indent=2))
    except OSError as error:
        _LOG.debug("the manifest was not written: %s", error)


async def _download(sandbox: TrialSandbox, logs: LogDirectories, directory: Path, artifact: Artifact) -> dict[str, str]:
    target = host_path(directory, artifact)
    # A link that an earlier download has left may lead to another log directory, where nothing may be written.
    if target != directory and not Path(os.path.realpath(target)).is_relative_to(os.path.realpath(directory)):
        return _entry(artifact, directory, target, "file", "failed")
    if _is_convention(artifact) and not artifact.exclude:
        has_any = await logs.fetch_artifacts(target)
        if has_any is not None:
            return _entry(artifact, directory, target, "directory", "ok" if has_any else "empty")
    try:
        is_directory = await sandbox.is_directory(artifact.source)
    except Exception:
        # Rule: run-trial/artifact-failure
        is_directory = not PurePosixPath(artifact.source).suffix
    status = "ok"
    try:
        (target if is_directory else target.parent).mkdir(parents=True, exist_ok=True)
        if is_directory and artifact.exclude:
            await _download_without(sandbox, artifact, target)
        else:
            await sandbox.get(artifact.source, target, directory=is_directory)
    except Exception as error:
        _LOG.debug("artifact %s was not downloaded: %s", artifact.source, error)
        # Rule: run-trial/artifact-failure
        status = "failed"
    return _entry(artifact, directory, target, "directory" if is_directory else "file", status)


def _entry(artifact: Artifact, directory: Path, target: Path, kind: str, status: str) -> dict[str, str]:
    within = "" if target == directory else f"/{target.relative_to(directory).as_posix()}"
    return {
        "source": artifact.source,
        "destination": f"artifacts{within}",
        "type": kind,
        "status": status,
    }


async def _download_without(sandbox: TrialSandbox, artifact: Artifact, target: Path) -> None:
    """Pack the source without its excluded files with tar in the sandbox, and download the untrusted archive."""
    archive = f"/tmp/.hb-transfer-{uuid.uuid4()}.tar.gz"
    # Rule: run-trial/artifact-exclude
    command = pack(artifact.source, artifact.exclude, archive)
    # Rule: run-trial/root-commands
    packed = await sandbox.exec(command, timeout=120, user="root")
    if packed.code != 0:
        raise RuntimeError(f"{artifact.source} was not packed, code {packed.code}: {packed.stderr or packed.stdout}")
    max_bytes = await sandbox.remaining_bytes()
    # In the trial's directory, so that resuming the job removes it if this process is killed.
    async with temporary_directory(sandbox.trial_directory) as temporary:
        local = temporary / "archive.tar.gz"
        await sandbox.get(archive, local, directory=False)
        await unpack_downloaded(local, artifact.source, target, max_bytes)
    await sandbox.exec(remove_file(archive), timeout=120, user="root")


async def upload_artifacts(sandbox: TrialSandbox, directory: Path, artifacts: Sequence[Artifact]) -> None:
    """Upload the downloaded artifacts to the same paths as in the agent's sandbox."""
    for artifact in artifacts:
        source = host_path(directory, artifact)
        # Rule: run-trial/artifacts-for-verifier
        target = LOGS_OF_ARTIFACTS if _is_convention(artifact) else artifact.source
        if source.is_dir():
            await sandbox.empty(target, open_to_all=True)
            await sandbox.put(source, target)
        elif source.exists():
            await sandbox.put(source, target)
