"""Upload the tests, run them, and read the rewards that they wrote. Rules: `run-trial/*`, `reward-file/*`."""

from parity.driver.documents.templates import resolve
from parity.driver.errors import AddTestsDirError, DownloadVerifierDirError, with_cause
from parity.driver.log_directories import LogDirectories
from parity.driver.places import TEST_OUTPUT, TEST_SCRIPT, TESTS, make_executable, run_script
from parity.driver.rewards import read_rewards
from parity.driver.task import Task
from parity.driver.threads import in_thread
from parity.driver.trial import RunContext, Trial
from parity.driver.trial_sandbox import TrialSandbox
from parity.formats.task import TaskStep
from parity.scorer.errors import RewardFileNotFoundError
from parity.scorer.values import Rewards


async def run_tests(
    trial: Trial, step: TaskStep | None, context: RunContext, sandbox: TrialSandbox, logs: LogDirectories
) -> Rewards | None:
    """Run the tests for the whole task or for one step, as the sandbox's default user, and return the rewards.

    Raises:
        DownloadVerifierDirError: the verifier's files cannot be downloaded.
        ValueError: the tests need an environment variable that is not set on the host.
        Exception: any exception that `read_rewards` raises.
    """
    # Rule: run-trial/verifier-variables
    env = {**trial.task.config.verifier.env, **(step.verifier.env if step else {}), **trial.job.verifier.env}
    env = resolve(env, context.host)
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
        return await in_thread(read_rewards, trial.directory.verifier, context.series)
    except RewardFileNotFoundError as error:
        # The tests' output goes to a file. There is output here only if a shell or an engine could not run the tests.
        if not (printed := ended.stderr or ended.stdout):
            raise
        raise RewardFileNotFoundError(with_cause(str(error), printed)) from None


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
