"""Sandboxes in memory that record every call, and follow a script that can make calls fail.

No command is executed. The script defines effects on calls, and the files that the agent and the tests leave.
"""

import asyncio
import builtins
import os
import shlex
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from parity.driver.sandbox import Executed, SandboxSpec
from parity.operations.scenarios.places import LOGS_OF_AGENT, LOGS_OF_ARTIFACTS, LOGS_OF_VERIFIER, TEST_OUTPUT
from parity.operations.scenarios.scripted_archive import packed

type Call = dict[str, object]
"""One recorded call."""

_VERIFIER = "__verifier__"


@dataclass(frozen=True)
class Effect:
    """The effect of the script on one call."""

    kind: Literal["raise", "exit", "print", "wait", "cancel"]
    text: str = ""
    """The class of the error that the call raises, or the text that the command prints."""

    number: int = 0
    """The exit code, or the seconds that the call takes."""


@dataclass(frozen=True)
class Script:
    """The course of one run of a trial. Calls count from 0, those of a verifier's own sandbox included."""

    effects: Mapping[int, Effect] = field(default_factory=dict)
    agent: Sequence[Mapping[str, str]] = ()
    """The files that the agent leaves in each of its runs: contents by absolute path."""

    tests: Sequence[Mapping[str, str]] = ()
    """The files that the tests leave in each of their runs: contents by absolute path."""


class TransferError(Exception):
    """A file or directory to copy does not exist."""


class CallLog:
    """The calls that one run of a trial makes."""

    def __init__(self, script: Script, roots: Mapping[str, Path]) -> None:
        """Begin an empty log.

        Args:
            script: the course of the run.
            roots: directories on the host, by the names that replace their paths in the log.
        """
        self.calls: list[Call] = []
        self._effects, self._roots = script.effects, {name: str(root) for name, root in roots.items()}
        self._agent, self._tests = iter(script.agent), iter(script.tests)

    def note(self, call: Call) -> Effect | None:
        """Record a call, and return the effect that the script has on the call, if any."""
        self.calls.append({**call, "at": asyncio.get_running_loop().time()})
        return self._effects.get(len(self.calls) - 1)

    def left_behind(self, output: str) -> Mapping[str, str]:
        """Return the files that the next run leaves. It is a run of the tests if `output` is their output file.

        Otherwise, it is a run of the agent.
        """
        runs: Iterator[Mapping[str, str]] = self._tests if output == TEST_OUTPUT else self._agent
        return {output: "", **next(runs, {})}

    def shown_path(self, path: Path) -> str:
        """Return a path on the host, with the path of its root directory replaced by the directory's name.

        Each driver has its own place for temporary files: below a hidden directory, or outside the roots.
        """
        text = str(path)
        for name, root in self._roots.items():
            if text.startswith(f"{root}/."):
                return "elsewhere"
            if text == root or text.startswith(f"{root}/"):
                return f"{name}:{text[len(root) + 1 :] or '.'}"
        return "elsewhere"


class ScriptedSandboxes:
    """A sandbox provider whose sandboxes record their calls."""

    name = "scripted"

    def __init__(
        self,
        script: Callable[[str, int], Script],
        roots: Callable[[str], Mapping[str, Path]],
        kind: "type[ScriptedSandbox] | None" = None,
    ) -> None:
        """Create a provider without logs.

        Args:
            script: returns the script for a run, given the trial's name and the number of the run, which counts from 0.
            roots: returns directories on the host by name, given the trial's name.
            kind: the class of the sandboxes; by default, `ScriptedSandbox`.
        """
        self.runs: dict[str, list[CallLog]] = {}
        self._script, self._roots, self._kind = script, roots, kind or ScriptedSandbox

    def preflight(self) -> None:
        pass

    def refusal(self, spec: SandboxSpec) -> str | None:
        return None

    def make(self, spec: SandboxSpec) -> "ScriptedSandbox":
        """Create a sandbox for a trial. A sandbox for the trial's agent begins a new run of the trial."""
        trial, separator, _ = spec.name.partition(_VERIFIER)
        runs = self.runs.setdefault(trial, [])
        if not separator:
            runs.append(CallLog(self._script(trial, len(runs)), self._roots(trial)))
        return self._kind(runs[-1], spec, "trial" + spec.name.removeprefix(trial))


class ScriptedSandbox:
    """One sandbox in a run of a trial."""

    imitates_mounts = False
    driver_timeout = 0.0

    def __init__(self, log: CallLog, spec: SandboxSpec, name: str) -> None:
        self._log, self._spec, self._name = log, spec, name
        self._files: dict[str, str] = {}
        self._archives: dict[str, bytes] = {}
        self._directories = {LOGS_OF_VERIFIER, LOGS_OF_AGENT, LOGS_OF_ARTIFACTS, "/app"}

    async def start(self) -> None:
        await self._go("start", self._spec_call())

    def _spec_call(self) -> Call:
        spec = self._spec
        return {
            "image": spec.image,
            "folder": self._log.shown_path(spec.directory),
            "network": spec.network,
            "resources": [spec.cpus, spec.memory_mb, spec.storage_mb],
        }

    async def stop(self) -> None:
        await self._go("stop")

    async def exec(
        self,
        command: str,
        *,
        cwd: str | None = None,
        env: Mapping[str, str] | None = None,
        timeout: int | None = None,
        user: str | int | None = None,
    ) -> Executed:
        """Record the command, and return the result that the script defines."""
        members: Call = {"command": command, "cwd": cwd, "env": dict(env or {}), "timeout": timeout, "user": user}
        effect = await self._go("exec", members)
        code, printed = 0, "/app\n" if command == "pwd" else ""
        if command.startswith("if [ -L "):
            self._empty(_first_word(command[8:]))
        elif command.startswith("test -d "):
            code = int(not self._is_directory(_first_word(command[8:])))
        elif command.endswith(" 2>&1"):
            output = command.removesuffix(" 2>&1").rpartition("> ")[2]
            self._files |= self._log.left_behind(_first_word(output))
        elif command.startswith("tar czf ") and (effect is None or effect.kind != "exit"):
            archive, content = packed(command, self._files)
            self._archives[archive] = content
        if effect is not None and effect.kind == "print":
            printed = effect.text
        elif effect is not None and effect.kind == "exit":
            code = effect.number
        return Executed(code, printed, "")

    async def put(self, source: Path, target: str) -> None:
        members: Call = {
            "source": self._log.shown_path(source),
            "target": target,
            "files": sorted(_files_below(source)),
        }
        await self._go("upload", members)

    async def get(self, source: str, target: Path, *, directory: bool, max_bytes: int | None = None) -> None:
        """Copy files that the agent or the tests left.

        Raises:
            TransferError: the file or directory does not exist.
        """
        members: Call = {"source": source, "target": self._log.shown_path(target), "directory": directory}
        await self._go("download", members)
        if not directory:
            if source in self._archives:
                target.write_bytes(self._archives[source])
            elif source in self._files:
                target.write_bytes(_encoded(self._files[source]))
            else:
                raise TransferError(f"there is no file {source}")
            return
        if not self._is_directory(source):
            raise TransferError(f"there is no directory {source}")
        within = f"{source.rstrip('/')}/"
        for path, content in self._files.items():
            if path.startswith(within):
                place = target / path.removeprefix(within)
                place.parent.mkdir(parents=True, exist_ok=True)
                place.write_bytes(_encoded(content))

    def _is_directory(self, path: str) -> bool:
        plain = path.rstrip("/")
        return not plain or plain in self._directories or any(file.startswith(f"{plain}/") for file in self._files)

    def _empty(self, directory: str) -> None:
        within = f"{directory.rstrip('/')}/"
        self._files = {path: text for path, text in self._files.items() if not path.startswith(within)}

    async def _go(self, kind: str, members: Call | None = None) -> Effect | None:
        """Record a call, and apply the effect that the script has on the call.

        Raises:
            RuntimeError: the call takes longer than its timeout.
            Exception: the script makes the call raise this exception.
            asyncio.CancelledError: the script cancels the running task.
        """
        effect = self._log.note({"call": kind, "sandbox": self._name, **(members or {})})
        if effect is None:
            return None
        if effect.kind == "raise":
            raise exception_named(effect.text)
        if effect.kind == "cancel":
            task = asyncio.current_task()
            assert task is not None
            task.cancel()
            await asyncio.sleep(0)
        if effect.kind == "wait":
            await self._wait(effect.number, (members or {}).get("timeout"))
        return effect

    @staticmethod
    async def _wait(seconds: int, limit: object) -> None:
        if isinstance(limit, int) and 0 < limit < seconds:
            await asyncio.sleep(limit)
            raise RuntimeError(f"Command timed out after {limit} seconds")
        await asyncio.sleep(seconds)


def _encoded(content: str) -> bytes:
    """Encode the content of a file. Lone surrogates represent undecodable bytes."""
    return content.encode(errors="surrogateescape")


def _first_word(command: str) -> str:
    """Return the first word of shell source, unquoted."""
    if not command.startswith("'"):
        return command.partition(" ")[0]
    return next(shlex.shlex(command, posix=True, punctuation_chars=False))


def _files_below(directory: Path) -> Iterator[str]:
    """Yield the paths of all files below a directory, relative to it."""
    for parent, _, names in os.walk(directory):
        below = parent[len(str(directory)) + 1 :]
        yield from (f"{below}/{name}" if below else name for name in names)


def exception_named(name: str) -> BaseException:
    """Create an exception whose class has this name: a built-in class if there is one, else a new class.

    SystemExit and KeyboardInterrupt are the only supported classes that do not inherit from `Exception`.
    """
    builtin = getattr(builtins, name, None)
    if isinstance(builtin, type) and issubclass(builtin, Exception | SystemExit | KeyboardInterrupt):
        return builtin(f"{name} on purpose")
    error_class: type[Exception] = type(name, (Exception,), {})
    return error_class(f"{name} on purpose")
