"""The verifier's phase of a trial: upload the tests, run them, and read the rewards that they wrote.

The tests run in the agent's sandbox, or in a separate one if the task requires that. Rules: `run-trial/*`,
`reward-file/*`.
"""

import asyncio
from contextlib import suppress
from pathlib import Path

from parity.driver.artifacts import artifacts_of, upload_artifacts
from parity.driver.documents.templates import resolve
from parity.driver.errors import AddTestsDirError, DownloadVerifierDirError, with_cause
from parity.driver.log_directories import LogDirectories, log_directories
from parity.driver.places import LOGS_OF_VERIFIER, TEST_OUTPUT, TEST_SCRIPT, TESTS
from parity.driver.reward_limits import read_rewards
from parity.driver.sandbox import User
from parity.driver.shell_commands import make_executable, run_script
from parity.driver.task import Task
from parity.driver.threads import in_thread
from parity.driver.trial_plan import RunContext, Trial, waitable
from parity.driver.trial_sandbox import TrialSandbox
from parity.formats.task import TaskStep
from parity.scorer.errors import RewardFileNotFoundError
from parity.scorer.series import Series
from parity.scorer.values import Rewards


async def verify_here(
    trial: Trial,
    step: TaskStep | None,
    context: RunContext,
    sandbox: TrialSandbox,
    logs: LogDirectories,
    artifacts: Path,
) -> Rewards | None:
    """Verify the whole task or one step in the agent's sandbox, and return the rewards.

    Args:
        trial: the trial.
        step: the step; None for the whole task.
        context: the run's context.
        sandbox: the agent's sandbox.
        logs: its log directories.
        artifacts: the directory with the artifacts on the host.

    Raises:
        TimeoutError: the upload and the tests together took longer than the verifier's timeout.
        Exception: any exception that `upload_tests` or `run_tests` raises.
    """
    # Rule: run-trial/logs-reset
    if step is not None:
        await sandbox.empty(LOGS_OF_VERIFIER, open_to_all=True)
        await sandbox.empty(TESTS, open_to_all=False)

    async def upload_and_run() -> Rewards | None:
        await upload_tests(trial.task, step, sandbox)
        return await run_tests(trial, step, sandbox, logs, context.series)

    with sandbox.as_user(_user(trial, step)):
        async with logs.shown_artifacts(artifacts):
            return await asyncio.wait_for(upload_and_run(), waitable(trial.verifier_timeout(step)))


async def verify_apart(trial: Trial, step: TaskStep | None, context: RunContext, artifacts: Path) -> Rewards | None:
    """Verify in a separate sandbox, which is built from the tests and receives the artifacts.

    The arguments and errors are those of `verify_here`, but the timeout applies only to the tests.
    """
    # Rules: run-trial/separate-sandbox, run-trial/separate-has-tests
    sandbox = trial.verifier_sandbox(context, step)
    logs = log_directories(sandbox, trial.directory)
    try:
        await asyncio.wait_for(sandbox.start(), waitable(trial.build_timeout))
        with sandbox.as_user(_user(trial, step)):
            await sandbox.empty(LOGS_OF_VERIFIER, open_to_all=True)
            await upload_artifacts(sandbox, artifacts, artifacts_of(trial.task.config, step))
            tests = run_tests(trial, step, sandbox, logs, context.series)
            return await asyncio.wait_for(tests, waitable(trial.verifier_timeout(step)))
    finally:
        # Rule: run-trial/stop-error
        with suppress(Exception):
            await context.stop(sandbox)


def _user(trial: Trial, step: TaskStep | None) -> User | None:
    # Rules: run-trial/verifier-user, run-trial/step-user
    return trial.task.config.verifier.user if step is None or step.verifier.user is None else step.verifier.user


async def upload_tests(task: Task, step: TaskStep | None, sandbox: TrialSandbox) -> None:
    """Upload the task's tests, and then the step's tests, which replace files with the same names.

    Raises:
        FileNotFoundError: there is no test script.
        AddTestsDirError: the tests cannot be uploaded.
    """
    own = [] if step is None else [task.step(step) / "tests"]
    # Rule: run-trial/step-tests
    possible = [task.tests, *own]
    directories = [directory for directory in possible if directory.exists()]
    if not any((directory / "test.sh").exists() for directory in directories):
        raise FileNotFoundError(f"there is no test.sh in {' or '.join(map(str, possible))}")
    try:
        for directory in directories:
            # Rule: run-trial/tests-after-agent
            await sandbox.put(directory, TESTS)
    except Exception as error:
        raise AddTestsDirError(with_cause("the tests were not uploaded", error)) from error


async def run_tests(
    trial: Trial, step: TaskStep | None, sandbox: TrialSandbox, logs: LogDirectories, series: Series
) -> Rewards | None:
    """Run the tests for the whole task or for one step, as the sandbox's default user, and return the rewards.

    Raises:
        DownloadVerifierDirError: the verifier's files cannot be downloaded.
        ValueError: the tests need an environment variable that is not set on the host.
        Exception: any exception that `read_rewards` raises.
    """
    # Rule: run-trial/verifier-variables
    env = {**trial.task.config.verifier.env, **(step.verifier.env if step else {}), **trial.job.verifier.env}
    env = resolve(env, trial.host)
    # Rules: run-trial/allow-before-run, run-trial/root-commands
    await sandbox.exec(make_executable(TEST_SCRIPT), user="root")
    # Rule: run-trial/test-exit-code
    ended = await sandbox.exec(run_script(TEST_SCRIPT, TEST_OUTPUT), env=env)
    try:
        await logs.fetch_verifier_files()
    except Exception as error:
        message = with_cause("the verifier's files were not downloaded", error)
        raise DownloadVerifierDirError(message) from error
    try:
        # Rule: run-trial/rewards
        return await in_thread(read_rewards, trial.directory.verifier, series)
    except RewardFileNotFoundError as error:
        # The tests' output goes to a file. There is output here only if a shell or an engine could not run the tests.
        if not (printed := ended.stderr or ended.stdout):
            raise
        raise RewardFileNotFoundError(with_cause(str(error), printed)) from None
