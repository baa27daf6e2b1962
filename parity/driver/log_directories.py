"""Bring a sandbox's directories below /logs to the trial's directory on the host.

Most of Harbor's environments copy these directories; Harbor's Docker environment mounts them. A sandbox that copies
where Harbor would mount has to imitate mounting: the host must end up with the same files, and the agent and the tests
must see the same files.
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
from parity.driver.threads import blocking, in_thread
from parity.driver.trial_sandbox import TrialSandbox

_LOG = logging.getLogger("parity.driver")


class LogDirectories(Protocol):
    """The log directories of one of a trial's sandboxes."""

    def prepare(self) -> None:
        """Prepare the directories on the host before the sandbox starts."""

    async def begin_step(self, *, is_first: bool) -> None:
        """Empty the directories in the sandbox before a step, except those that are emptied before the tests."""

    async def fetch_oracle_output(self) -> None:
        """Download the solution's output, unless the agent's logs include it. A failure is logged, not raised."""

    async def fetch_agent_logs(self) -> None:
        """Bring the agent's logs to the host. A failed download is logged, not raised."""

    async def return_agent_logs(self) -> None:
        """Upload the agent's logs if files may have been added to them on the host. A failure is logged, not raised."""

    async def fetch_artifacts(self, target: Path) -> bool | None:
        """Bring `/logs/artifacts` to the host, and return whether it contains anything.

        Returns None if this directory is to be downloaded like any other artifact. A failed download is logged, not
        raised.
        """

    def artifacts_of_step(self, step: TrialDirectory) -> Path:
        """Return the directory on the host for a step's artifacts while the step runs."""

    def shown_artifacts(self, directory: Path) -> AbstractAsyncContextManager[None]:
        """Let the tests in the `with` block see the artifacts that are on the host, and keep the tests' changes."""

    async def fetch_verifier_files(self) -> None:
        """Bring the verifier's files to the host.

        Raises:
            Exception: the files cannot be downloaded.
        """


def log_directories(sandbox: TrialSandbox, directory: TrialDirectory) -> LogDirectories:
    """Return the `LogDirectories` for this kind of sandbox and a trial's directory on the host."""
    if isinstance(sandbox.wrapped, MountedSandbox):
        return Mounted(sandbox.wrapped, directory)
    return CopiedAsMounted(sandbox, directory) if sandbox.wrapped.imitates_mounts else Copied(sandbox, directory)


# Rule: run-trial/mounted
class Mounted:
    """Log directories on the host that the sandbox mounts, so that nothing has to be copied."""

    def __init__(self, sandbox: MountedSandbox, directory: TrialDirectory) -> None:
        self._sandbox, self._directory = sandbox, directory

    def prepare(self) -> None:
        for directory in (self._directory.path, *self._directory.parts):
            directory.chmod(0o777)  # any user in the sandbox must be able to write there

    async def begin_step(self, *, is_first: bool) -> None:
        pass  # the content of the directories has already been moved away

    async def fetch_oracle_output(self) -> None:
        pass

    async def fetch_agent_logs(self) -> None:
        await self._sandbox.prepare_logs()

    async def return_agent_logs(self) -> None:
        pass

    async def fetch_artifacts(self, target: Path) -> bool | None:
        return await in_thread(_has_content, target)

    def artifacts_of_step(self, step: TrialDirectory) -> Path:
        return self._directory.artifacts

    def shown_artifacts(self, directory: Path) -> AbstractAsyncContextManager[None]:
        return nullcontext()

    async def fetch_verifier_files(self) -> None:
        pass


class Copied:
    """Log directories that are copied at the end of each phase."""

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

        Harbor's Docker mounts this directory, so that there the reward files reach the host even if the rest is large.
        """
        directory = self._directory.verifier
        try:
            await self._sandbox.get(LOGS_OF_VERIFIER, directory)
        except TooLargeError as error:
            _LOG.warning("not all of the verifier's files were downloaded: %s", error)
            for name in REWARDS:
                await self._sandbox.download_reward(f"{LOGS_OF_VERIFIER}/{name}", directory / name)


class CopiedAsMounted(Copied):
    """Log directories that are copied so that they contain the same files as mounted directories."""

    _has_shown_artifacts = False

    async def begin_step(self, *, is_first: bool) -> None:
        if not is_first:
            await self._sandbox.empty(LOGS_OF_AGENT, LOGS_OF_VERIFIER, LOGS_OF_ARTIFACTS, open_to_all=True)

    async def fetch_oracle_output(self) -> None:
        pass  # the output is downloaded with the agent's logs

    async def return_agent_logs(self) -> None:
        """Upload the agent's logs if the oracle has added a file with its exit code. No other file is ever added."""
        if (self._directory.agent / EXIT_CODE).exists():
            await super().return_agent_logs()

    async def fetch_artifacts(self, target: Path) -> bool | None:
        with _logged_errors("not all artifacts were downloaded"):
            target.mkdir(parents=True, exist_ok=True)
            await self._sandbox.get(LOGS_OF_ARTIFACTS, target)
        # A file from another artifact may have replaced the directory. In Harbor, that ends the job.
        return os.path.isdir(target) and await in_thread(_has_content, target)

    def artifacts_of_step(self, step: TrialDirectory) -> Path:
        return self._directory.artifacts

    async def fetch_agent_logs(self) -> None:
        with _logged_errors("the agent's logs were not downloaded"):
            await self._sandbox.get(LOGS_OF_AGENT, self._directory.agent, replaced=self._directory.agent)

    async def fetch_verifier_files(self) -> None:
        """Download the verifier's files. A reward file may be a link to the other log directories as they are now."""
        await super().fetch_verifier_files()
        if self._has_shown_artifacts and await in_thread(_has_linked_rewards, self._directory.verifier):
            await self._download_again(self._directory.artifacts)
            await self.fetch_agent_logs()

    @asynccontextmanager
    async def shown_artifacts(self, directory: Path) -> AsyncIterator[None]:
        """Upload all artifacts and their manifest before the tests, and download the tests' changes afterwards.

        Tests, and processes that the agent has left, may also have written to the agent's logs. After a timeout, the
        verifier's files are downloaded, too.
        """
        with _logged_errors("the artifacts were not uploaded"):
            await self._sandbox.put(directory, LOGS_OF_ARTIFACTS)
            self._has_shown_artifacts = True
        try:
            yield
        except TimeoutError:
            if not _is_cancelled():
                with _logged_errors("the verifier's files were not downloaded"):
                    await self._sandbox.get(LOGS_OF_VERIFIER, self._directory.verifier)
            raise
        finally:
            if not _is_cancelled():
                if self._has_shown_artifacts:
                    await self._download_again(directory)
                await self.fetch_agent_logs()

    async def _download_again(self, directory: Path) -> None:
        """Replace a directory by the sandbox's present artifacts, or leave it as it is if they cannot be downloaded."""
        fresh = directory.with_name(f"{directory.name}.fresh")
        fresh.mkdir(parents=True)
        try:
            with _logged_errors("the artifacts were not downloaded"):
                await self._sandbox.get(LOGS_OF_ARTIFACTS, fresh, replaced=directory)
                await in_thread(_replace, directory, fresh)
        finally:
            await in_thread(_remove, fresh)


@blocking
def _has_content(directory: Path) -> bool:
    if not directory.exists():
        return False
    with os.scandir(directory) as entries:
        return next(entries, None) is not None


@blocking
def _has_linked_rewards(directory: Path) -> bool:
    return any((directory / name).is_symlink() for name in REWARDS)


@blocking
def _replace(directory: Path, fresh: Path) -> None:
    if directory.exists():
        shutil.rmtree(directory)
    fresh.rename(directory)


@blocking
def _remove(directory: Path) -> None:
    shutil.rmtree(directory, ignore_errors=True)


@contextmanager
def _logged_errors(what: str) -> Iterator[None]:
    """Log an exception from the `with` block instead of raising it."""
    try:
        yield
    except Exception as error:
        _LOG.error("%s: %s", what, error)


def _is_cancelled() -> bool:
    task = asyncio.current_task()
    return task is not None and task.cancelling() > 0
