"""The sandbox kind `docker`: a container of the task's image, by the docker command.

A shell outside the container removes it when this process ends, even if this process is killed. Processes are limited,
and memory and CPUs if the task limits them; only the engine limits the disk. Files are copied as archives of the
engine, without any process inside.

A command that runs into its timeout keeps running until the sandbox stops, as with docker itself.
"""

import asyncio
import posixpath
import re
import shutil
import subprocess
import uuid
from collections.abc import Coroutine, Mapping
from functools import partial
from pathlib import Path, PurePosixPath
from typing import Any

from parity.driver.sandbox import Executed, Sandbox, SandboxSpec, SandboxUnavailable, TransferError, User
from parity.driver.sandboxes.archive import pack
from parity.driver.sandboxes.command import Commands
from parity.driver.sandboxes.docker_container import Container, NotBegun, docker, image_of, last_line
from parity.driver.sandboxes.dockerfile import compose_file
from parity.driver.sandboxes.streaming import fetch, send

_TRANSFER = 300
"""The time limit of one transfer, in seconds."""

_NO_FOLDER = "must be a directory"
"""Docker's message for a folder that it cannot copy into; also for a missing folder."""


class DockerSandboxes:
    """Sandboxes on a Docker engine."""

    name = "docker"

    def __init__(self) -> None:
        self.built_images: set[str] = set()
        """Names of the images that were built. The engine keeps them for the next run."""

    def preflight(self) -> None:
        if shutil.which("docker") is None:
            raise SandboxUnavailable("the docker sandbox needs the docker command; install Docker")
        try:
            asked = subprocess.run(
                ["docker", "version", "--format", "{{.Server.Version}}"],
                capture_output=True,
                text=True,
                errors="replace",
                timeout=30,
                check=False,
            )
        except subprocess.TimeoutExpired:
            raise SandboxUnavailable("the Docker engine does not answer within 30 seconds; restart it") from None
        if asked.returncode:
            raise SandboxUnavailable(
                f"docker finds no engine ({last_line(asked.stderr)}); start it, or set DOCKER_HOST"
            )

    def refusal(self, spec: SandboxSpec) -> str | None:
        if name := compose_file(spec.folder):
            return f"needs {spec.folder.name}/{name}, which the docker sandbox does not run"
        if spec.image is None and not (spec.folder / "Dockerfile").is_file():
            return f"has neither docker_image in task.toml nor {spec.folder.name}/Dockerfile; add one"
        return None

    def make(self, spec: SandboxSpec) -> Sandbox:
        return DockerSandbox(spec, self.built_images)


class DockerSandbox:
    """One container."""

    copies_mounts = True
    own_timeout = 120.0

    def __init__(self, spec: SandboxSpec, built_images: set[str]) -> None:
        name = re.sub(r"[^a-z0-9]+", "-", spec.name.lower()).strip("-")[:80]
        self._spec, self._built_images = spec, built_images
        self._commands = Commands()
        self._container = Container(f"parity-{name}-{uuid.uuid4().hex[:8]}", spec, self._commands)

    async def start(self) -> None:
        """Build the image if necessary, and start a container.

        Raises:
            RuntimeError: docker failed.
        """
        await self._container.start(await image_of(self._spec, self._commands, self._built_images))

    async def stop(self) -> None:
        try:
            await self._container.stop()
        finally:
            await self._commands.close()

    async def exec(
        self,
        command: str,
        *,
        cwd: str | None = None,
        env: Mapping[str, str] | None = None,
        timeout: int | None = None,
        user: User | None = None,
    ) -> Executed:
        options = ["--workdir", cwd] if cwd is not None else []
        options += ["--user", str(user)] if user is not None else []
        hidden: dict[str, str] = {}
        for name, value in (env or {}).items():
            if _is_read_by_docker(name):
                options += ["--env", f"{name}={value}"]
            else:  # everybody on the host sees a command line, but not a process's variables
                options += ["--env", name]
                hidden[name] = value
        try:
            return await self._container.exec(options, command, timeout, hidden)
        except NotBegun as error:
            await self.stop()
            raise RuntimeError(f"the container was removed: {error}") from None

    async def put(self, source: Path, target: str) -> None:
        # The engine makes only the folders in an archive, and follows no links on the path.
        place, below = PurePosixPath(posixpath.normpath(f"/{target}")), PurePosixPath()
        if not source.is_dir():
            place, below = place.parent, PurePosixPath(place.name)
        while True:
            try:
                return await self._send(source, place, below)
            except TransferError as error:
                if place == place.parent or _NO_FOLDER not in str(error):
                    raise TransferError(f"{target}: {error}") from None
            place, below = place.parent, place.name / below

    async def _send(self, source: Path, place: PurePosixPath, below: PurePosixPath) -> None:
        program = docker("cp", "-", f"{self._container.name}:{place}")
        await self._limited(send(program, partial(pack, source, name=str(below))))

    async def get(self, source: str, target: Path, *, directory: bool, room: int | None = None) -> None:
        place = f"{self._container.name}:{source.rstrip('/')}"
        program = docker("cp", f"{place}/.", "-") if directory else docker("cp", "--follow-link", place, "-")
        try:
            await self._limited(fetch(program, source, target, directory=directory, room=room))
        except TransferError as error:
            raise type(error)(f"{source}: {error}") from None

    async def _limited(self, transfer: Coroutine[Any, Any, None]) -> None:
        """Run a transfer with a time limit. At the limit, remove the container, because a program inside may block the
        engine.
        """
        try:
            async with asyncio.timeout(_TRANSFER) as limit:
                await transfer
        except TimeoutError:
            if not limit.expired():
                raise
            await self.stop()
            raise TransferError(f"took longer than {_TRANSFER} seconds; the container was removed") from None


def _is_read_by_docker(name: str) -> bool:
    """Return whether a variable would change the docker command itself."""
    return name in ("PATH", "HOME", "GODEBUG", "SSL_CERT_FILE", "SSL_CERT_DIR") or name.upper().startswith(
        ("DOCKER_", "LD_", "HTTP_", "HTTPS_", "NO_PROXY", "ALL_PROXY", "XDG_", "BUILDKIT_", "COMPOSE_", "SSH_", "OTEL_")
    )
