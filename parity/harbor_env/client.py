"""A client for the kit's sandboxes, with the methods that `CliAgentEnv` from `verifiers` and its subclasses call.

The methods have the same names and arguments as those of the client in `verifiers`. So an environment written for that
client, and its subclasses, work on any of the kit's sandboxes.
"""

import asyncio
import os
import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from uuid import uuid4

from parity.driver.sandbox import Sandbox, Sandboxes, SandboxSpec, SandboxUnavailable
from parity.driver.sandboxes import sandboxes_named
from parity.driver.threads import finished, temporary_directory
from parity.driver.trial_plan import waitable

_NOTHING = Path(os.devnull)
"""A path without content, for sandboxes that are built without files from the host."""


@dataclass(frozen=True)
class SandboxRequest:
    """The properties of a sandbox to create."""

    name: str
    docker_image: str | None = None
    environment_vars: Mapping[str, str] = field(default_factory=dict)
    cpu_cores: int | None = None
    memory_gb: float | None = None
    disk_size_gb: float | None = None


@dataclass(frozen=True)
class CreatedSandbox:
    """A running sandbox."""

    id: str


@dataclass(frozen=True)
class CommandResult:
    """The result of a command, or the status of a background command."""

    stdout: str = ""
    stderr: str = ""
    exit_code: int | None = None
    completed: bool = True


@dataclass(frozen=True)
class FileContent:
    """The text of a file in a sandbox."""

    content: str


type BackgroundJob = asyncio.Task[CommandResult]


@dataclass
class _RunningSandbox:
    sandbox: Sandbox
    env: Mapping[str, str]
    jobs: list[BackgroundJob] = field(default_factory=list)
    deletion: asyncio.Task[None] | None = None


class SandboxClient:
    """A client for one kind of sandbox. All its methods must be called from the same event loop."""

    polling_seconds = 0.0
    """The longest delay, in seconds, until the client notices that a background command has ended."""

    def __init__(self, sandboxes: Sandboxes | str, *, network: bool = False) -> None:
        """Make a client that has no sandboxes yet, and check that this kind of sandbox works on this machine.

        Args:
            sandboxes: the kind of sandbox, or its name.
            network: whether the sandboxes have a network.

        Raises:
            ValueError: there is no kind with this name, or a network was requested for local sandboxes.
            SandboxUnavailable: this kind of sandbox cannot work on this machine.
        """
        kind = sandboxes_named(sandboxes) if isinstance(sandboxes, str) else sandboxes
        if kind is None:
            raise ValueError(f"sandboxes is {sandboxes!r}: choose 'local' or 'docker', or give a kind of sandbox")
        if network and kind.name == "local":
            raise ValueError("network is True: local sandboxes have no network; use sandboxes='docker'")
        kind.preflight()
        self.sandboxes, self.network = kind, network
        self._running: dict[str, _RunningSandbox] = {}

    @property
    def active(self) -> frozenset[str]:
        """The ids of the sandboxes that have not been deleted yet."""
        return frozenset(self._running)

    async def create(self, request: Any) -> CreatedSandbox:
        """Make and start a sandbox.

        Args:
            request: a `SandboxRequest`, or any object with the same fields.

        Raises:
            SandboxUnavailable: this kind of sandbox does not support the request.
            Exception: the sandbox could not be started; it has been removed.
        """
        spec = SandboxSpec(
            name=f"{request.name}-{uuid4().hex[:12]}",
            task=request.name,
            directory=_NOTHING,
            image=request.docker_image,
            network=self.network,
            cpus=request.cpu_cores,
            memory_mb=_megabytes(request.memory_gb),
            storage_mb=_megabytes(request.disk_size_gb),
        )
        if refusal := self.sandboxes.refusal(spec):
            raise SandboxUnavailable(f"{request.name}: {refusal}")
        running = _RunningSandbox(self.sandboxes.make(spec), dict(request.environment_vars or {}))
        self._running[spec.name] = running
        try:
            await running.sandbox.start()
        except BaseException:
            await self.delete(spec.name)
            raise
        return CreatedSandbox(spec.name)

    async def wait_for_creation(self, sandbox_id: str, **options: Any) -> None:
        """Do nothing: a sandbox is already running when `create` returns."""

    async def delete(self, sandbox_id: str) -> None:
        """Stop a sandbox and all its processes, and remove it. A call that is cancelled still waits until the sandbox
        is deleted.
        """
        running = self._running.get(sandbox_id)
        if running is None:
            return
        if running.deletion is None:
            running.deletion = asyncio.ensure_future(self._delete(sandbox_id, running))
        await finished(running.deletion)

    async def bulk_delete(self, sandbox_ids: Sequence[str]) -> None:
        """Delete several sandboxes. If one cannot be deleted, the rest are deleted before its exception is raised."""
        ends = await asyncio.gather(*map(self.delete, sandbox_ids), return_exceptions=True)
        for error in filter(None, ends):
            raise error

    async def delete_all(self) -> None:
        """Delete all sandboxes that still exist."""
        await self.bulk_delete(list(self._running))

    def teardown(self, wait: bool = True) -> None:
        """Do nothing: the client has no threads of its own."""

    async def execute_command(
        self,
        sandbox_id: str,
        command: str,
        working_dir: str | None = None,
        env: Mapping[str, str] | None = None,
        timeout: float | None = None,
    ) -> CommandResult:
        """Run a command and wait for it to end.

        Raises:
            TimeoutError: the command took longer than the timeout, in seconds.
            RuntimeError: the sandbox does not exist, or was deleted while the command was running.
        """
        running = self._find(sandbox_id)
        try:
            async with asyncio.timeout(waitable(timeout)):
                ended = await running.sandbox.exec(command, cwd=working_dir, env={**running.env, **(env or {})})
        except TimeoutError as error:
            raise TimeoutError(f"{command!r} ran into its timeout of {timeout} seconds") from error
        if running.deletion is not None:
            raise RuntimeError(f"the sandbox {sandbox_id!r} was deleted while a command ran in it")
        return CommandResult(ended.stdout, ended.stderr, ended.code)

    async def start_background_job(
        self, sandbox_id: str, command: str, working_dir: str | None = None, env: Mapping[str, str] | None = None
    ) -> BackgroundJob:
        """Start a command without waiting for it."""
        running = self._find(sandbox_id)
        job = asyncio.ensure_future(self.execute_command(sandbox_id, command, working_dir, env))
        running.jobs.append(job)
        return job

    async def get_background_job(
        self, sandbox_id: str, job: BackgroundJob, timeout: int | None = None
    ) -> CommandResult:
        """Return the status of a background command.

        Raises:
            Exception: the exception that `execute_command` raised for the command.
        """
        return job.result() if job.done() else CommandResult(completed=False)

    async def run_background_job(
        self,
        sandbox_id: str,
        command: str,
        timeout: float = 900,
        working_dir: str | None = None,
        env: Mapping[str, str] | None = None,
        poll_interval: float = 3,
    ) -> CommandResult:
        """Run a command and wait for it to end, as `execute_command` does."""
        return await self.execute_command(sandbox_id, command, working_dir, env, timeout)

    async def upload_file(
        self, sandbox_id: str, file_path: str, local_file_path: str, timeout: int | None = None
    ) -> None:
        """Copy a file from the host into a sandbox."""
        await self._find(sandbox_id).sandbox.put(Path(local_file_path), file_path)

    async def download_file(
        self, sandbox_id: str, file_path: str, local_file_path: str, timeout: int | None = None
    ) -> None:
        """Copy a file from a sandbox to the host.

        Raises:
            TransferError: the file is missing, or larger than the host accepts.
        """
        await self._find(sandbox_id).sandbox.get(file_path, Path(local_file_path), directory=False)

    async def download_directory(self, sandbox_id: str, path: str, local_path: str) -> None:
        """Copy the content of a directory from a sandbox to a directory on the host, whatever the file modes are.

        Raises:
            TransferError: the directory is missing, or larger than the host accepts.
        """
        await self._find(sandbox_id).sandbox.get(path, Path(local_path), directory=True)

    async def read_file(self, sandbox_id: str, file_path: str, timeout: int | None = None) -> FileContent:
        """Return the text of a file in a sandbox. Bytes that are not UTF-8 become replacement characters.

        Raises:
            FileNotFoundError: the file cannot be read.
        """
        ended = await self.execute_command(sandbox_id, f"cat {shlex.quote(file_path)}", timeout=timeout)
        if ended.exit_code:
            raise FileNotFoundError(ended.stderr.strip())
        return FileContent(ended.stdout)

    async def check_running(self, sandbox_id: str) -> None:
        """Check that a sandbox still exists, without any program in it, which an agent may have replaced.

        Raises:
            Exception: the sandbox does not exist, or cannot be reached.
        """
        async with temporary_directory() as empty:
            await self._find(sandbox_id).sandbox.put(empty, "/")

    async def _delete(self, sandbox_id: str, running: _RunningSandbox) -> None:
        for job in running.jobs:
            job.cancel()
        await asyncio.gather(*running.jobs, return_exceptions=True)
        try:
            await running.sandbox.stop()
        finally:
            del self._running[sandbox_id]

    def _find(self, sandbox_id: str) -> _RunningSandbox:
        running = self._running.get(sandbox_id)
        if running is None:
            raise RuntimeError(f"there is no sandbox {sandbox_id!r}")
        return running


def _megabytes(gigabytes: float | None) -> int | None:
    return None if gigabytes is None else round(gigabytes * 1024)
