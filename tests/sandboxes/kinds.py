"""The kinds of sandbox under test, and functions that inspect the host."""

import asyncio
import os
import subprocess
import sys
import time
import uuid
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

from parity.driver.sandbox import Executed, Sandbox, Sandboxes, SandboxSpec, SandboxUnavailable
from parity.driver.sandboxes.bubblewrap import LocalSandboxes
from parity.driver.sandboxes.container import DockerSandboxes

KINDS: dict[str, Callable[[], Sandboxes]] = {"local": LocalSandboxes, "docker": DockerSandboxes}
IMAGE = os.environ.get("PARITY_DOCKER_IMAGE", "debian:stable-slim")


@cache
def unavailable(name: str) -> str | None:
    """Return the reason why a kind is not available on this host, or None if it is available."""
    try:
        KINDS[name]().preflight()
    except SandboxUnavailable as error:
        return str(error)
    if name == "docker":
        # The image is not pulled, because tests must not need a network.
        inspected = subprocess.run(["docker", "image", "inspect", IMAGE], capture_output=True, check=False)
        if inspected.returncode:
            return f"the engine has no image {IMAGE}: docker pull it, or name another in PARITY_DOCKER_IMAGE"
    return None


@dataclass(frozen=True)
class Kind:
    """A kind of sandbox that is available on this host."""

    sandboxes: Sandboxes
    directory: Path
    """An empty directory that serves as the task's `environment/`."""

    @property
    def name(self) -> str:
        """Return the kind's value for `--sandbox`."""
        return self.sandboxes.name

    @property
    def spec(self) -> SandboxSpec:
        """Return a new specification with small limits."""
        image = IMAGE if self.name == "docker" else None
        name = f"trial-{uuid.uuid4().hex[:8]}"
        return SandboxSpec(name, "contract", self.directory, image, users=frozenset({"nobody", 1234}), storage_mb=64)

    def make(self, **changes: object) -> Sandbox:
        """Return a new sandbox that has not been started."""
        return self.sandboxes.make(replace(self.spec, **changes))  # type: ignore[arg-type]

    @asynccontextmanager
    async def started(self, **changes: object) -> AsyncIterator[Sandbox]:
        """Yield a running sandbox, and stop the sandbox at the end."""
        sandbox = self.make(**changes)
        try:
            await sandbox.start()
            yield sandbox
        finally:
            await sandbox.stop()

    def run[T](self, work: Callable[[Sandbox], Awaitable[T]], **changes: object) -> T:
        """Call the function with a new sandbox, and return its result."""

        async def run() -> T:
            async with self.started(**changes) as sandbox:
                return await work(sandbox)

        return asyncio.run(run())

    def executed(self, command: str, **options: object) -> Executed:
        """Run a command in a new sandbox, and return its result; the options are those of `exec`."""
        return self.run(lambda sandbox: sandbox.exec(command, **{"timeout": 600, **options}))  # type: ignore[arg-type]


def marker() -> str:
    """Return a unique number of seconds for `sleep`, by which its processes are found on the host."""
    return f"3600.{uuid.uuid4().int % 10**12:012}"


def processes(mark: str) -> int:
    """Return the number of processes on the host whose command line has the marker."""
    number = 0
    for directory in Path("/proc").glob("[0-9]*"):
        try:
            number += mark.encode() in (directory / "cmdline").read_bytes().split(b"\0")
        except OSError:
            continue
    return number


_RUN = """
import asyncio, sys
from pathlib import Path
from tests.sandboxes.kinds import KINDS, Kind

async def run():
    kind = Kind(KINDS[sys.argv[1]](), Path(sys.argv[2]))
    async with kind.started(name=sys.argv[3], memory_mb=64) as sandbox:
        for command in sys.argv[4:]:
            try:
                await sandbox.exec(command, timeout=2)
            except RuntimeError:
                pass
        print("ready", flush=True)
        await sandbox.exec("sleep 3600")

asyncio.run(run())
"""


@contextmanager
def running(kind: Kind, name: str, *commands: str) -> Iterator["subprocess.Popen[str]"]:
    """Yield a process that runs the commands in a sandbox with this name, prints a line, and keeps running."""
    command = [sys.executable, "-c", _RUN, kind.name, str(kind.directory), name, *commands]
    checkout = Path(__file__).parents[2]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=checkout, start_new_session=True) as run:
        try:
            yield run
        finally:
            run.kill()


def containers(name: str) -> list[str]:
    """Return the names of all containers, running or not, whose name contains this one."""
    command = ["docker", "ps", "--all", "--filter", f"name={name}", "--format", "{{.Names}}"]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.split()


def comes_true(condition: Callable[[], bool], seconds: float = 600) -> bool:
    """Return whether the condition becomes true within the time limit."""
    end = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > end:
            return False
        time.sleep(0.05)
    return True
