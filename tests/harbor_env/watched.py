"""Sandboxes that report each call, so that a test can make the call fail or cancel the rollout."""

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable, Mapping
from pathlib import Path

from parity.driver.sandbox import Executed, Sandbox, Sandboxes, SandboxSpec, User

type Watch = Callable[[str], Awaitable[None]]
"""Called before each call, with a string such as `exec 2` for a sandbox's third command; may raise to make it fail."""


class WatchedSandboxes:
    """A provider that wraps another one and watches its sandboxes."""

    def __init__(self, sandboxes: Sandboxes, watch: Watch | None = None) -> None:
        self.name = sandboxes.name
        self.watch, self._sandboxes = watch, sandboxes
        self.calls: list[str] = []
        """`start`, commands, and paths of uploads, of all sandboxes."""

        self.running: set[str] = set()
        """Names of sandboxes that are not stopped."""

    def preflight(self) -> None:
        self._sandboxes.preflight()

    def refusal(self, spec: SandboxSpec) -> str | None:
        return self._sandboxes.refusal(spec)

    def make(self, spec: SandboxSpec) -> Sandbox:
        return WatchedSandbox(self, self._sandboxes.make(spec), spec.name)

    async def until_asked(self, text: str) -> None:
        """Wait until a command or an upload's path contains the text."""
        while not any(text in call for call in self.calls):
            await asyncio.sleep(0.02)


class WatchedSandbox:
    """A watched sandbox. A failed stop still stops the wrapped sandbox, but a cancelled stop does not."""

    imitates_mounts = False
    driver_timeout = 0.0

    def __init__(self, kind: WatchedSandboxes, sandbox: Sandbox, name: str) -> None:
        self._kind, self._sandbox, self._name = kind, sandbox, name
        self._calls: Counter[str] = Counter()

    async def start(self) -> None:
        self._kind.running.add(self._name)
        await self._report("start", "start")
        await self._sandbox.start()

    async def stop(self) -> None:
        try:
            await self._report("stop")
        except Exception:
            await self._stop()
            raise
        await self._stop()

    async def exec(
        self,
        command: str,
        *,
        cwd: str | None = None,
        env: Mapping[str, str] | None = None,
        timeout: int | None = None,
        user: User | None = None,
    ) -> Executed:
        await self._report("exec", command)
        return await self._sandbox.exec(command, cwd=cwd, env=env, timeout=timeout, user=user)

    async def put(self, source: Path, target: str) -> None:
        await self._report("upload", target)
        await self._sandbox.put(source, target)

    async def get(self, source: str, target: Path, *, directory: bool, max_bytes: int | None = None) -> None:
        await self._report("download")
        await self._sandbox.get(source, target, directory=directory, max_bytes=max_bytes)

    async def _stop(self) -> None:
        await self._sandbox.stop()
        self._kind.running.discard(self._name)

    async def _report(self, call: str, *texts: str) -> None:
        self._kind.calls += texts
        number = self._calls[call]
        self._calls[call] += 1
        if self._kind.watch is not None:
            await self._kind.watch(f"{call} {number}")


def failing(call: str, error: Exception) -> Watch:
    """Return a watch that makes one call raise the error."""

    async def watch(begun: str) -> None:
        if begun == call:
            raise error

    return watch
