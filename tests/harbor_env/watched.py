"""Sandboxes that announce each call, so that a test lets it fail, or cancels whoever waits for it."""

from collections import Counter
from collections.abc import Awaitable, Callable, Mapping
from pathlib import Path

from parity.driver.sandbox import Executed, Sandbox, Sandboxes, SandboxSpec, User

type Watch = Callable[[str], Awaitable[None]]
"""Called with each call that comes, `exec 2` for the third command of a sandbox; the call fails with what it raises."""


class WatchedSandboxes:
    """Sandboxes of another kind, watched."""

    def __init__(self, sandboxes: Sandboxes, watch: Watch) -> None:
        self.name = sandboxes.name
        self._sandboxes, self._watch = sandboxes, watch

    def preflight(self) -> None:
        self._sandboxes.preflight()

    def refusal(self, spec: SandboxSpec) -> str | None:
        return self._sandboxes.refusal(spec)

    def make(self, spec: SandboxSpec) -> Sandbox:
        return WatchedSandbox(self._sandboxes.make(spec), self._watch)


class WatchedSandbox:
    """One sandbox. It stops also where the call that stops it fails, but not where that is cancelled."""

    copies_mounts = False
    own_timeout = 0.0

    def __init__(self, sandbox: Sandbox, watch: Watch) -> None:
        self._sandbox, self._watch = sandbox, watch
        self._calls: Counter[str] = Counter()

    async def start(self) -> None:
        await self._report("start")
        await self._sandbox.start()

    async def stop(self) -> None:
        try:
            await self._report("stop")
        except Exception:
            await self._sandbox.stop()
            raise
        await self._sandbox.stop()

    async def exec(
        self,
        command: str,
        *,
        cwd: str | None = None,
        env: Mapping[str, str] | None = None,
        timeout: int | None = None,
        user: User | None = None,
    ) -> Executed:
        await self._report("exec")
        return await self._sandbox.exec(command, cwd=cwd, env=env, timeout=timeout, user=user)

    async def upload(self, source: Path, target: str) -> None:
        await self._report("upload")
        await self._sandbox.upload(source, target)

    async def download(self, source: str, target: Path, *, directory: bool, room: int | None = None) -> None:
        await self._report("download")
        await self._sandbox.download(source, target, directory=directory, room=room)

    async def _report(self, call: str) -> None:
        number = self._calls[call]
        self._calls[call] += 1
        await self._watch(f"{call} {number}")


def failing(call: str, error: Exception) -> Watch:
    """Lets one call fail."""

    async def watch(begun: str) -> None:
        if begun == call:
            raise error

    return watch
