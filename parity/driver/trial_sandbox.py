"""A trial's sandbox: a sandbox with a default user, and the task's environment variables and working directory.

Rules: `run-trial/*`.
"""

import asyncio
import os
import posixpath
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from parity.driver import shell_commands
from parity.driver.errors import HealthcheckError
from parity.driver.reward_limits import REWARD_BYTES
from parity.driver.sandbox import Executed, Sandbox, SandboxSpec, User
from parity.driver.sandboxes.tar_members import LIMITS
from parity.driver.threads import blocking, in_thread
from parity.formats.task import EnvironmentConfig, Healthcheck

_SCRIPT_IN_TIMEOUTS = 30
"""The timeout for a task's script, as a multiple of the timeout for the driver's own commands."""

_LEAST = 4096
"""The smallest size in bytes that is assumed for a file or directory, because each takes up a block on the disk."""


@blocking
def remaining_bytes(directory: Path, replaced: Path | None = None) -> int:
    """Return the number of bytes that may still be copied into a trial's directory; 0 if it is full.

    Args:
        directory: the trial's directory.
        replaced: a directory in it that does not count, because what is copied replaces its content.
    """
    left = LIMITS.size
    directories = [str(directory)]
    while directories:
        with os.scandir(directories.pop()) as entries:
            for entry in entries:
                left -= max(_LEAST, entry.stat(follow_symlinks=False).st_size)
                if left <= 0:
                    return 0
                if entry.is_dir(follow_symlinks=False) and entry.path != str(replaced):
                    directories.append(entry.path)
    return left


class TrialSandbox:
    """The sandbox that agents, verifiers and artifacts use."""

    def __init__(
        self,
        sandbox: Sandbox,
        config: EnvironmentConfig,
        env: Mapping[str, str],
        spec: SandboxSpec,
        trial_directory: Path,
    ) -> None:
        """Wrap a sandbox that has not been started.

        Args:
            sandbox: the sandbox.
            config: the sandbox's settings in task.toml.
            env: environment variables for every command.
            spec: the specification from which the sandbox was made.
            trial_directory: the trial's directory on the host, which limits the size of all downloads together.
        """
        self.wrapped = sandbox
        """The sandbox without the trial's default user, environment variables and working directory."""

        self.trial_directory = trial_directory
        self._config, self._env, self._spec = config, dict(env), spec
        self._user: User | None = None

    @property
    def script_timeout(self) -> int | None:
        """Timeout in seconds for a task's script that has no timeout in Harbor; None for no timeout.

        Without a timeout, a background process from the previous step could keep the script from ending.
        """
        return round(self.wrapped.driver_timeout) * _SCRIPT_IN_TIMEOUTS or None

    async def start(self) -> None:
        """Start the sandbox, make its log directories, and upload `environment/` if no image is built from it."""
        await self.wrapped.start()
        # Rule: run-trial/working-directory
        # The command does not run in the working directory, which may not exist before the next upload.
        command = shell_commands.ensure_directories(self._spec.mounts)
        await self.wrapped.exec(command, cwd="/", env=self._env, user="root")
        # Rule: run-trial/image-files
        if self._config.docker_image and _holds_plain_files(self._spec.directory):
            await self.put(self._spec.directory, self._config.workdir or await self.working_directory())

    async def stop(self) -> None:
        await self.wrapped.stop()

    @contextmanager
    def as_user(self, user: User | None) -> Iterator[None]:
        """In the `with` block, run commands as this user by default."""
        before, self._user = self._user, user
        try:
            yield
        finally:
            self._user = before

    async def exec(
        self,
        command: str,
        *,
        cwd: str | None = None,
        env: Mapping[str, str] | None = None,
        timeout: int | None = None,
        user: User | None = None,
    ) -> Executed:
        """Run a command, by default in the task's working directory. Variables in `env` override the sandbox's."""
        return await self.wrapped.exec(
            command,
            # Rule: run-trial/working-directory
            cwd=cwd or self._config.workdir or None,
            # Rule: run-trial/task-variables
            env={**self._env, **(env or {})},
            timeout=timeout,
            user=self._user if user is None else user,
        )

    async def put(self, source: Path, target: str) -> None:
        """Copy a file or a directory's content into the sandbox.

        Raises:
            RuntimeError: the directory that contains the target does not exist. Harbor's Docker copies nothing there.
        """
        parent = posixpath.dirname(posixpath.join("/", target.rstrip("/")))
        # Only where Harbor would use Docker: other environments make the directory.
        is_checked = self.wrapped.imitates_mounts and parent not in ("/", "/logs")
        if is_checked and (await self._exec_own(shell_commands.is_directory(parent), cwd="/", user="root")).code:
            raise RuntimeError(f"nothing can be copied to {target}: there is no directory {parent}")
        await self.wrapped.put(source, target)

    async def get(self, source: str, target: Path, *, directory: bool = True, replaced: Path | None = None) -> None:
        """Copy a file or a directory's content to the host. The content of `replaced` does not count for the limit."""
        max_bytes = await self.remaining_bytes(replaced)
        await self.wrapped.get(source, target, directory=directory, max_bytes=max_bytes)

    async def remaining_bytes(self, replaced: Path | None = None) -> int:
        """Return the number of bytes that may still be downloaded; see the function `remaining_bytes`."""
        return await in_thread(remaining_bytes, self.trial_directory, replaced)

    async def download_reward(self, source: str, target: Path) -> None:
        """Download a reward file if it exists, even if no more bytes may be downloaded to the trial's directory.

        Raises:
            TransferError: the reward file is too large, or not a file.
        """
        if (await self._exec_own(shell_commands.exists(source), user="root")).code == 0:
            await self.wrapped.get(source, target, directory=False, max_bytes=REWARD_BYTES)

    async def working_directory(self) -> str:
        """Return the working directory for commands."""
        # Rule: run-trial/asked-working-directory
        return ((await self._exec_own(shell_commands.PRINT_WORKING_DIRECTORY)).stdout or "/").strip()

    async def empty(self, *directories: str, open_to_all: bool) -> None:
        """Empty directories, and create missing ones."""
        each = (shell_commands.empty_directories(directory, open_to_all=open_to_all) for directory in directories)
        # Rule: run-trial/root-commands
        await self._exec_own(" && ".join(each), user="root")

    async def processes(self) -> str:
        """Return the process ids of all processes in the sandbox."""
        return (await self._exec_own(shell_commands.LIST_PROCESSES, user="root")).stdout

    async def end_others(self, kept: str) -> None:
        """Kill all processes in the sandbox except those in `kept`, an earlier result from `processes`.

        Raises:
            RuntimeError: a process cannot be killed, or new processes keep starting.
        """
        if (await self._exec_own(shell_commands.end_others(kept), user="root")).code:
            raise RuntimeError("the agent's processes could not be killed")

    async def is_directory(self, path: str) -> bool:
        return (await self.exec(shell_commands.is_directory(path), timeout=10, user="root")).code == 0

    async def _exec_own(self, command: str, *, cwd: str | None = None, user: User | None = None) -> Executed:
        """Run one of the driver's own commands, which normally takes almost no time.

        Raises:
            RuntimeError: the command did not end within `driver_timeout`, and the sandbox was stopped.
        """
        driver_timeout = self.wrapped.driver_timeout
        try:
            async with asyncio.timeout(driver_timeout or None) as limit:
                return await self.exec(command, cwd=cwd, user=user)
        except TimeoutError:
            if not limit.expired():
                raise
            await self.stop()
            message = f"the sandbox was stopped: {command!r} did not end within {driver_timeout} seconds"
            raise RuntimeError(message) from None

    async def check_health(self, check: Healthcheck | None) -> None:
        """Run the healthcheck's command again and again until it succeeds.

        Raises:
            HealthcheckError: the command failed too often after the start period.
        """
        if check is None:
            return
        now = asyncio.get_running_loop().time
        end_of_start = now() + check.start_period_sec
        failures = 0
        while True:
            # Rule: run-trial/healthcheck-start-period
            is_starting = now() < end_of_start
            # Rule: run-trial/healthcheck-command
            if (await self.exec(check.command, timeout=int(check.timeout_sec) or self.script_timeout or 0)).code == 0:
                return
            failures += not is_starting
            # Rule: run-trial/healthcheck-retries
            if not is_starting and failures >= check.retries:
                raise HealthcheckError(f"the healthcheck failed {failures} times: {check.command}")
            # Rule: run-trial/healthcheck-interval
            await asyncio.sleep(check.start_interval_sec if is_starting else check.interval_sec)


def _holds_plain_files(directory: Path) -> bool:
    """Return whether a directory is not empty and contains neither a Dockerfile nor docker-compose.yaml."""
    if not directory.is_dir() or (directory / "Dockerfile").exists() or (directory / "docker-compose.yaml").exists():
        return False
    return any(directory.iterdir())
