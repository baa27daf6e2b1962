"""The driver's interface to a sandbox: start it, stop it, run commands, and copy files in and out.

The agent and the verifier of one trial work in a sandbox. All programs inside are untrusted: the sandbox isolates them
and limits their output.
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
    """The specification of one sandbox."""

    name: str
    """Unique among all sandboxes of the machine: the trial's name, with a suffix for a separate verifier."""

    task: str
    """The task's short name, from which the name of its image is made."""

    directory: Path
    """The directory that the sandbox is built from, mostly the task's `environment/`. It may hold a Dockerfile."""

    image: str | None = None
    """`docker_image` of task.toml."""

    network: bool = False
    users: frozenset[User] = frozenset()
    """Users that commands will name."""

    cpus: int | None = None
    memory_mb: int | None = None
    storage_mb: int | None = None
    mounts: Mapping[str, Path] = field(default_factory=dict)
    """The sandbox's log directories, each with the host's directory that a mounted sandbox has in its place."""


class SandboxUnavailable(Exception):
    """This kind of sandbox cannot work here. The message is one line: what is missing and what to do."""


class TransferError(Exception):
    """Files were not copied: too many, too large, or missing. The message is one line."""


class TooLargeError(TransferError):
    """A transfer of more than the host accepts. A part may have been copied."""


class Sandbox(Protocol):
    """One sandbox. An error of any method is recorded as the trial's error, by its class name."""

    imitates_mounts: bool
    """Whether log directories are copied so that they hold the same files as mounted ones."""

    driver_timeout: float
    """Seconds for a command of the driver, which normally takes no time; 0 for any time."""

    async def start(self) -> None:
        """Start the sandbox. The directories `/logs`, `/tests` and `/solution` may be missing."""

    async def stop(self) -> None:
        """Stop the sandbox and remove all of it, even if it was only half started or not at all."""

    async def exec(
        self,
        command: str,
        *,
        cwd: str | None = None,
        env: Mapping[str, str] | None = None,
        timeout: int | None = None,
        user: User | None = None,
    ) -> Executed:
        """Run a command in bash and wait for it. Its background processes keep running.

        Args:
            command: bash source.
            cwd: the working directory; None for the sandbox's own.
            env: variables in addition to the sandbox's own.
            timeout: seconds; None and 0 for any time.
            user: the user that runs it; None for the sandbox's own user, usually root.

        Raises:
            RuntimeError: the command took longer than the timeout.
        """

    async def put(self, source: Path, target: str) -> None:
        """Copy a file to a path, or a directory's content into a directory, which is made if it is missing."""

    async def get(self, source: str, target: Path, *, directory: bool, max_bytes: int | None = None) -> None:
        """Copy a file to a path, or a directory's content into a directory that exists.

        Nothing is written outside the target. Links that lead out of it and devices are left out.

        Args:
            source: a path inside.
            target: a path of the host.
            directory: whether the source is a directory.
            max_bytes: the most bytes to copy; None for the limit of any transfer.

        Raises:
            TooLargeError: the source is larger than the host accepts.
            TransferError: the source is missing.
        """


@runtime_checkable
class MountedSandbox(Sandbox, Protocol):
    """A sandbox with log directories mounted from the host, which need no copying."""

    async def prepare_logs(self) -> None:
        """Make the files in the mounted directories readable for the host."""


class Sandboxes(Protocol):
    """One kind of sandbox."""

    name: str
    """The name for `--sandbox`."""

    def preflight(self) -> None:
        """Check that the kind can work here.

        Raises:
            SandboxUnavailable: the kind cannot work here.
        """

    def refusal(self, spec: SandboxSpec) -> str | None:
        """Return the features of a spec that this kind does not support, as words to follow the task's name; None if it
        supports all.
        """

    def make(self, spec: SandboxSpec) -> Sandbox:
        """Make a sandbox without starting it."""
