"""Sandboxes that only record their calls."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from parity.driver.sandbox import Executed, Sandbox, SandboxSpec, User


class FakeSandboxes:
    """A provider of sandboxes with a common list of calls, which refuses tasks with a certain image."""

    name = "fake"

    def __init__(self) -> None:
        self.specs: list[SandboxSpec] = []
        self.calls: list[tuple[Any, ...]] = []
        self.preflights = 0

    def preflight(self) -> None:
        self.preflights += 1

    def refusal(self, spec: SandboxSpec) -> str | None:
        return "needs another image" if spec.image == "refused" else None

    def make(self, spec: SandboxSpec) -> Sandbox:
        self.specs.append(spec)
        return FakeSandbox(self.calls)


class FakeSandbox:
    """A sandbox that records every call with all arguments."""

    imitates_mounts = False
    driver_timeout = 0.0

    def __init__(self, calls: list[tuple[Any, ...]]) -> None:
        self._calls = calls

    async def start(self) -> None:
        self._calls.append(("start",))

    async def stop(self) -> None:
        self._calls.append(("stop",))

    async def exec(
        self,
        command: str,
        *,
        cwd: str | None = None,
        env: Mapping[str, str] | None = None,
        timeout: int | None = None,
        user: User | None = None,
    ) -> Executed:
        self._calls.append(("exec", command, cwd, env, timeout, user))
        return Executed(0, "/app\n", "warning")

    async def put(self, source: Path, target: str) -> None:
        self._calls.append(("upload", source.name, target))

    async def get(self, source: str, target: Path, *, directory: bool, max_bytes: int | None = None) -> None:
        self._calls.append(("download", source, target.name, directory))
