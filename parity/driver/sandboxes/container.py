"""The sandbox kind `docker`: a container that the docker command makes from the task's image.

One attached `docker run` makes the container. The container's first process ends when its standard input is closed,
which happens when the sandbox is stopped or this process is killed. The kernel then kills all other processes in the
container, even suspended ones, and the engine removes the container. Commands are run by `docker exec`, because the
engine knows how to become each user in the image. A shell in the container to which commands are sent would be simpler,
but programs in the container could kill it.

The number of processes is limited, and so are memory and CPUs if the task limits them. Only the engine can limit the
disk. Files are copied as archives that the engine reads and writes, without any process in the container. A command
that runs into its timeout keeps running until the sandbox stops, as with docker itself.
"""

import asyncio
import os
import posixpath
import re
import shutil
import subprocess
import uuid
from collections.abc import Mapping
from pathlib import Path, PurePosixPath

from parity.driver.sandbox import Executed, Sandbox, SandboxSpec, SandboxUnavailable, TransferError, User
from parity.driver.sandboxes.dockerfile import compose_file
from parity.driver.sandboxes.image import image_of, last_line
from parity.driver.sandboxes.limits import PROCESSES, refusal
from parity.driver.sandboxes.process import Program, run
from parity.driver.sandboxes.transfer import receive, send

_TIMEOUT = 60
"""The timeout, in seconds, for starting a container from an existing image, for its end, and for its removal."""

_STORAGE_MB = 10240
"""The largest size of one file, in megabytes, if the task sets no limit. Few engines can limit all files together."""

# The first process is bash if the image has it, because bash reaps processes whose parents have ended.
_FIRST_PROCESS = "echo ready; exec >/dev/null; ! command -v bash || exec bash -c 'read -r'; read -r line"

# The capabilities that package managers and tests need. There are none for raw sockets and devices.
_CAPABILITIES = ("CHOWN", "DAC_OVERRIDE", "FOWNER", "FSETID", "KILL", "SETGID", "SETUID", "SETPCAP", "NET_BIND_SERVICE")

_NO_DIRECTORY = "must be a directory"
"""A part of docker's error message for a directory that is missing or that docker cannot copy into."""

_GONE = ("No such container", "already in progress")


class DockerSandboxes:
    """Sandboxes on a Docker engine."""

    name = "docker"

    def __init__(self) -> None:
        self.built_images: set[str] = set()
        """The names of the images that were built, which the engine keeps for the next run."""

    def preflight(self) -> None:
        if shutil.which("docker") is None:
            raise SandboxUnavailable("the docker sandbox needs the docker command; install Docker")
        command = ["docker", "version", "--format", "{{.Server.Version}}"]
        try:
            tried = subprocess.run(command, capture_output=True, text=True, errors="replace", timeout=30, check=False)
        except subprocess.TimeoutExpired:
            raise SandboxUnavailable("the Docker engine does not answer within 30 seconds; restart it") from None
        if tried.returncode:
            raise SandboxUnavailable(
                f"docker finds no engine ({last_line(tried.stderr)}); start it, or set DOCKER_HOST"
            )

    def refusal(self, spec: SandboxSpec) -> str | None:
        if name := compose_file(spec.directory):
            return f"needs {spec.directory.name}/{name}, which the docker sandbox does not run"
        if spec.image is None and not (spec.directory / "Dockerfile").is_file():
            return f"has neither docker_image in task.toml nor {spec.directory.name}/Dockerfile; add one"
        return refusal(spec)

    def make(self, spec: SandboxSpec) -> Sandbox:
        return DockerSandbox(spec, self.built_images)


class DockerSandbox:
    """One container."""

    imitates_mounts = True
    driver_timeout = 120.0

    def __init__(self, spec: SandboxSpec, built_images: set[str]) -> None:
        name = re.sub(r"[^a-z0-9]+", "-", spec.name.lower()).strip("-")[:80]
        self._name = f"parity-{name}-{uuid.uuid4().hex[:8]}"
        self._spec, self._built_images = spec, built_images
        self._container: Program | None = None
        """The attached `docker run`; None if the sandbox is not running."""

        self._commands: list[Program] = []

    async def start(self) -> None:
        """Pull or build the image if necessary, and start a container.

        Raises:
            RuntimeError: docker failed.
        """
        image = await image_of(self._spec, self._built_images)
        self._container = Program(["docker", *_run_options(self._name, self._spec, image)], stdin=subprocess.PIPE)
        if await self._container.prints(_TIMEOUT):
            return
        if not self._container.ended.done():
            raise RuntimeError(f"docker run of {image}: it does not start within {_TIMEOUT} seconds")
        complaint = (await self._container.result()).stderr
        lines = [line for line in complaint.splitlines() if line.strip() and "--help" not in line]
        raise RuntimeError(f"docker run of {image}: {last_line('\n'.join(lines))}")

    async def stop(self) -> None:
        """Close the standard input of the first process, which ends the container, or else remove the container.

        Raises:
            RuntimeError: docker failed.
        """
        if self._container is None:
            return
        assert self._container.stdin is not None
        self._container.stdin.close()
        await asyncio.wait({self._container.ended}, timeout=_TIMEOUT)
        if not self._container.ended.done():
            await self._remove()
        for program in (self._container, *self._commands):
            program.kill()
            program.close()
        self._container, self._commands = None, []

    async def _remove(self) -> None:
        removed = await run(["docker", "rm", "--force", "--volumes", self._name], timeout=_TIMEOUT)
        if removed.code and not any(words in removed.stderr for words in _GONE):
            raise RuntimeError(f"docker rm of {self._name}: {last_line(removed.stderr)}")

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
            else:  # every user on the host can see a command line, but not a process's environment variables
                options += ["--env", name]
                hidden[name] = value
        running = ["docker", "exec", *options, self._name, "bash", "-c", command]
        program = Program(running, env={**os.environ, **hidden})
        self._commands.append(program)
        executed = await program.result(timeout)
        if program.is_silent:
            self._commands.remove(program)
        return executed

    async def put(self, source: Path, target: str) -> None:
        # The engine creates only directories that are in the archive, and follows no symlinks on the path to them.
        path, below = PurePosixPath(posixpath.normpath(f"/{target}")), PurePosixPath()
        if not source.is_dir():
            path, below = path.parent, PurePosixPath(path.name)
        while True:
            copying = ["docker", "cp", "-", f"{self._name}:{path}"]
            try:
                program = Program(copying, stdin=subprocess.PIPE)
                return await send(program, source, str(below))
            except TransferError as error:
                if path == path.parent or _NO_DIRECTORY not in str(error):
                    raise TransferError(f"{target}: {error}") from None
            path, below = path.parent, path.name / below

    async def get(self, source: str, target: Path, *, directory: bool, max_bytes: int | None = None) -> None:
        inside = f"{self._name}:{source.rstrip('/')}"
        options = [f"{inside}/.", "-"] if directory else ["--follow-link", inside, "-"]
        program = Program(["docker", "cp", *options], collects=False)
        try:
            siblings = self._spec.siblings(source, target)
            await receive(program, source, target, directory=directory, max_bytes=max_bytes, siblings=siblings)
        except TransferError as error:
            raise type(error)(f"{source}: {error}") from None


def _run_options(name: str, spec: SandboxSpec, image: str) -> list[str]:
    """Return the arguments for the docker command that start a container."""
    return [
        *("run", "--rm", "--interactive", "--name", name, "--hostname", name[:60]),
        *("--label", f"harbor-parity={spec.task}", "--log-driver", "none", "--pull", "never"),
        *(() if spec.network else ("--network", "none")),
        *("--cap-drop", "ALL", *(f"--cap-add={capability}" for capability in _CAPABILITIES)),
        *("--security-opt", "no-new-privileges", "--ulimit", "core=1"),
        *("--ulimit", f"fsize={(max(spec.storage_mb or 0, 0) or _STORAGE_MB) << 20}"),
        *("--pids-limit", str(PROCESSES)),
        *(("--memory", f"{spec.memory_mb}m", "--memory-swap", f"{spec.memory_mb}m") if spec.memory_mb else ()),
        *(("--cpus", str(spec.cpus)) if spec.cpus else ()),
        *("--entrypoint", "sh", image, "-c", _FIRST_PROCESS),
    ]


def _is_read_by_docker(name: str) -> bool:
    """Return whether an environment variable would change the behaviour of the docker command itself."""
    return name in ("PATH", "HOME", "GODEBUG", "SSL_CERT_FILE", "SSL_CERT_DIR") or name.upper().startswith(
        ("DOCKER_", "LD_", "HTTP_", "HTTPS_", "NO_PROXY", "ALL_PROXY", "XDG_", "BUILDKIT_", "COMPOSE_", "SSH_", "OTEL_")
    )
