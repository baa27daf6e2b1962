"""A bridge to the Harbor task set in verifiers 0.2 and later: `HarborTask.score()`, and its record in the trace.

The bridge replaces the runtime with its own subclass of the release's base class: the commands that stage and run the
tests do nothing, and files in `/logs/verifier` are read from this machine. In 0.2, a score is one float, and the answer
is `{"reward": float}`. From 0.3 on, a score may be several named floats.
"""

import base64
import os
from pathlib import Path
from typing import Any

from tests.bridges.adapters.event_loop import run
from tests.bridges.adapters.sandbox import BridgeSandbox, Ended
from tests.bridges.adapters.task_directory import task_directory
from tests.bridges.adapters.third_party import named, quietly, third_party

_TASKSET = third_party("verifiers.v1.tasksets.harbor.taskset")
_TRACE = third_party("verifiers.v1.trace")
_PROBE, _HEAD = 'test -e "$1"', 'head -c "$1"'


class HarborTaskset:
    """A runner with one task for all cases, and a new runtime for each case."""

    def __init__(self) -> None:
        self.name = named("verifiers", "Harbor task set")
        data = _TASKSET.HarborData(idx=0, name="task", prompt="", task_dir=str(task_directory()))
        self._task = _TASKSET.HarborTask(data)

    def read_reward(self, directory: Path) -> dict[str, float]:
        """Return the rewards that `score()` records; their weights are 1."""
        sandbox = BridgeSandbox(directory)
        trace = _TRACE.Trace.model_construct(verifiers=None)
        with quietly():
            run(self._task.score(trace, _Runtime(sandbox)))
        return _recorded(trace.rewards)


def _recorded(rewards: dict[str, Any]) -> dict[str, float]:
    """Return recorded rewards as numbers. An unnamed score is recorded under its method's name, `solved`."""
    values = {name: getattr(reward, "value", reward) for name, reward in rewards.items()}
    return {"reward": values["solved"]} if values.keys() == {"solved"} else values


class _Runtime(_TASKSET.Runtime):  # type: ignore[misc, name-defined]
    """A runtime where the verifier has already run."""

    def __init__(self, sandbox: BridgeSandbox) -> None:
        super().__init__()
        self._sandbox = sandbox

    async def start(self) -> None:
        self._sandbox.check("start")

    async def run(self, argv: list[str], env: dict[str, str]) -> Ended:
        command = argv[2] if argv[:2] == ["sh", "-c"] else " ".join(argv)
        self._sandbox.check(command, "tar -xzf", "test.sh", _PROBE, _HEAD)
        if _PROBE in command:
            return Ended(0 if os.path.lexists(self._sandbox.place(argv[-1])) else 1)
        return self._head(int(argv[-2]), argv[-1]) if _HEAD in command else Ended()

    def _head(self, count: int, path: str) -> Ended:
        """Return what `head -c COUNT -- PATH | base64` would print. Python does it faster than four processes."""
        try:
            with self._sandbox.readable(path).open("rb") as file:
                return Ended(stdout=base64.b64encode(file.read(count)).decode())
        except OSError as error:
            return Ended(1, stderr=str(error))

    async def write(self, path: str, data: bytes) -> None:
        self._sandbox.check(f"write {path}", "/tmp/tests.tgz")

    async def read(self, path: str, max_bytes: int | None = None) -> bytes:
        if hasattr(super(), "_read"):
            content: bytes = await super().read(path, max_bytes=max_bytes)
            return content
        return await self._read(path)

    async def _read(self, path: str, max_bytes: int | None = None) -> bytes:
        self._sandbox.check(f"read {path}", "/logs/verifier/reward.")
        try:
            with self._sandbox.readable(path).open("rb") as file:
                return file.read(-1 if max_bytes is None else max_bytes)
        except OSError as error:
            raise _TASKSET.SandboxError(f"read {path!r}: {error}") from error
