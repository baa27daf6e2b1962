"""Run the tests of one rollout, and score the result by either kind of scoring."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Protocol

from parity.driver.documents.templates import resolve
from parity.driver.errors import AddTestsDirError, DownloadVerifierDirError, VerifierTimeoutError
from parity.driver.places import empty_folders, make_executable, run_script
from parity.driver.sandboxes.starting import limited
from parity.driver.sandboxes.streaming import log_left_out
from parity.driver.sandboxes.unpacking import unpack_compressed
from parity.harbor_env import places
from parity.harbor_env.archives import packed, parts_for_tests
from parity.harbor_env.errors import CommandFailed, SandboxError, message_of
from parity.harbor_env.harbor_run import HarborRun
from parity.harbor_env.inside import Inside, make_folders
from parity.harbor_env.sandbox_client import SandboxClient
from parity.harbor_env.scoring import Score, documented_score, harbor_score
from parity.harbor_env.scratch import scratch_folder
from parity.harbor_env.threads import done_in_thread
from parity.scorer.series import Series

# Rule: documented-env/timeout
_TESTS_SECONDS = 300
"""The tests' timeout in the releases, in seconds. Harbor's own timeout is in task.toml."""

LONGEST_SECONDS = 24 * 60 * 60
_SLACK_SECONDS = 60
# Rules: documented-env/empty-text, documented-env/no-error
_PRINT_REWARD = f"""cd {places.VERIFIER} 2>/dev/null || exit 0
for name in reward.txt reward.json; do test -s "$name" && exec cat "$name"; done; true"""
_PACK_VERIFIER = f"rm -rf {places.VERIFIER_ARCHIVE}; tar -czf {places.VERIFIER_ARCHIVE} -C {places.VERIFIER} ."


class VerifyingEnvironment(Protocol):
    """The part of an environment that is needed to run tests."""

    series: Series
    polling_seconds: float
    host: Mapping[str, str]

    async def run_tests(self, state: dict[str, Any], command: str, **options: Any) -> None: ...

    async def end_agent(self, state: dict[str, Any]) -> None: ...


@dataclass(frozen=True)
class Verifying:
    """The tests of one rollout."""

    environment: VerifyingEnvironment
    inside: Inside
    state: dict[str, Any]
    folder: Path
    """The task's folder on the host."""

    async def as_documented(self) -> Score:
        """Score by the documentation's rules.

        Raises:
            SandboxError: the tests could not be uploaded or run, or their reward could not be read.
        """
        try:
            await self._bring_tests()
            options = {"timeout": _TESTS_SECONDS, "working_dir": places.TESTS}
            # Rules: documented-env/test-run, documented-env/exit-code
            await self.environment.run_tests(self.state, "bash test.sh", **options)
            printed = await self.inside.run(_PRINT_REWARD)
        # Rule: documented-env/call-fails
        except Exception as error:
            raise error if isinstance(error, SandboxError) else SandboxError(message_of(error)) from error
        return documented_score(printed.stdout or "")

    async def as_harbor(self, settings: HarborRun) -> Score:
        """Score by Harbor's rules, with the task's own settings.

        Raises:
            VerifierTimeoutError: the tests took too long.
            AddTestsDirError: the tests could not be uploaded.
            DownloadVerifierDirError: the verifier's files could not be downloaded.
            Exception: any other error of a call.
        """
        try:
            async with limited(settings.timeout + self.environment.polling_seconds):
                return await self._run_as_harbor(settings)
        # Rule: harbor-env/test-timeout
        except TimeoutError as error:
            raise VerifierTimeoutError(f"the tests ran into their timeout of {settings.timeout} seconds") from error

    async def _run_as_harbor(self, settings: HarborRun) -> Score:
        try:
            await self._bring_tests()
        # Rule: harbor-env/call-fails
        except Exception as error:
            raise AddTestsDirError("the tests were not uploaded") from error
        await self.inside.run(make_executable(places.TEST_SCRIPT))
        # Rule: harbor-env/test-variables
        variables = resolve(settings.env, self.environment.host)
        await self.environment.run_tests(
            self.state,
            # Rule: harbor-env/test-command
            run_script(places.TEST_SCRIPT, places.TEST_OUTPUT),
            seconds=settings.timeout,
            # `seconds` is over before this. It replaces the shorter default of some clients.
            timeout=math.ceil(min(settings.timeout, LONGEST_SECONDS)) + _SLACK_SECONDS,
            # Rule: harbor-env/test-folder
            working_dir=settings.workdir,
            **({"env": variables} if variables else {}),
        )
        async with scratch_folder() as local:
            await self._fetch_verifier(local)
            score = await done_in_thread(partial(harbor_score, local / "verifier", series=self.environment.series))
        return _from_inside(score, f"{local}/verifier")

    async def _bring_tests(self) -> None:
        """Upload tests and solution into empty folders, after killing the agent's processes."""
        await self.environment.end_agent(self.state)
        await self.inside.execute(_clear())
        made = make_folders([places.ORACLE, places.TESTS])
        async with packed(self.folder, parts_for_tests) as archive:
            await self.inside.unpack(archive, places.TESTS_ARCHIVE, made)

    async def _fetch_verifier(self, local: Path) -> None:
        """Download the verifier's folder to `verifier` in a folder of the host."""
        archive, target = local / "archive.tar.gz", local / "verifier"
        target.mkdir()
        client = self.inside.client
        try:
            if isinstance(client, SandboxClient):
                await client.download_folder(self.inside.sandbox_id, places.VERIFIER, str(target))
                return
            packed = await self.inside.run(_PACK_VERIFIER)
            if packed.exit_code not in (0, 1):  # 1 means that files changed while they were read
                raise CommandFailed(f"tar ended with {packed.exit_code}: {(packed.stderr or '').strip()[:200]}")
            await self.inside.download(places.VERIFIER_ARCHIVE, archive)
            log_left_out(places.VERIFIER, await done_in_thread(unpack_compressed, archive, target))
        # Rule: harbor-env/call-fails
        except Exception as error:
            raise DownloadVerifierDirError("the verifier's files were not downloaded") from error


def _clear() -> str:
    """Return a command that removes planted files: rewards, tests, and anything in the archives' place."""
    folders, archives = (places.ORACLE, places.TESTS, places.VERIFIER), (places.TESTS_ARCHIVE, places.VERIFIER_ARCHIVE)
    steps = (
        _open(["/", "/logs", "/tmp"], "-maxdepth 0"),
        "if [ -L /tmp ] || [ ! -d /tmp ]; then rm -rf /tmp && mkdir /tmp; fi; chmod 1777 /tmp",
        _open([*folders, *archives]),
        f"rm -rf {' '.join(archives)} && {empty_folders(*folders)}",
    )
    return "; ".join(steps)


def _open(folders: Sequence[str], depth: str = "") -> str:
    """Return a command that makes folders accessible, because even a root without capabilities cannot empty others."""
    return f"find {' '.join(folders)} {depth} -type d ! -perm -700 -exec chmod u+rwx {{}} \\; 2>/dev/null"


def _from_inside(score: Score, folder: str) -> Score:
    """Return a score with an error that names the sandbox's folder, not the host's."""
    error = score.error
    if error is not None:
        # Rule: harbor-env/message-code
        error.args = tuple(_replaced(part, folder) for part in error.args)
        if isinstance(error, OSError) and error.filename is not None:
            error.filename = _replaced(error.filename, folder)
    return score


def _replaced(part: object, folder: str) -> Any:
    return part.replace(folder, places.VERIFIER) if isinstance(part, str) else part
