"""One rollout of a task in its sandbox: upload the task, run the tests, and score what they leave."""

import asyncio
import math
import shlex
import tarfile
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from parity.driver.agent_processes import end_others
from parity.driver.documents.templates import resolve
from parity.driver.errors import AddTestsDirError, DownloadVerifierDirError, VerifierTimeoutError, with_cause
from parity.driver.places import (
    LOGS_OF_VERIFIER,
    TEST_OUTPUT,
    TEST_SCRIPT,
    TESTS,
    empty_directories,
    make_executable,
    run_script,
)
from parity.driver.timeouts import waitable
from parity.harbor_env.dataset import DatasetTask, check_links
from parity.harbor_env.errors import CommandFailed, infrastructure
from parity.harbor_env.scoring import Score, documented_score, harbor_score
from parity.harbor_env.scratch import in_thread, scratch_directory
from parity.scorer.series import Series

TASK = "/task"
INSTRUCTION = f"{TASK}/instruction.md"
ORACLE = "/oracle"
"""Paths inside the sandbox, beside Harbor's own."""

TASK_ARCHIVE = "/tmp/parity-task.tar.gz"
TESTS_ARCHIVE = "/tmp/parity-tests.tar.gz"

KILLED = 137
"""The exit code of a command that `bounded` has killed."""

TRANSFER_SECONDS = 900
"""The time limit of a command of the environment's own, in seconds."""

# Rule: documented-env/timeout
DOCUMENTED_SECONDS = 300
"""The tests' timeout in the releases. Harbor's own timeout is in task.toml."""

# Rules: documented-env/empty-text, documented-env/no-error
_PRINT_REWARD = f"""cd {LOGS_OF_VERIFIER} 2>/dev/null || exit 0
for name in reward.txt reward.json; do test -s "$name" && exec cat "$name"; done; true"""


@dataclass(frozen=True)
class Rollout:
    """A rollout of a task in a sandbox.

    Its client has the calls `execute_command`, `run_background_job` and `upload_file` of `verifiers`, and
    `download_directory` and `polling_seconds` of `SandboxClient`.
    """

    task: DatasetTask
    client: Any
    sandbox_id: str

    async def bring_task(self, workdir: str) -> None:
        """Upload instruction.md and task.toml, and make the directories that an agent expects.

        Args:
            workdir: the agent's directory; "" for none.

        Raises:
            CommandFailed: a command failed inside the sandbox.
            DatasetError: a part of the task has become a link that leads out of it.
            Exception: the client failed, or the task's directory is gone.
        """
        # Rule: documented-env/before-the-agent
        files = {f"{TASK}/{name}": (self.task.folder / name).resolve() for name in ("instruction.md", "task.toml")}
        # Rule: documented-env/workdir
        directories = [TASK, LOGS_OF_VERIFIER, *filter(None, [workdir, self.task.built_workdir])]
        await self.unpack(files, TASK_ARCHIVE, directories)

    async def score(self, kept: str | None, *, host: Mapping[str, str], series: Series) -> Score:
        """Upload and run the tests, and score what they leave: by Harbor's rules or by the documentation's.

        Args:
            kept: the processes before the agent, as `LIST_PROCESSES` printed them, if all others are to be killed.
            host: variables of this process that the task may use.
            series: the interpreter series of Harbor's scoring.

        Raises:
            SandboxError: under documented scoring, a call failed.
            VerifierTimeoutError: the tests took too long.
            AddTestsDirError: the tests could not be uploaded.
            DownloadVerifierDirError: the verifier's files could not be downloaded.
            Exception: any other error of a call.
        """
        if self.task.harbor is None:
            # Rule: documented-env/call-fails
            with infrastructure("the work was not scored"):
                return await self._score_as_documented(kept)
        seconds = self.task.harbor.verifier.timeout_sec
        try:
            async with asyncio.timeout(waitable(seconds + self.client.polling_seconds)):
                return await self._score_as_harbor(seconds, kept, host, series)
        # Rule: harbor-env/test-timeout
        except TimeoutError as error:
            raise VerifierTimeoutError(f"the tests ran into their timeout of {seconds} seconds") from error

    async def _score_as_documented(self, kept: str | None) -> Score:
        await self._bring_tests(kept)
        # Rules: documented-env/test-run, documented-env/exit-code
        await self.client.run_background_job(
            self.sandbox_id, "bash test.sh", timeout=DOCUMENTED_SECONDS, working_dir=TESTS
        )
        printed = await self.run(_PRINT_REWARD)
        return documented_score(printed.stdout or "")

    async def _score_as_harbor(
        self, seconds: float, kept: str | None, host: Mapping[str, str], series: Series
    ) -> Score:
        try:
            await self._bring_tests(kept)
        # Rule: harbor-env/call-fails
        except Exception as error:
            raise AddTestsDirError(with_cause("the tests were not uploaded", error)) from error
        await self.run(make_executable(TEST_SCRIPT))
        await self.client.run_background_job(
            self.sandbox_id,
            # Rule: harbor-env/test-command
            run_script(TEST_SCRIPT, TEST_OUTPUT),
            timeout=seconds,
            # Rule: harbor-env/test-folder
            working_dir=self.task.workdir,
            # Rule: harbor-env/test-variables
            env=resolve(self.task.test_env, host) or None,
        )
        async with scratch_directory() as directory:
            try:
                await self.client.download_directory(self.sandbox_id, LOGS_OF_VERIFIER, str(directory))
            # Rule: harbor-env/call-fails
            except Exception as error:
                message = with_cause("the verifier's files were not downloaded", error)
                raise DownloadVerifierDirError(message) from error
            score = await in_thread(partial(harbor_score, directory, series=series))
            return _inside(score, str(directory))

    async def _bring_tests(self, kept: str | None) -> None:
        """Upload `tests/` and `solution/` into empty directories, after killing the processes that are not kept."""
        if kept is not None:
            await self._execute(end_others(kept))
        await self._execute(clear_places())
        # Rule: documented-env/after-the-agent
        files = {
            f"{place}/{path.name}": path
            for place, directory in ((ORACLE, "solution"), (TESTS, "tests"))
            for path in _content(self.task.folder / directory)
        }
        await self.unpack(files, TESTS_ARCHIVE, [ORACLE, TESTS])

    async def unpack(self, files: Mapping[str, Path], archive: str, directories: Sequence[str]) -> None:
        """Make directories, and upload files and directories of the host.

        Args:
            files: the host's path of each path in the sandbox.
            archive: the path of the archive in which they are uploaded.
            directories: the directories to make.

        Raises:
            DatasetError: a part of the task has become a link that leads out of it.
            CommandFailed: unpacking fails.
        """
        check_links(self.task.folder)
        async with scratch_directory() as directory:
            local = directory / "archive.tar.gz"
            await in_thread(_pack, files, local)
            await self.client.upload_file(self.sandbox_id, archive, str(local))
        make = f"mkdir -p {' '.join(map(shlex.quote, directories))}"
        await self._execute(f"{make} && tar -xzf {archive} -C / && rm {archive}")

    async def run(self, command: str) -> Any:
        """Run a command of the environment's own, and return its result with `exit_code`, `stdout` and `stderr`."""
        # Not in the sandbox's own directory, which an agent may have removed.
        return await self.client.execute_command(self.sandbox_id, command, working_dir="/", timeout=TRANSFER_SECONDS)

    async def _execute(self, command: str) -> None:
        """Run a command that must succeed.

        Raises:
            CommandFailed: it fails.
        """
        done = await self.run(command)
        if done.exit_code:
            raise CommandFailed(f"{command!r} ended with {done.exit_code}: {(done.stderr or '').strip()[:200]}")


def bounded(command: str, seconds: float | None) -> str:
    """Return a command that is killed at its timeout, so that it does not keep running during the tests."""
    if seconds is None or seconds == math.inf:
        return command
    return f"timeout -s KILL {timeout_text(seconds)} bash -c {shlex.quote(command)}"


def timeout_text(seconds: float) -> str:
    """Return a time for the `timeout` command. Not every one accepts a point, and 0 would mean any time."""
    if not seconds > 0:
        return "0.001"
    return str(int(seconds) if seconds == int(seconds) else seconds)


def clear_places() -> str:
    """Return a command that removes planted files: rewards, tests, and anything in the archive's place."""
    directories = (ORACLE, TESTS, LOGS_OF_VERIFIER)
    steps = (
        _make_accessible(["/", "/logs", "/tmp"], "-maxdepth 0"),
        "if [ -L /tmp ] || [ ! -d /tmp ]; then rm -rf /tmp && mkdir /tmp; fi; chmod 1777 /tmp",
        _make_accessible([*directories, TESTS_ARCHIVE]),
        f"rm -rf {TESTS_ARCHIVE} && {empty_directories(*directories)}",
    )
    return "; ".join(steps)


def _make_accessible(directories: Sequence[str], depth: str = "") -> str:
    """Return a command that makes directories accessible, because a root without capabilities cannot empty others."""
    return f"find {' '.join(directories)} {depth} -type d ! -perm -700 -exec chmod u+rwx {{}} \\; 2>/dev/null"


def _content(directory: Path) -> Iterable[Path]:
    return sorted(directory.iterdir()) if directory.is_dir() else ()


def _pack(files: Mapping[str, Path], path: Path) -> None:
    with tarfile.open(path, "w:gz", compresslevel=1) as archive:
        for name, source in files.items():
            archive.add(source, name.removeprefix("/"), filter=_of_root)


def _of_root(member: tarfile.TarInfo) -> tarfile.TarInfo | None:
    """Return a member with the owner of a fresh container; None unless it is a file, directory or link."""
    member.uid = member.gid = 0
    member.uname = member.gname = "root"
    return member if member.isreg() or member.isdir() or member.issym() or member.islnk() else None


def _inside(score: Score, directory: str) -> Score:
    """Return a score with an error that names the sandbox's directory, not the host's."""
    error = score.error
    if error is not None:
        # Rule: harbor-env/message-code
        error.args = tuple(_replaced(part, directory) for part in error.args)
        if isinstance(error, OSError) and error.filename is not None:
            error.filename = _replaced(error.filename, directory)
    return score


def _replaced(part: object, directory: str) -> Any:
    return part.replace(directory, LOGS_OF_VERIFIER) if isinstance(part, str) else part
