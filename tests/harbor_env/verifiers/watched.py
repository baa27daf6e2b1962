"""Local sandboxes that record what is asked of them, and fail where a test wants it."""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from parity.driver.sandbox import Executed, Sandbox, SandboxSpec
from parity.driver.sandboxes.local import LocalSandboxes


@dataclass
class Watched:
    """A kind of sandbox: local ones, watched."""

    fails: str | None = None
    """What fails: `start`, or the upload to a path."""

    slow_start: bool = False
    """Whether the start takes a second more."""

    asked: list[str] = field(default_factory=list)
    """Commands, and paths of uploads."""

    running: set[str] = field(default_factory=set)
    """Names of sandboxes that are not stopped."""

    name: str = "watched"

    def preflight(self) -> None:
        LocalSandboxes().preflight()

    def refusal(self, spec: SandboxSpec) -> str | None:
        return LocalSandboxes().refusal(spec)

    def make(self, spec: SandboxSpec) -> Sandbox:
        return _WatchedSandbox(self, LocalSandboxes().make(spec), spec.name)

    async def until_asked(self, text: str) -> None:
        """Wait for a command or a path that has a text in it."""
        while not any(text in asked for asked in self.asked):
            await asyncio.sleep(0.02)


@dataclass
class _WatchedSandbox:
    kind: Watched
    sandbox: Sandbox
    name: str
    copies_mounts: bool = False
    own_timeout: float = 0.0

    async def start(self) -> None:
        self.kind.running.add(self.name)
        self.kind.asked.append("start")
        if self.kind.fails == "start":
            raise OSError("no room for a sandbox")
        await self.sandbox.start()
        if self.kind.slow_start:
            await asyncio.sleep(1)

    async def stop(self) -> None:
        await self.sandbox.stop()
        self.kind.running.discard(self.name)

    async def exec(self, command: str, *, env: Mapping[str, str] | None = None, **options: Any) -> Executed:
        self.kind.asked.append(command)
        return await self.sandbox.exec(command, env=env, **options)

    async def upload(self, source: Path, target: str) -> None:
        self.kind.asked.append(target)
        if self.kind.fails == target:
            raise OSError("the line is cut")
        await self.sandbox.upload(source, target)

    async def download(self, source: str, target: Path, *, directory: bool, room: int | None = None) -> None:
        await self.sandbox.download(source, target, directory=directory, room=room)
