"""Uploads the tests, runs them, and reads their rewards. Rules: `run-trial/*`, `reward-file/*`."""

import logging
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from parity.driver.documents.templates import resolve
from parity.driver.errors import AddTestsDirError, DownloadVerifierDirError
from parity.driver.places import LOGS_OF_VERIFIER, REWARDS, TEST_OUTPUT, TEST_SCRIPT, TESTS, make_executable, run_script
from parity.driver.rewards import read_rewards
from parity.driver.sandbox import TooLargeError
from parity.driver.task import Task
from parity.driver.trial_sandbox import TrialSandbox
from parity.formats.task import TaskStep
from parity.scorer.series import Series
from parity.scorer.values import Rewards

_LOG = logging.getLogger("parity.driver")


@dataclass(frozen=True)
class Verifier:
    """The verifier of a trial, which runs the tests after the agent."""

    task: Task
    env: Mapping[str, str]
    """Variables of the command line, which override those of task.toml."""

    host: Mapping[str, str]
    series: Series

    async def verify(
        self, sandbox: TrialSandbox, folder: Path, step: TaskStep | None, *, has_tests: bool
    ) -> Rewards | None:
        """Run the tests of the task or of a step, and return the rewards.

        Args:
            sandbox: the sandbox that runs the tests, as its default user.
            folder: the verifier's folder on the host.
            step: the step, in a multi-step task.
            has_tests: whether the sandbox was built with the tests in it.

        Raises:
            AddTestsDirError: the tests cannot be uploaded.
            DownloadVerifierDirError: the verifier's files cannot be downloaded.
            ValueError: the host lacks a variable that the tests need.
            Exception: any error of `read_rewards`.
        """
        # Rule: run-trial/separate-has-tests
        if not has_tests:
            await self._upload_tests(sandbox, step)
        # Rule: run-trial/verifier-variables
        env = {**self.task.config.verifier.env, **(step.verifier.env if step else {}), **self.env}
        env = resolve(env, self.host)
        # Rules: run-trial/allow-before-run, run-trial/root-commands
        await sandbox.exec(make_executable(TEST_SCRIPT), user="root")
        # Rule: run-trial/test-exit-code
        await sandbox.exec(run_script(TEST_SCRIPT, TEST_OUTPUT), env=env)
        # Rule: run-trial/mounted
        if sandbox.mounted is None:
            await _download(sandbox, folder)
        # Rule: run-trial/rewards
        return read_rewards(folder, self.series)

    async def _upload_tests(self, sandbox: TrialSandbox, step: TaskStep | None) -> None:
        """Upload the task's tests, and the step's tests over them."""
        own = [] if step is None else [self.task.step(step) / "tests"]
        # Rule: run-trial/step-tests
        possible = [self.task.tests, *own]
        folders = [folder for folder in possible if folder.exists()]
        if not any((folder / "test.sh").exists() for folder in folders):
            raise FileNotFoundError(f"there is no test.sh in {' or '.join(map(str, possible))}")
        try:
            for folder in folders:
                # Rule: run-trial/tests-after-agent
                await sandbox.upload(folder, TESTS)
        except Exception as error:
            raise AddTestsDirError("the tests were not uploaded") from error


async def _download(sandbox: TrialSandbox, folder: Path) -> None:
    """Download the verifier's files. If they are too large, the reward files are still downloaded.

    Harbor's Docker mounts this folder, so there a reward reaches the host whatever the size of the other files.
    """
    try:
        try:
            await sandbox.download(LOGS_OF_VERIFIER, folder)
        except TooLargeError as error:
            _LOG.warning("not all of the verifier's files were downloaded: %s", error)
            for name in REWARDS:
                await sandbox.download_reward(f"{LOGS_OF_VERIFIER}/{name}", folder / name)
    except Exception as error:
        raise DownloadVerifierDirError("the verifier's files were not downloaded") from error
