"""How a sandbox's directories below /logs reach the trial's directory on the host.

Most of Harbor's environments copy them, Docker mounts them. Sandboxes that copy although Harbor's would mount make up
for the difference: afterwards the host has the same files, and agent and tests have seen the same.
"""

import asyncio
import logging
import os
import shutil
from collections.abc import AsyncIterator, Iterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager, contextmanager, nullcontext
from pathlib import Path
from typing import Protocol

from parity.driver.places import (
    EXIT_CODE,
    LOGS_OF_AGENT,
    LOGS_OF_ARTIFACTS,
    LOGS_OF_VERIFIER,
    ORACLE_OUTPUT,
    REWARDS,
    TrialDirectory,
)
from parity.driver.sandbox import MountedSandbox, TooLargeError
from parity.driver.trial_sandbox import TrialSandbox

_LOG = logging.getLogger("parity.driver")


class LogDirectories(Protocol):
    """The log directories of one sandbox of a trial."""

    def prepare(self) -> None:
        """Prepare the host's directories before the sandbox starts."""

    async def begin_step(self, *, is_first: bool) -> None:
        """Empty the directories in the sandbox for a step, so far as the tests do not."""

    async def fetch_oracle_output(self) -> None:
        """Download the output of the solution, if it does not come with the agent's logs. A failure is only logged."""

    async def fetch_agent_logs(self) -> None:
        """Bring the agent's logs to the host. A failed download is only logged."""

    async def return_agent_logs(self) -> None:
        """Upload the agent's logs if the host may have added any. A failure is only logged."""

    async def fetch_artifacts(self, target: Path) -> bool | None:
        """Bring the directory for artifacts to the host, and return whether it has any.

        Returns None if the directory is downloaded like any other artifact. A failed download is only logged.
        """

    def artifacts_of_step(self, step: TrialDirectory) -> Path:
        """Return the host's directory for the artifacts of a step while the step runs."""

    def shown_artifacts(self, directory: Path) -> AbstractAsyncContextManager[None]:
        """Show the artifacts on the host to the tests that run inside the `with` block, and keep the tests' changes."""

    async def fetch_verifier_files(self) -> None:
        """Bring the verifier's files to the host.

        Raises:
            Exception: they cannot be downloaded.
        """


def log_directories(sandbox: TrialSandbox, directory: TrialDirectory) -> LogDirectories:
    """Return the log directories of a sandbox by its kind, with a trial's directory on the host."""
    if isinstance(sandbox.wrapped, MountedSandbox):
        return Mounted(sandbox.wrapped, directory)
    return CopiedAsMounted(sandbox, directory) if sandbox.wrapped.imitates_mounts else Copied(sandbox, directory)


# Rule: run-trial/mounted
class Mounted:
    """Directories of the host that the sandbox mounts, so that nothing is copied."""

    def __init__(self, sandbox: MountedSandbox, directory: TrialDirectory) -> None:
        self._sandbox, self._directory = sandbox, directory

    def prepare(self) -> None:
        for directory in (self._directory.path, *self._directory.parts):
            directory.chmod(0o777)  # any user of the sandbox writes to them

    async def begin_step(self, *, is_first: bool) -> None:
        pass  # the directories' content has already been moved away

    async def fetch_oracle_output(self) -> None:
        pass

    async def fetch_agent_logs(self) -> None:
        await self._sandbox.prepare_logs()

    async def return_agent_logs(self) -> None:
        pass

    async def fetch_artifacts(self, target: Path) -> bool | None:
        return target.exists() and any(target.iterdir())

    def artifacts_of_step(self, step: TrialDirectory) -> Path:
        return self._directory.artifacts

    def shown_artifacts(self, directory: Path) -> AbstractAsyncContextManager[None]:
        return nullcontext()

    async def fetch_verifier_files(self) -> None:
        pass


class Copied:
    """Directories that are copied at each phase's end."""

    def __init__(self, sandbox: TrialSandbox, directory: TrialDirectory) -> None:
        self._sandbox, self._directory = sandbox, directory

    def prepare(self) -> None:
        pass

    async def begin_step(self, *, is_first: bool) -> None:
        # Rule: run-trial/logs-reset
        await self._sandbox.empty(LOGS_OF_AGENT, open_to_all=True)

    async def fetch_oracle_output(self) -> None:
        # Rule: run-trial/oracle-output
        with _logged_errors("the solution's output was not downloaded"):
            await self._sandbox.get(ORACLE_OUTPUT, self._directory.agent / "oracle.txt", directory=False)

    async def fetch_agent_logs(self) -> None:
        # Rules: run-trial/agent-logs, run-trial/logs-failure
        with _logged_errors("the agent's logs were not downloaded"):
            await self._sandbox.get(LOGS_OF_AGENT, self._directory.agent)

    async def return_agent_logs(self) -> None:
        # Rules: run-trial/agent-logs, run-trial/logs-failure
        with _logged_errors("the agent's logs were not uploaded"):
            await self._sandbox.put(self._directory.agent, LOGS_OF_AGENT)

    async def fetch_artifacts(self, target: Path) -> bool | None:
        return None

    def artifacts_of_step(self, step: TrialDirectory) -> Path:
        return step.artifacts

    def shown_artifacts(self, directory: Path) -> AbstractAsyncContextManager[None]:
        return nullcontext()

    async def fetch_verifier_files(self) -> None:
        """Download the verifier's files. If they are too large, the reward files are still downloaded.

        Harbor's Docker mounts this directory, so there a reward reaches the host whatever the size of the other files.
        """
        directory = self._directory.verifier
        try:
            await self._sandbox.get(LOGS_OF_VERIFIER, directory)
        except TooLargeError as error:
            _LOG.warning("not all of the verifier's files were downloaded: %s", error)
            for name in REWARDS:
                await self._sandbox.download_reward(f"{LOGS_OF_VERIFIER}/{name}", directory / name)


class CopiedAsMounted(Copied):
    """Directories that are copied, and hold the same files as mounted ones."""

    async def begin_step(self, *, is_first: bool) -> None:
        if not is_first:
            await self._sandbox.empty(LOGS_OF_AGENT, LOGS_OF_VERIFIER, LOGS_OF_ARTIFACTS, open_to_all=True)

    async def fetch_oracle_output(self) -> None:
        pass  # it is downloaded with the other logs

    async def return_agent_logs(self) -> None:
        """Upload the agent's logs if the oracle has added its exit code. Nothing else adds a log."""
        if (self._directory.agent / EXIT_CODE).exists():
            await super().return_agent_logs()

    async def fetch_artifacts(self, target: Path) -> bool | None:
        with _logged_errors("not all artifacts were downloaded"):
            target.mkdir(parents=True, exist_ok=True)
            await self._sandbox.get(LOGS_OF_ARTIFACTS, target)
        # A file of another artifact may be in its place, which ends a job of Harbor's.
        return os.path.isdir(target) and any(target.iterdir())

    @asynccontextmanager
    async def shown_artifacts(self, directory: Path) -> AsyncIterator[None]:
        """Upload all artifacts and their manifest before the tests, and download the tests' changes afterwards.

        Tests, and processes that the agent has left, may also have written to the agent's logs. After a timeout, the
        verifier's files are downloaded, too.
        """
        are_shown = False
        with _logged_errors("the artifacts were not uploaded"):
            await self._sandbox.put(directory, LOGS_OF_ARTIFACTS)
            are_shown = True
        try:
            yield
        except TimeoutError:
            if not _is_cancelled():
                with _logged_errors("the verifier's files were not downloaded"):
                    await self._sandbox.get(LOGS_OF_VERIFIER, self._directory.verifier)
            raise
        finally:
            if not _is_cancelled():
                if are_shown:
                    await self._download_again(directory)
                await self.fetch_agent_logs()

    async def _download_again(self, directory: Path) -> None:
        """Replace a directory by the sandbox's present artifacts, or leave it as it is if they cannot be downloaded."""
        fresh = directory.with_name(f"{directory.name}.fresh")
        fresh.mkdir(parents=True)
        try:
            with _logged_errors("the artifacts were not downloaded"):
                await self._sandbox.get(LOGS_OF_ARTIFACTS, fresh)
                if directory.exists():
                    shutil.rmtree(directory)
                fresh.rename(directory)
        finally:
            shutil.rmtree(fresh, ignore_errors=True)


@contextmanager
def _logged_errors(what: str) -> Iterator[None]:
    """Log an error of the `with` block in place of raising it."""
    try:
        yield
    except Exception as error:
        _LOG.error("%s: %s", what, error)


def _is_cancelled() -> bool:
    task = asyncio.current_task()
    return task is not None and task.cancelling() > 0
