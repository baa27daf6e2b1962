"""What the driver asks of a sandbox: start, stop, run a command, and carry files in and out.

A sandbox is where one trial's agent and verifier work. Everything that happens inside it is untrusted: a sandbox
contains it, and bounds what comes out of it.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol, runtime_checkable

type User = str | int
"""A user's name or number inside the sandbox."""


@dataclass(frozen=True)
class Executed:
    """A command that has ended."""

    code: int
    stdout: str = ""
    stderr: str = ""


@dataclass(frozen=True)
class SandboxSpec:
    """What one sandbox is made for."""

    name: str
    """Unique among all sandboxes of the machine: the trial's name, and more for a verifier of its own."""

    task: str
    """The task's short name, for naming what is built for it."""

    folder: Path
    """The task's `environment/`, or what else the sandbox is built from; it may hold a Dockerfile."""

    image: str | None = None
    """`docker_image` of task.toml."""

    for_verifier: bool = False
    """Whether it is a verifier's own, which has to be built with the tests in it."""

    network: bool = False
    users: frozenset[User] = frozenset()
    """Users that commands will name."""

    cpus: int | None = None
    memory_mb: int | None = None
    storage_mb: int | None = None
    mounts: Mapping[str, Path] = field(default_factory=dict)
    """Its log folders, and the folders of the host that they are where the sandbox is a mounted one."""


class SandboxUnavailable(Exception):
    """This kind of sandbox cannot work here; one line that says what is missing and what to do."""


class TransferError(Exception):
    """Files that are not carried over: too many, too large, or none; one line that says which."""


class TooLargeError(TransferError):
    """More than the host takes. Some of it may have been carried over."""


class Sandbox(Protocol):
    """One sandbox. Whatever a method raises is recorded as the trial's error, by the name of its class."""

    copies_mounts: bool
    """Whether its log folders hold, before and after the tests, what they would if they were the host's."""

    own_timeout: float
    """Seconds for a command of the driver's own, which takes no time where nothing is wrong; 0 for any time."""

    async def start(self) -> None:
        """Start it. The folders `/logs`, `/tests` and `/solution` may be missing."""

    async def stop(self) -> None:
        """Stop it and remove all of it, also when it was started by half or not at all."""

    async def exec(
        self,
        command: str,
        *,
        cwd: str | None = None,
        env: Mapping[str, str] | None = None,
        timeout: int | None = None,
        user: User | None = None,
    ) -> Executed:
        """Run a command in bash and wait for it; what it leaves running goes on.

        Args:
            command: bash source.
            cwd: the working directory; None for the sandbox's own.
            env: variables beside the sandbox's own.
            timeout: seconds; None and 0 for any time.
            user: whom it runs as; None for the sandbox's own user, usually root.

        Raises:
            RuntimeError: it took longer than the timeout.
        """

    async def upload(self, source: Path, target: str) -> None:
        """Copy a file to a path, or what a folder holds into a folder, which is made if it is missing."""

    async def download(self, source: str, target: Path, *, directory: bool, room: int | None = None) -> None:
        """Copy a file to a path, or what a folder holds into a folder that exists.

        Nothing is written outside the target, links that lead out of it are left out, and nothing is a device.

        Args:
            source: a path inside.
            target: a path of the host.
            directory: whether the source is a folder.
            room: bytes that it may have at most; None for what any transfer may have.

        Raises:
            TooLargeError: it is more than the host takes.
            TransferError: it is missing.
        """


@runtime_checkable
class MountedSandbox(Sandbox, Protocol):
    """A sandbox whose log folders are folders of the host, so that nothing in them is ever carried over."""

    async def prepare_logs(self) -> None:
        """Let the host read what the sandbox's users have left in the mounted folders."""


class Sandboxes(Protocol):
    """One kind of sandbox."""

    name: str
    """As `--sandbox` spells it."""

    def preflight(self) -> None:
        """Check that the kind can work here.

        Raises:
            SandboxUnavailable: it cannot.
        """

    def refusal(self, spec: SandboxSpec) -> str | None:
        """What in a spec this kind does not support, in words to follow the task's name; None if it supports all."""

    def make(self, spec: SandboxSpec) -> Sandbox:
        """A sandbox that is not started yet."""
