"""One rollout of a task in its sandbox: upload the task, run the tests, and score the files that they wrote."""

import asyncio
import math
import shlex
import tarfile
from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from parity.driver.documents.templates import resolve
from parity.driver.errors import AddTestsDirError, DownloadVerifierDirError, VerifierTimeoutError, with_cause
from parity.driver.places import LOGS_OF_VERIFIER, TEST_OUTPUT, TEST_SCRIPT, TESTS
from parity.driver.shell_commands import empty_directories, end_others, make_executable, run_script
from parity.driver.threads import blocking, in_thread, temporary_directory
from parity.driver.trial_plan import waitable
from parity.harbor_env.dataset import TASK_FILES, DatasetTask, check_links
from parity.harbor_env.errors import CommandFailed, infrastructure, is_fault
from parity.harbor_env.scoring import Score, documented_score, harbor_score
from parity.harbor_env.settings import EnvSettings
from parity.scorer.series import Series

TASK = "/task"
INSTRUCTION = f"{TASK}/instruction.md"
ORACLE = "/oracle"
"""Paths in the sandbox, in addition to the paths that Harbor uses."""

TASK_ARCHIVE = "/tmp/parity-task.tar.gz"
TESTS_ARCHIVE = "/tmp/parity-tests.tar.gz"

KILLED = 137
"""The exit code of a command that was killed at the timeout that `bounded` set."""

TRANSFER_SECONDS = 900
"""The timeout, in seconds, for a command that the environment runs for itself."""

# Rule: documented-env/timeout
DOCUMENTED_SECONDS = 300
"""The timeout for the tests in `verifiers`, in seconds. Harbor uses the timeout in task.toml instead."""

# Rules: documented-env/empty-text, documented-env/no-error
_PRINT_REWARD = f"""cd {LOGS_OF_VERIFIER} 2>/dev/null || exit 0
for name in reward.txt reward.json; do test -s "$name" && exec cat "$name"; done; true"""


@dataclass(frozen=True)
class RolloutSandbox:
    """The sandbox of a rollout, as the environment uses it: it runs commands, and uploads a task's files.

    `client` needs the methods `execute_command`, `run_background_job` and `upload_file` as in `verifiers`, and
    `download_directory`, `check_running` and `polling_seconds` as in `SandboxClient`.
    """

    client: Any
    sandbox_id: str

    async def upload_task(self, task: Path, workdirs: Iterable[str | None]) -> None:
        """Upload instruction.md and task.toml, and make the directories that an agent expects.

        Args:
            task: the task's directory on the host.
            workdirs: working directories for the agent in the sandbox; None and "" are left out.

        Raises:
            CommandFailed: a command failed in the sandbox.
            DatasetError: a file or directory of the task has become a symlink to a target outside the task.
            Exception: the client failed, or the task's directory no longer exists.
        """
        # Rule: documented-env/before-the-agent
        files = {f"{TASK}/{name}": (task / name).resolve() for name in TASK_FILES}
        # Rule: documented-env/workdir
        await self._upload(task, files, TASK_ARCHIVE, [TASK, LOGS_OF_VERIFIER, *filter(None, workdirs)])

    async def upload_tests(self, task: Path) -> None:
        """Upload `tests/` and `solution/` from a task's directory. The exceptions are those of `upload_task`."""
        # Rule: documented-env/after-the-agent
        files = {
            f"{target}/{path.name}": path
            for target, name in ((ORACLE, "solution"), (TESTS, "tests"))
            for path in _content(task / name)
        }
        await self._upload(task, files, TESTS_ARCHIVE, [ORACLE, TESTS])

    async def remove_planted(self, kept: str | None) -> None:
        """Kill the agent's processes, if asked to, and remove the files that it put in the place of rewards and tests.

        Args:
            kept: the processes from before the agent, as `LIST_PROCESSES` printed them. All other processes are killed;
                None to kill none.

        Raises:
            CommandFailed: a command failed in the sandbox.
        """
        if kept is not None:
            await self._run_checked(end_others(kept))
        await self._run_checked(clear_directories())

    async def run(self, command: str) -> Any:
        """Run a command of the environment itself, and return its result with `exit_code`, `stdout` and `stderr`."""
        # The working directory is "/", because an agent may have removed the sandbox's default directory.
        return await self.client.execute_command(self.sandbox_id, command, working_dir="/", timeout=TRANSFER_SECONDS)

    async def _upload(self, task: Path, files: Mapping[str, Path], archive: str, directories: Sequence[str]) -> None:
        """Make directories in the sandbox, and upload files in one archive. The keys are the paths in the sandbox."""
        check_links(task)
        async with temporary_directory() as directory:
            local = directory / "archive.tar.gz"
            await in_thread(_pack, files, local)
            await self.client.upload_file(self.sandbox_id, archive, str(local))
        make = f"mkdir -p {' '.join(map(shlex.quote, directories))}"
        await self._run_checked(f"{make} && tar -xzf {archive} -C / && rm {archive}")

    async def _run_checked(self, command: str) -> None:
        ended = await self.run(command)
        if ended.exit_code:
            raise CommandFailed(f"{command!r} ended with {ended.exit_code}: {(ended.stderr or '').strip()[:200]}")


@dataclass(frozen=True)
class Rollout:
    """A rollout of a task whose agent has ended, to be scored."""

    task: DatasetTask
    settings: EnvSettings
    sandbox: RolloutSandbox
    upload_tests: Callable[[], Awaitable[None]]
    """Uploads the tests; a subclass of the environment may do so in its own way."""

    async def score(self, kept: str | None, *, series: Series) -> Score:
        """Upload and run the tests, and score the files that they wrote, by Harbor's rules or the documentation's.

        Args:
            kept: the processes from before the agent, as `LIST_PROCESSES` printed them. All other processes are killed
                before the tests are uploaded; None to kill none.
            series: the Python series whose behaviour Harbor's scoring follows.

        Raises:
            SandboxError: the infrastructure failed. Under Harbor's scoring, its cause is the exception that Harbor
                raises for this failure.
        """
        try:
            if self.settings.scoring == "harbor":
                # Rule: harbor-env/rollouts
                return await self._score_as_harbor(kept, series)
            return await self._score_as_documented(kept)
        # Rule: documented-env/call-fails
        except Exception as error:
            with infrastructure("the work was not scored"):
                if not is_fault(error):
                    raise
                await self._check_running()
            return Score(0.0, fault=error)

    async def _score_as_documented(self, kept: str | None) -> Score:
        await self._replace_tests(kept)
        # Rules: documented-env/test-run, documented-env/exit-code
        await self.sandbox.client.run_background_job(
            self.sandbox.sandbox_id, "bash test.sh", timeout=DOCUMENTED_SECONDS, working_dir=TESTS
        )
        printed = await self.sandbox.run(_PRINT_REWARD)
        if printed.exit_code:
            await self._check_running()
        return await in_thread(documented_score, printed.stdout or "")

    async def _score_as_harbor(self, kept: str | None, series: Series) -> Score:
        client, seconds = self.sandbox.client, self.task.config.verifier.timeout_sec
        try:
            async with asyncio.timeout(waitable(seconds + client.polling_seconds)):
                with _harbor_error(AddTestsDirError, "the tests were not uploaded"):
                    await self._replace_tests(kept)
                await self._run_tests(seconds)
                async with temporary_directory() as directory:
                    with _harbor_error(DownloadVerifierDirError, "the verifier's files were not downloaded"):
                        await client.download_directory(self.sandbox.sandbox_id, LOGS_OF_VERIFIER, str(directory))
                    score = await in_thread(partial(harbor_score, directory, series=series))
                if score.fault is not None:
                    _name_inside(score.fault, str(directory))
                return score
        # Rule: harbor-env/test-timeout
        except TimeoutError as error:
            raise VerifierTimeoutError(f"the tests ran into their timeout of {seconds} seconds") from error

    async def _run_tests(self, seconds: float) -> None:
        await self.sandbox.run(make_executable(TEST_SCRIPT))
        await self.sandbox.client.run_background_job(
            self.sandbox.sandbox_id,
            # Rule: harbor-env/test-command
            run_script(TEST_SCRIPT, TEST_OUTPUT),
            timeout=seconds,
            # Rule: harbor-env/test-folder
            working_dir=self.task.workdir,
            # Rule: harbor-env/test-variables
            env=resolve(self.task.test_env, self.settings.host) or None,
        )

    async def _replace_tests(self, kept: str | None) -> None:
        await self.sandbox.remove_planted(kept)
        await self.upload_tests()

    async def _check_running(self) -> None:
        """Check that the sandbox still exists. A call in a lost sandbox may fail like a command that failed there."""
        with infrastructure("the sandbox was lost"):
            await self.sandbox.client.check_running(self.sandbox.sandbox_id)


@contextmanager
def _harbor_error(kind: type[Exception], message: str) -> Iterator[None]:
    """Turn any exception from the block into the class that Harbor raises for a failure there."""
    try:
        yield
    # Rule: harbor-env/call-fails
    except Exception as error:
        raise kind(with_cause(message, error)) from error


def bounded(command: str, seconds: float | None) -> str:
    """Wrap a command so that it is killed at its timeout, and does not keep running during the tests."""
    if seconds is None or seconds == math.inf:
        return command
    return f"timeout -s KILL {timeout_text(seconds)} bash -c {shlex.quote(command)}"


def timeout_text(seconds: float) -> str:
    """Format seconds as an argument for the command `timeout`.

    Whole numbers have no decimal point, because some versions of `timeout` require that. The result is never 0, because
    0 would mean no timeout.
    """
    if not seconds > 0:
        return "0.001"
    return str(int(seconds) if seconds == int(seconds) else seconds)


def clear_directories() -> str:
    """Return a command that removes files that an agent may have planted: rewards, tests and the tests' archive."""
    directories = (ORACLE, TESTS, LOGS_OF_VERIFIER)
    steps = (
        _make_accessible(["/", "/logs", "/tmp"], "-maxdepth 0"),
        "if [ -L /tmp ] || [ ! -d /tmp ]; then rm -rf /tmp && mkdir /tmp; fi; chmod 1777 /tmp",
        _make_accessible([*directories, TESTS_ARCHIVE]),
        f"rm -rf {TESTS_ARCHIVE} && {empty_directories(*directories)}",
    )
    return "; ".join(steps)


def _make_accessible(directories: Sequence[str], depth: str = "") -> str:
    """Return a command that makes directories accessible.

    A root user without capabilities cannot empty directories that are not accessible.
    """
    return f"find {' '.join(directories)} {depth} -type d ! -perm -700 -exec chmod u+rwx {{}} \\; 2>/dev/null"


def _content(directory: Path) -> Iterable[Path]:
    return sorted(directory.iterdir()) if directory.is_dir() else ()


@blocking
def _pack(files: Mapping[str, Path], path: Path) -> None:
    with tarfile.open(path, "w:gz", compresslevel=1) as archive:
        for name, source in files.items():
            archive.add(source, name.removeprefix("/"), filter=_of_root)


def _of_root(member: tarfile.TarInfo) -> tarfile.TarInfo | None:
    """Return an archive member with root as its owner; None if it is not a file, a directory or a link."""
    member.uid = member.gid = 0
    member.uname = member.gname = "root"
    return member if member.isreg() or member.isdir() or member.issym() or member.islnk() else None


def _name_inside(fault: Exception, directory: str) -> None:
    """Replace the host's directory by the sandbox's directory in a fault's message."""
    # Rule: harbor-env/message-code
    fault.args = tuple(arg.replace(directory, LOGS_OF_VERIFIER) if isinstance(arg, str) else arg for arg in fault.args)
    if isinstance(fault, OSError) and fault.filename is not None:
        fault.filename = fault.filename.replace(directory, LOGS_OF_VERIFIER)
