"""A container whose life hangs on ours."""

import asyncio
import subprocess
from contextlib import suppress

from parity.driver.sandbox import Executed, SandboxSpec
from parity.driver.sandboxes.command import Commands
from parity.driver.sandboxes.docker_image import last_line
from parity.driver.sandboxes.local_limits import PROCESSES

_PATIENCE = 60
"""Seconds for a start without the image, and for an end."""

_STORAGE_MB = 10240
"""Megabytes of one file, where the task does not say how much it needs; few engines can bound their sum."""

_READY = b"ready\n"
_GONE = ("No such container", "already in progress")
_LIVE = "echo ready; cat >/dev/null"

# Those that package managers and tests take, and no more: no raw sockets, no devices.
_CAPABILITIES = ("CHOWN", "DAC_OVERRIDE", "FOWNER", "FSETID", "KILL", "SETGID", "SETUID", "SETPCAP", "NET_BIND_SERVICE")


class Container:
    """One container, which `docker run` keeps in the foreground."""

    def __init__(self, name: str, spec: SandboxSpec) -> None:
        self.name = name
        self._spec = spec
        self._docker: asyncio.subprocess.Process | None = None
        self._named = False

    async def start(self, image: str) -> None:
        """Start it, and wait until it runs.

        Raises:
            RuntimeError: docker cannot.
        """
        self._named = True
        self._docker = docker = await asyncio.create_subprocess_exec(
            *self._command(image),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=True,
        )
        assert docker.stdout is not None
        assert docker.stderr is not None
        try:
            async with asyncio.timeout(_PATIENCE):
                ready = await docker.stdout.readline()
                complaint = "" if ready == _READY else (await docker.stderr.read(4000)).decode(errors="replace")
        except TimeoutError:
            raise RuntimeError(f"the container does not run within {_PATIENCE} seconds") from None
        if ready != _READY:
            lines = [line for line in complaint.splitlines() if line.strip() and "--help" not in line]
            raise RuntimeError(f"docker run of {image}: {last_line(chr(10).join(lines))}")

    def _command(self, image: str) -> list[str]:
        spec = self._spec
        return [
            *("docker", "run", "--rm", "--interactive", "--init", "--name", self.name, "--hostname", self.name[:60]),
            *("--label", f"harbor-parity={spec.task}", "--log-driver", "none", "--pull", "never"),
            *(() if spec.network else ("--network", "none")),
            *("--cap-drop", "ALL", *(f"--cap-add={name}" for name in _CAPABILITIES)),
            *("--security-opt", "no-new-privileges", "--ulimit", "core=0"),
            *("--ulimit", f"fsize={(spec.storage_mb or _STORAGE_MB) << 20}"),
            *("--pids-limit", str(PROCESSES)),
            *(("--memory", f"{spec.memory_mb}m", "--memory-swap", f"{spec.memory_mb}m") if spec.memory_mb else ()),
            *(("--cpus", str(spec.cpus)) if spec.cpus else ()),
            *("--entrypoint", "sh", image, "-c", _LIVE),
        ]

    async def stop(self, commands: Commands) -> None:
        """Remove it, whether it runs, starts or never did; more than once is as good as once.

        Raises:
            RuntimeError: docker cannot.
        """
        if not self._named:
            return
        # A client that is about to create the container would bring it back after its removal.
        removed = await self._remove(commands)
        docker, self._docker = self._docker, None
        if docker is not None:
            await _end(docker)
            removed = await self._remove(commands)
        if removed.code and not any(words in removed.stderr for words in _GONE):
            raise RuntimeError(f"docker rm of {self.name}: {last_line(removed.stderr)}")
        self._named = False

    async def _remove(self, commands: Commands) -> Executed:
        return await commands.run(["docker", "rm", "--force", "--volumes", self.name], timeout=_PATIENCE)


async def _end(docker: asyncio.subprocess.Process) -> None:
    """Wait for the client, whose container is gone."""
    try:
        async with asyncio.timeout(_PATIENCE):
            await docker.communicate()
    except TimeoutError:
        with suppress(ProcessLookupError):
            docker.kill()
        await docker.wait()
