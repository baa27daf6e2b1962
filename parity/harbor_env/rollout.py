"""One rollout of a task in its sandbox: upload the task, run the tests, and score what they leave."""

import asyncio
import math
import shlex
import tarfile
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from parity.driver.agent_processes import end_others
from parity.driver.documents.templates import resolve
from parity.driver.errors import AddTestsDirError, DownloadVerifierDirError, VerifierTimeoutError
from parity.driver.places import empty_folders, make_executable, run_script
from parity.driver.sandboxes.streaming import log_left_out
from parity.driver.sandboxes.unpacking import unpack_compressed
from parity.driver.timeouts import waitable
from parity.harbor_env import places
from parity.harbor_env.client import SandboxClient
from parity.harbor_env.dataset import DatasetTask, check_links
from parity.harbor_env.errors import CommandFailed, SandboxError, message_of
from parity.harbor_env.harbor_run import HarborRun
from parity.harbor_env.scoring import Score, documented_score, harbor_score
from parity.harbor_env.scratch import in_thread, scratch_directory
from parity.scorer.series import Series

type State = dict[str, Any]
"""The state of a rollout, by the documented keys."""

type Call = Callable[..., Awaitable[Any]]
"""A call to a sandbox, such as a method of its client."""

TRANSFER_SECONDS = 900

KILLED = 137
"""The exit code of a command that `bounded` has killed."""

# Rule: documented-env/timeout
DOCUMENTED_SECONDS = 300
"""The tests' timeout in the releases, in seconds. Harbor's own timeout is in task.toml."""

LONGEST_SECONDS = 24 * 60 * 60
_SLACK_SECONDS = 60
# Rules: documented-env/empty-text, documented-env/no-error
_PRINT_REWARD = f"""cd {places.VERIFIER} 2>/dev/null || exit 0
for name in reward.txt reward.json; do test -s "$name" && exec cat "$name"; done; true"""
_PACK_VERIFIER = f"rm -rf {places.VERIFIER_ARCHIVE}; tar -czf {places.VERIFIER_ARCHIVE} -C {places.VERIFIER} ."


@dataclass(frozen=True)
class Rollout:
    """A rollout's state, its task, and its sandbox by client and id."""

    state: State
    task: DatasetTask
    client: Any
    sandbox_id: str
    retried: Callable[[Call], Call]
    """Adds the environment's retries to a call of the client."""

    async def run(self, command: str) -> Any:
        """Run a command and return its result."""
        # Not in the sandbox's own directory, which an agent may have removed.
        execute = self.retried(self.client.execute_command)
        return await execute(self.sandbox_id, command, working_dir="/", timeout=TRANSFER_SECONDS)

    async def execute(self, command: str) -> None:
        """Run a command that must succeed.

        Raises:
            CommandFailed: it fails.
        """
        done = await self.run(command)
        if done.exit_code:
            raise CommandFailed(f"{command!r} ended with {done.exit_code}: {(done.stderr or '').strip()[:200]}")

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
        async with _packed(files) as local:
            await self.retried(self.client.upload_file)(self.sandbox_id, archive, str(local))
        make = f"mkdir -p {' '.join(map(shlex.quote, directories))}"
        await self.execute(f"{make} && tar -xzf {archive} -C / && rm {archive}")

    async def bring_task(self, workdir: str) -> None:
        """Upload instruction.md and task.toml, and make the directories that an agent expects.

        Raises:
            SandboxError: a call fails.
        """
        # Rule: documented-env/before-the-agent
        files = {
            f"{places.TASK}/{name}": (self.task.folder / name).resolve() for name in ("instruction.md", "task.toml")
        }
        built = self.task.harbor_run.built_workdir if self.task.harbor_run else None
        # Rule: documented-env/workdir
        await self.unpack(files, places.TASK_ARCHIVE, [places.TASK, places.VERIFIER, *filter(None, [workdir, built])])

    async def bring_tests(self, kept: str | None) -> None:
        """Upload `tests/` and `solution/` into empty directories.

        Args:
            kept: the processes before the agent, as `LIST_PROCESSES` printed them, if all others are to be killed.

        Raises:
            SandboxError: a call fails.
        """
        if kept is not None:
            await self.execute(end_others(kept))
        await self.execute(clear_places())
        # Rule: documented-env/after-the-agent
        files = {
            f"{place}/{path.name}": path
            for place, directory in ((places.ORACLE, "solution"), (places.TESTS, "tests"))
            for path in _content(self.task.folder / directory)
        }
        await self.unpack(files, places.TESTS_ARCHIVE, [places.ORACLE, places.TESTS])

    async def score(
        self, run_tests: Call, kept: str | None, *, host: Mapping[str, str], series: Series, polling_seconds: float
    ) -> Score:
        """Run the tests, and score what they leave: by Harbor's rules if the task has settings for its run, else by the
        documentation's.

        Args:
            run_tests: runs a command as the tests.
            kept: as in `bring_tests`.
            host: variables of this process that the task may use.
            series: the interpreter series of the scoring.
            polling_seconds: the time after which the client has noticed the end of the tests.

        Raises:
            SandboxError: under documented scoring, the tests could not be uploaded or run, or not be read.
            VerifierTimeoutError: the tests took too long.
            AddTestsDirError: the tests could not be uploaded.
            DownloadVerifierDirError: the verifier's files could not be downloaded.
            Exception: any other error of a call.
        """
        harbor_run = self.task.harbor_run
        if harbor_run is None:
            return await self._score_as_documented(run_tests, kept)
        try:
            async with asyncio.timeout(waitable(harbor_run.timeout + polling_seconds)):
                return await self._score_as_harbor(harbor_run, run_tests, kept, host, series)
        # Rule: harbor-env/test-timeout
        except TimeoutError as error:
            message = f"the tests ran into their timeout of {harbor_run.timeout} seconds"
            raise VerifierTimeoutError(message) from error

    async def _score_as_documented(self, run_tests: Call, kept: str | None) -> Score:
        try:
            await self.bring_tests(kept)
            # Rules: documented-env/test-run, documented-env/exit-code
            await run_tests("bash test.sh", timeout=DOCUMENTED_SECONDS, working_dir=places.TESTS)
            printed = await self.run(_PRINT_REWARD)
        # Rule: documented-env/call-fails
        except Exception as error:
            raise error if isinstance(error, SandboxError) else SandboxError(message_of(error)) from error
        return documented_score(printed.stdout or "")

    async def _score_as_harbor(
        self, harbor_run: HarborRun, run_tests: Call, kept: str | None, host: Mapping[str, str], series: Series
    ) -> Score:
        try:
            await self.bring_tests(kept)
        # Rule: harbor-env/call-fails
        except Exception as error:
            raise AddTestsDirError("the tests were not uploaded") from error
        await self.run(make_executable(places.TEST_SCRIPT))
        # Rule: harbor-env/test-variables
        variables = resolve(harbor_run.env, host)
        await run_tests(
            # Rule: harbor-env/test-command
            run_script(places.TEST_SCRIPT, places.TEST_OUTPUT),
            seconds=harbor_run.timeout,
            # `seconds` is over before this. It replaces the shorter default of some clients.
            timeout=math.ceil(min(LONGEST_SECONDS, harbor_run.timeout)) + _SLACK_SECONDS,
            # Rule: harbor-env/test-folder
            working_dir=harbor_run.workdir,
            **({"env": variables} if variables else {}),
        )
        async with scratch_directory() as local:
            await self._fetch_verifier(local)
            score = await in_thread(partial(harbor_score, local / "verifier", series=series))
            return _inside(score, f"{local}/verifier")

    async def _fetch_verifier(self, local: Path) -> None:
        """Download the verifier's directory to `verifier` in a directory of the host."""
        archive, target = local / "archive.tar.gz", local / "verifier"
        target.mkdir()
        try:
            if isinstance(self.client, SandboxClient):
                await self.client.download_directory(self.sandbox_id, places.VERIFIER, str(target))
                return
            packed = await self.run(_PACK_VERIFIER)
            if packed.exit_code not in (0, 1):  # 1 means that files changed while they were read
                raise CommandFailed(f"tar ended with {packed.exit_code}: {(packed.stderr or '').strip()[:200]}")
            await self.retried(self.client.download_file)(self.sandbox_id, places.VERIFIER_ARCHIVE, str(archive))
            log_left_out(places.VERIFIER, await in_thread(unpack_compressed, archive, target))
        # Rule: harbor-env/call-fails
        except Exception as error:
            raise DownloadVerifierDirError("the verifier's files were not downloaded") from error


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
    """Return a command that removes planted files: rewards, tests, and anything in the archives' place."""
    directories = (places.ORACLE, places.TESTS, places.VERIFIER)
    archives = (places.TESTS_ARCHIVE, places.VERIFIER_ARCHIVE)
    steps = (
        _make_accessible(["/", "/logs", "/tmp"], "-maxdepth 0"),
        "if [ -L /tmp ] || [ ! -d /tmp ]; then rm -rf /tmp && mkdir /tmp; fi; chmod 1777 /tmp",
        _make_accessible([*directories, *archives]),
        f"rm -rf {' '.join(archives)} && {empty_folders(*directories)}",
    )
    return "; ".join(steps)


def _make_accessible(directories: Sequence[str], depth: str = "") -> str:
    """Return a command that makes directories accessible, because a root without capabilities cannot empty others."""
    return f"find {' '.join(directories)} {depth} -type d ! -perm -700 -exec chmod u+rwx {{}} \\; 2>/dev/null"


@asynccontextmanager
async def _packed(files: Mapping[str, Path]) -> AsyncIterator[Path]:
    """Yield the path of an archive with these files."""
    async with scratch_directory() as directory:
        path = directory / "archive.tar.gz"
        await in_thread(_pack, files, path)
        yield path


def _pack(files: Mapping[str, Path], path: Path) -> None:
    with tarfile.open(path, "w:gz", compresslevel=1) as archive:
        for name, source in files.items():
            archive.add(source, name.removeprefix("/"), filter=_of_root)


def _of_root(member: tarfile.TarInfo) -> tarfile.TarInfo | None:
    """Return a member with the owner of a fresh container; None unless it is a file, directory or link."""
    member.uid = member.gid = 0
    member.uname = member.gname = "root"
    return member if member.isreg() or member.isdir() or member.issym() or member.islnk() else None


def _content(directory: Path) -> Iterable[Path]:
    return sorted(directory.iterdir()) if directory.is_dir() else ()


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
    return part.replace(directory, places.VERIFIER) if isinstance(part, str) else part
