"""The driver's interface to a sandbox: start it, stop it, run commands, and copy files in and out.

A trial's agent and verifier run in a sandbox. All programs in a sandbox are untrusted: the sandbox isolates them and
limits their output.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol, runtime_checkable

LOG_DIRECTORIES = frozenset({"agent", "artifacts", "verifier"})
"""Names of the directories in `/logs`, and in a trial's directory on the host."""

type User = str | int
"""A user's name or user id in the sandbox."""


@dataclass(frozen=True)
class Executed:
    """The result of a command that has ended."""

    code: int
    stdout: str = ""
    stderr: str = ""


@dataclass(frozen=True)
class SandboxSpec:
    """The specification from which a sandbox is made."""

    name: str
    """The trial's name, with a suffix for a separate verifier. Unique among all sandboxes on the machine."""

    task: str
    """The task's short name, which becomes a part of the name of the image that is built."""

    directory: Path
    """The directory from which the sandbox is built, usually the task's `environment/`. It may contain a Dockerfile."""

    image: str | None = None
    """The value of `docker_image` in task.toml."""

    network: bool = False
    users: frozenset[User] = frozenset()
    """The users as which commands will be run."""

    cpus: int | None = None
    memory_mb: int | None = None
    storage_mb: int | None = None
    mounts: Mapping[str, Path] = field(default_factory=dict)
    """The log directories in the sandbox, each with the directory on the host that a `MountedSandbox` mounts there."""

    def siblings(self, source: str, target: Path) -> frozenset[str]:
        """Return names of directories beside `target`, into which symlinks from `source` may lead.

        If `source` is a log directory that is copied to its place on the host, these are the names of all log
        directories, because a link between them would have the same target if they were mounted.
        """
        place = self.mounts.get(source)
        return LOG_DIRECTORIES if place is not None and place.parent == target.parent else frozenset()


class SandboxUnavailable(Exception):
    """This kind of sandbox cannot work on this machine. The message is one line with the reason and the remedy."""


class TransferError(Exception):
    """Files were not copied, for example because they are too many, too large or missing. The message is one line."""


class TooLargeError(TransferError):
    """The files are larger or more numerous than the host accepts. Some of them may have been copied."""


class Sandbox(Protocol):
    """One sandbox. An exception from any method is recorded as the trial's error, under its class name."""

    imitates_mounts: bool
    """Whether log directories are copied so that they contain the same files as mounted directories would."""

    driver_timeout: float
    """Timeout in seconds for the driver's own commands, which normally take almost no time; 0 for no timeout."""

    async def start(self) -> None:
        """Start the sandbox. The directories `/logs`, `/tests` and `/solution` may be missing."""

    async def stop(self) -> None:
        """Stop the sandbox and remove everything that belongs to it, even if it was not, or not completely, started."""

    async def exec(
        self,
        command: str,
        *,
        cwd: str | None = None,
        env: Mapping[str, str] | None = None,
        timeout: int | None = None,
        user: User | None = None,
    ) -> Executed:
        """Run a command in bash and wait for it to end. Its background processes keep running.

        Args:
            command: the bash command.
            cwd: the working directory; None for the sandbox's default.
            env: environment variables in addition to the sandbox's defaults.
            timeout: the timeout in seconds; None or 0 for no timeout.
            user: the user that runs the command; None for the sandbox's default user, usually root.

        Raises:
            RuntimeError: the command took longer than the timeout.
        """

    async def put(self, source: Path, target: str) -> None:
        """Copy a file to a path in the sandbox, or a directory's content into a directory there.

        The directory in the sandbox is created if it is missing.
        """

    async def get(self, source: str, target: Path, *, directory: bool, max_bytes: int | None = None) -> None:
        """Copy a file to a path on the host, or a directory's content into an existing directory there.

        Nothing is written outside the target. Devices, and symlinks that lead out of the target, are left out.

        Args:
            source: a path in the sandbox.
            target: a path on the host.
            directory: whether the source is a directory.
            max_bytes: the largest number of bytes to copy; None for the default limit.

        Raises:
            TooLargeError: the source is larger than the host accepts.
            TransferError: the source is missing.
        """


@runtime_checkable
class MountedSandbox(Sandbox, Protocol):
    """A sandbox that mounts its log directories from the host, so that they need not be copied."""

    async def prepare_logs(self) -> None:
        """Make the files in the mounted directories readable on the host."""


class Sandboxes(Protocol):
    """One kind of sandbox."""

    name: str
    """The value of `--sandbox` that selects this kind."""

    def preflight(self) -> None:
        """Check that this kind of sandbox can work on this machine.

        Raises:
            SandboxUnavailable: it cannot work.
        """

    def refusal(self, spec: SandboxSpec) -> str | None:
        """Return the reason why this kind of sandbox does not support a specification; None if it does.

        The reason is written so that it can follow the task's name, such as "needs RUN in environment/Dockerfile".
        """

    def make(self, spec: SandboxSpec) -> Sandbox:
        """Make a sandbox, but do not start it."""
