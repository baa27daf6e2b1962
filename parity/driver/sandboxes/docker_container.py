"""A container that lives no longer than this process."""

import asyncio

from parity.driver.sandbox import Executed, SandboxSpec
from parity.driver.sandboxes.command import Commands
from parity.driver.sandboxes.docker_image import last_line
from parity.driver.sandboxes.docker_lifeline import Lifeline
from parity.driver.sandboxes.local_limits import PROCESSES
from parity.driver.sandboxes.starting import HostProgram

_TIMEOUT = 60
"""Seconds for a start without the image, and for an end."""

_STORAGE_MB = 10240
"""Megabytes of one file, where the task does not say how much it needs; few engines can bound their sum."""

_GONE = ("No such container", "already in progress")
_LIVE = "cat >/dev/null"  # docker keeps its input open; `sleep infinity` is not known everywhere

# Those that package managers and tests take, and no more: no raw sockets, no devices.
_CAPABILITIES = ("CHOWN", "DAC_OVERRIDE", "FOWNER", "FSETID", "KILL", "SETGID", "SETUID", "SETPCAP", "NET_BIND_SERVICE")


class Container:
    """One container, from before it is created until after it is removed."""

    def __init__(self, name: str, spec: SandboxSpec, lifeline: Lifeline, commands: Commands) -> None:
        self.name = name
        self._spec, self._lifeline, self._commands = spec, lifeline, commands
        self._started: asyncio.Task[Executed] | None = None

    async def start(self, image: str) -> None:
        """Start it, and wait until it runs.

        Raises:
            RuntimeError: docker cannot.
        """
        pipe = self._lifeline.hold(self.name)
        starting = self._commands.run(HostProgram(self._command(image), [pipe]).start, timeout=_TIMEOUT)
        # A client that is killed leaves the engine at it: the container might come after its removal.
        self._started = asyncio.create_task(starting)
        started = await asyncio.shield(self._started)
        if started.code:
            lines = [line for line in started.stderr.splitlines() if line.strip() and "--help" not in line]
            raise RuntimeError(f"docker run of {image}: {last_line(chr(10).join(lines))}")

    def _command(self, image: str) -> list[str]:
        spec = self._spec
        return [
            *("docker", "run", "--detach", "--rm", "--interactive", "--init"),
            *("--name", self.name, "--hostname", self.name[:60]),
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

    async def stop(self) -> None:
        """Remove it, whether it runs, starts or never did; more than once is as good as once.

        Raises:
            RuntimeError: docker cannot. It is tried again when this process ends.
        """
        if self._started is None:
            return
        await asyncio.wait({self._started})
        removed = await self._commands.run(
            HostProgram(["docker", "rm", "--force", "--volumes", self.name]).start, timeout=_TIMEOUT
        )
        if removed.code and not any(words in removed.stderr for words in _GONE):
            raise RuntimeError(f"docker rm of {self.name}: {last_line(removed.stderr)}")
        failed = self._started.exception()
        self._started = None
        if failed is None:
            self._lifeline.release(self.name)
