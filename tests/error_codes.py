"""The reason codes of the installed wheel's errors. Each row is shown by raising the error, or by reading its source.

Errors of verification are raised here. The message of an error that needs a whole trial is taken from the wheel's
source, with an ellipsis for each value.
"""

import ast
import asyncio
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from parity.reference.consumer import DescribedConsumer
from parity.reference.wheel import Wheel
from parity.runners.asking import ask

ERROR_MODULES = (
    "harbor.verifier.verifier",
    "harbor.trial.errors",
    "harbor.environments.base",
    "harbor.agents.installed.base",
)
"""Modules of the wheel whose exceptions concern a trial and its verification."""

_TRIAL = "jobs/j/hello-world__x"
_UNLUCKY_TRIAL = "jobs/j/missing-files__x"


@dataclass(frozen=True)
class ErrorRow:
    """One error, its message, and the codes that it gets."""

    kind: str
    cause: str
    message: str

    @property
    def code(self) -> str | None:
        """Return the code of the message."""
        return DescribedConsumer().reason_code(self.message)

    @property
    def code_with_type(self) -> str | None:
        """Return the code of the message after the error's type, as at the end of a traceback."""
        return DescribedConsumer().reason_code(f"{self.kind}: {self.message}")


def error_rows(wheel: Wheel) -> list[ErrorRow]:
    """Return all errors, those of verification first."""
    return [*_reward_errors(wheel), *_environment_errors(), *_errors_in_source()]


def error_codes_table(wheel: Wheel) -> list[str]:
    """Return a table in Markdown: error, cause, message, code of the message, code of the message after the type."""
    return [
        f"| `{row.kind}` | {row.cause} | {_shortened(row.message)} | {_cell(row.code)} | {_cell(row.code_with_type)} |"
        for row in error_rows(wheel)
    ]


def _cell(code: str | None) -> str:
    return f"`{code}`" if code else "none"


def _shortened(message: str) -> str:
    line = " ".join(message.split())
    return f"`{line}`" if len(line) <= 150 else f"`{line[:150]}…`"


def _reward_errors(wheel: Wheel) -> Iterator[ErrorRow]:
    """Yield errors of reading rewards, raised by the wheel's verifier in a trial's folder."""
    yield _raised(wheel, "no reward file", _TRIAL)
    yield _raised(wheel, "no reward file, of a task named `missing-files`", _UNLUCKY_TRIAL)
    for name, content, cause in [
        ("reward.txt", b"", "reward.txt of zero bytes"),
        ("reward.json", b"", "reward.json of zero bytes"),
        ("reward.txt", b"pass", "`pass` in reward.txt"),
        ("reward.txt", b"\xff", "undecodable reward.txt"),
        ("reward.json", b"{", "`{` in reward.json"),
        ("reward.json", b'{"reward": "x"}', '`{"reward": "x"}`'),
        ("reward.json", b'{"reward": null}', '`{"reward": null}`'),
        ("reward.json", b"[1]", "`[1]` in reward.json"),
    ]:
        yield _raised(wheel, cause, _TRIAL, partial(_write, content), name)
    yield _raised(wheel, "a directory named reward.json", _TRIAL, Path.mkdir, "reward.json")
    yield _raised(
        wheel, "an empty reward.txt, of a task named `missing-files`", _UNLUCKY_TRIAL, Path.touch, "reward.txt"
    )


def _write(content: bytes, path: Path) -> None:
    path.write_bytes(content)


def _raised(
    wheel: Wheel, cause: str, trial: str, leave: Callable[[Path], object] | None = None, name: str = ""
) -> ErrorRow:
    with tempfile.TemporaryDirectory() as home:
        folder = Path(home) / trial / "verifier"
        folder.mkdir(parents=True)
        if leave:
            leave(folder / name)
        fault: Any = ask(wheel, "read_reward", (folder,))
        return ErrorRow(fault.kind, cause, fault.message.replace(f"{home}/", ""))


def _environment_errors() -> Iterator[ErrorRow]:
    """Yield errors of moving files into the environment and out of it, raised by the wheel's verifier."""
    yield _failing("uploading the tests fails", "upload_dir")
    yield _failing("downloading the verifier's folder fails", "download_dir")


def _failing(cause: str, method: str) -> ErrorRow:
    from harbor.environments.capabilities import EnvironmentCapabilities
    from harbor.models.task.config import TaskOS
    from harbor.models.task.task import Task
    from harbor.models.trial.paths import TrialPaths
    from harbor.verifier.verifier import Verifier

    class Environment:
        os = TaskOS.LINUX
        capabilities = EnvironmentCapabilities(mounted=False)

        def __getattr__(self, name: str) -> Callable[..., Any]:
            return partial(self.do, name)

        async def do(self, name: str, *_: object, **__: object) -> None:
            if name == method:
                raise OSError("broken")

    with tempfile.TemporaryDirectory() as home:
        task = Path(home)
        for file in ("tests/test.sh", "environment/Dockerfile", "instruction.md"):
            (task / file).parent.mkdir(exist_ok=True)
            (task / file).touch()
        (task / "task.toml").write_text('version = "1.0"\n')
        verifier = Verifier(Task(task), TrialPaths(task / "trial"), Environment())
        try:
            asyncio.run(verifier.verify())
        except Exception as error:
            return ErrorRow(type(error).__name__, cause, str(error))
    raise AssertionError("the verifier did not fail")


_IN_SOURCE = [
    ("harbor.trial.single_step", "VerifierTimeoutError", "the tests take too long"),
    ("harbor.trial.trial", "AgentTimeoutError", "the agent takes too long"),
    ("harbor.trial.trial", "AgentSetupTimeoutError", "setting the agent up takes too long"),
    ("harbor.trial.trial", "EnvironmentStartTimeoutError", "starting the environment takes too long"),
    ("harbor.environments.base", "HealthcheckError", "the environment stays unhealthy"),
    ("harbor.environments.daytona.snapshots", "SandboxBuildFailedError", "a sandbox cannot be built"),
    ("harbor.agents.installed.base", "NonZeroAgentExitCodeError", "a command of the agent fails"),
]


def _errors_in_source() -> Iterator[ErrorRow]:
    for module, kind, cause in _IN_SOURCE:
        yield ErrorRow(kind, cause, _message_in_source(module, kind))


def _tree(module: str) -> ast.Module:
    spec = find_spec(module)
    if spec is None or spec.origin is None:
        raise AssertionError(f"the wheel has no {module}")
    return ast.parse(Path(spec.origin).read_text(encoding="utf-8"))


def _message_in_source(module: str, kind: str) -> str:
    """Return the message of the first `raise kind(message)`."""
    for node in ast.walk(_tree(module)):
        match node:
            case ast.Raise(exc=ast.Call(func=ast.Name(id=name), args=[message, *_])) if name == kind:
                parts = message.values if isinstance(message, ast.JoinedStr) else [message]
                return "".join(str(part.value) if isinstance(part, ast.Constant) else "…" for part in parts)
    raise AssertionError(f"{module} does not raise {kind}")


def exceptions_of_the_wheel() -> set[str]:
    """Return the names of all exceptions that `ERROR_MODULES` define."""
    return {
        node.name
        for module in ERROR_MODULES
        for node in ast.walk(_tree(module))
        if isinstance(node, ast.ClassDef) and node.name.endswith("Error")
    }
