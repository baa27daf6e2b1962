"""Runs a container of an image, and commands in it, although a program inside may stop any process it sees.

A program may even stop a process of the engine before that becomes the command. While such a process is stopped, no
other command may be started and no client killed; otherwise engines can no longer remove the container. So a command
prints a word when it begins, the next command waits for that word, and if it does not come in time, the container is
removed.
"""

import asyncio
import os
import re
import uuid
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial

from parity.driver.sandbox import Executed, SandboxSpec
from parity.driver.sandboxes.command import Commands, Started, started
from parity.driver.sandboxes.local_limits import PROCESSES
from parity.driver.sandboxes.starting import Startable, program
from parity.driver.sandboxes.tidying import Tidying

_TIMEOUT = 60
"""The time limit of a start without the image, and of a removal, in seconds."""

_BEGINNING = 30
"""The time limit for a command to begin, and for a client to end after its container, in seconds."""

_STORAGE_MB = 10240
"""The most megabytes of one file if the task sets no limit. Few engines can limit the sum of all files."""

_GONE = ("No such container", "already in progress")
_LIVE = "cat >/dev/null"  # docker keeps its input open; `sleep infinity` is not known everywhere

# Only those that package managers and tests need: no raw sockets, no devices.
_CAPABILITIES = ("CHOWN", "DAC_OVERRIDE", "FOWNER", "FSETID", "KILL", "SETGID", "SETUID", "SETPCAP", "NET_BIND_SERVICE")

# An engine may fail to remove a container for an hour; not every system has `timeout`.
_TIDY_UP = f"""
limit= wait=1 waited=0
if command -v timeout; then limit='timeout {_TIMEOUT}'; fi
until said=$($limit docker rm --force --volumes "$1" 2>&1) || [ "${{said#*No such container}}" != "$said" ]; do
    sleep $wait
    waited=$((waited + wait))
    [ $waited -lt 3600 ] || exit
    [ $wait -ge 30 ] || wait=$((2 * wait))
done"""


class NotBegun(RuntimeError):
    """A command that did not begin in time, and may never begin."""


class Container:
    """One container, from before its creation to after its removal. It does not outlive this process."""

    def __init__(self, name: str, spec: SandboxSpec, commands: Commands) -> None:
        self.name = name
        self._spec, self._commands = spec, commands
        self._started: asyncio.Task[Executed] | None = None
        self._tidying: Tidying | None = None
        self._word = uuid.uuid4().hex
        self._clients: list[Started] = []

    async def start(self, image: str) -> None:
        """Start the container, and wait until it runs.

        Raises:
            RuntimeError: docker failed.
            OSError: the shell that removes the container at the end of this process cannot be started.
        """
        self._tidying = Tidying(_TIDY_UP, self.name, os.environ)
        # The engine continues without a killed client: it might create the container after its removal.
        begin = docker(*self._command(image), pass_fds=[self._tidying.pipe])
        self._started = asyncio.create_task(self._commands.run(begin, timeout=_TIMEOUT))
        started = await asyncio.shield(self._started)
        if started.code:
            lines = [line for line in started.stderr.splitlines() if line.strip() and "--help" not in line]
            raise RuntimeError(f"docker run of {image}: {last_line(chr(10).join(lines))}")

    def _command(self, image: str) -> list[str]:
        spec = self._spec
        return [
            *("run", "--detach", "--rm", "--interactive", "--init"),
            *("--name", self.name, "--hostname", self.name[:60]),
            *("--label", f"harbor-parity={spec.task}", "--log-driver", "none", "--pull", "never"),
            *(() if spec.network else ("--network", "none")),
            *("--cap-drop", "ALL", *(f"--cap-add={name}" for name in _CAPABILITIES)),
            *("--security-opt", "no-new-privileges", "--ulimit", "core=1"),
            *("--ulimit", f"fsize={(spec.storage_mb or _STORAGE_MB) << 20}"),
            *("--pids-limit", str(PROCESSES)),
            *(("--memory", f"{spec.memory_mb}m", "--memory-swap", f"{spec.memory_mb}m") if spec.memory_mb else ()),
            *(("--cpus", str(spec.cpus)) if spec.cpus else ()),
            *("--entrypoint", "sh", image, "-c", _LIVE),
        ]

    async def exec(
        self, options: Sequence[str], command: str, timeout: float | None, env: Mapping[str, str]
    ) -> Executed:
        """Run a command until it ends. Its background processes keep running.

        Args:
            options: options of `docker exec`.
            command: bash source.
            timeout: seconds; None and 0 for any time.
            env: variables of the docker command.

        Raises:
            RuntimeError: the command took longer than the timeout. It keeps running.
            NotBegun: this command or an earlier one has not begun.
        """
        for earlier in self._clients:
            await _begun(earlier)
        begin = f'builtin echo {self._word}; exec bash -c "$0"'
        client = await started(docker("exec", *options, self.name, "bash", "-c", begin, command, env=env))
        self._clients.append(client)
        executed = await client.executed(timeout, _begun)
        if client.silent.is_set():
            self._clients.remove(client)
            client.close()
        return replace(executed, stdout=executed.stdout.replace(f"{self._word}\n", "", 1))

    async def stop(self) -> None:
        """Remove the container, whether it is running, starting or was never started. Further calls do nothing.

        Raises:
            RuntimeError: docker failed. The removal is tried again when this process ends.
        """
        try:
            await self._remove()
        finally:
            while self._clients:
                await _end(self._clients.pop())

    async def _remove(self) -> None:
        if self._started is None:
            return
        await asyncio.wait({self._started})
        removed = await self._commands.run(docker("rm", "--force", "--volumes", self.name), timeout=_TIMEOUT)
        if removed.code and not any(words in removed.stderr for words in _GONE):
            raise RuntimeError(f"docker rm of {self.name}: {last_line(removed.stderr)}")
        failed = self._started.exception()
        self._started = None
        if failed is None and self._tidying is not None:
            self._tidying.cancel()
            self._tidying = None


async def _begun(client: Started) -> None:
    try:
        async with asyncio.timeout(_BEGINNING):
            await client.begun.wait()
    except TimeoutError:
        raise NotBegun(f"a command has not begun within {_BEGINNING} seconds") from None


async def _end(client: Started) -> None:
    """End a client whose container has been removed."""
    with suppress(TimeoutError):
        async with asyncio.timeout(_BEGINNING):
            await client.ended.wait()
    if not client.ended.is_set():
        client.kill()
        await client.ended.wait()
    client.close()


_BUILDING: dict[str, asyncio.Lock] = {}


async def image_of(spec: SandboxSpec, commands: Commands, built_images: set[str]) -> str:
    """Return the image to start. Trials of one task wait for each other's build, which is then cached.

    Args:
        spec: the sandbox's specification.
        commands: runs docker.
        built_images: receives the name of a built image, which the engine keeps for the next run.

    Raises:
        RuntimeError: the image can neither be found nor built.
    """
    if spec.image is not None:
        if (await commands.run(docker("image", "inspect", "--", spec.image))).code:
            pulled = await commands.run(docker("pull", "--quiet", "--", spec.image))
            if pulled.code:
                raise RuntimeError(f"docker pull of {spec.image}: {last_line(pulled.stderr)}")
        return spec.image
    tag = "parity-" + (re.sub(r"[^a-z0-9]+", "-", spec.task.lower()).strip("-") or "task")
    lock = _BUILDING.setdefault(tag, asyncio.Lock())
    async with lock:
        built = await commands.run(docker("build", "--quiet", "--tag", tag, "--", str(spec.folder)))
    if built.code:
        raise RuntimeError(f"docker build of {spec.folder}: {last_line(built.stderr)}")
    built_images.add(tag)
    # Another task may have the same tag; the image's id is unique.
    return built.stdout.strip().rpartition("\n")[2] or tag


def docker(*arguments: str, env: Mapping[str, str] | None = None, pass_fds: Sequence[int] = ()) -> Startable:
    """Return a callable that starts the docker command, with variables in addition to this process's own."""
    return partial(program, ("docker", *arguments), env={**os.environ, **(env or {})}, pass_fds=pass_fds)


def last_line(text: str) -> str:
    """Return the last line of docker's output, which has the error."""
    return text.strip().rpartition("\n")[2] or "no message"
