"""Faults in what trials ask of their sandboxes while agents work and tests run."""

from dataclasses import replace
from typing import Any

from parity.driver.places import TESTS
from parity.driver.trial_life import TrialLife
from parity.driver.trial_sandbox import TrialSandbox
from parity.driver.verifier import Verifier
from parity.formats.task import TaskConfig
from tests.faulty.fault import breaks
from tests.faulty.patches import altered, instead_of
from tests.faulty.run_trial.fault import Exec, Options, each_command, each_config


@breaks("run-trial/tests-after-agent", seen_by="test_any_trial")
@instead_of(TrialLife, "run_agent")
async def TestsAreVisibleToTheAgent(original: Any, life: TrialLife, *arguments: Any) -> None:
    """Uploads the tests before the agent works."""
    if life.plan.task.tests.exists():
        await life.sandbox.upload(life.plan.task.tests, TESTS)
    await original(life, *arguments)


@breaks("run-trial/step-tests", seen_by="test_injected_faults")
@instead_of(Verifier, "_upload_tests")
async def StepTestsComeFirst(original: Any, tests: Verifier, sandbox: TrialSandbox, step: Any) -> None:
    """Uploads the task's tests over those of the step."""
    own = [] if step is None else [tests.task.step(step) / "tests"]
    for folder in (*own, tests.task.tests):
        if folder.exists():
            await sandbox.upload(folder, TESTS)


@breaks("run-trial/allow-before-run", seen_by="test_any_trial")
@instead_of(TrialSandbox, "exec")
async def ScriptsAreNotAllowed(original: Any, sandbox: TrialSandbox, command: str, **options: Any) -> Any:
    """Leaves out chmod."""
    return None if command.startswith("chmod +x") else await original(sandbox, command, **options)


@breaks("run-trial/root-commands", seen_by="test_any_trial")
@each_command
def ScriptsAreAllowedByTheirUser(command: str, options: Options) -> Exec:
    """Makes scripts executable as the user who is to run them."""
    return command, {**options, "user": None} if command.startswith("chmod +x") else options


@breaks("run-trial/output-redirected", seen_by="test_any_trial")
@each_command
def OutputIsNotKept(command: str, options: Options) -> Exec:
    """Runs scripts without their output going to a file."""
    return command.partition(" > ")[0] if command.endswith(" 2>&1") else command, options


@breaks("run-trial/verifier-user", seen_by="test_any_trial")
@each_config
def TestsRunAsTheAgent(config: TaskConfig) -> TaskConfig:
    """Runs the tests as the agent's user."""
    return altered(config, verifier=altered(config.verifier, user=config.agent.user))


@breaks("run-trial/agent-user", seen_by="test_any_trial")
@each_config
def AgentsAreRoot(config: TaskConfig) -> TaskConfig:
    """Lets agents work as root whatever the task says."""
    return altered(config, agent=altered(config.agent, user="root"))


@breaks("run-trial/step-user", seen_by="test_any_trial")
@each_config
def StepsHaveNoUsers(config: TaskConfig) -> TaskConfig:
    """Works in every step as the task's users."""
    steps = (
        altered(step, agent=altered(step.agent, user=None), verifier=altered(step.verifier, user=None))
        for step in config.steps
    )
    return altered(config, steps=tuple(steps))


@breaks("run-trial/verifier-variables", seen_by="test_any_trial")
@instead_of(Verifier, "verify")
async def TaskBeforeCommandLine(
    original: Any, tests: Verifier, sandbox: Any, folder: Any, step: Any, *, has_tests: bool
) -> Any:
    """Lets the task's variables for the verifier come over those of the command line."""
    env = {**tests.env, **tests.task.config.verifier.env}
    return await original(replace(tests, env=env), sandbox, folder, step, has_tests=has_tests)
