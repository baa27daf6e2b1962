"""Faults in what trials ask of their sandboxes while agents work and tests run."""

from dataclasses import replace
from typing import Any

from parity.driver.places import TESTS
from parity.driver.task_config import TaskConfig
from parity.driver.trial_life import TrialLife
from parity.driver.trial_sandbox import TrialSandbox
from parity.driver.verifier import Verifier
from tests.faulty.patches import Patch, replaced
from tests.faulty.run_trial.fault import TrialFault, with_config, with_exec


class TestsAreVisibleToTheAgent(TrialFault):
    """Uploads the tests before the agent works."""

    breaks = "run-trial/tests-after-agent"

    def wrong(self) -> Patch:
        def changed(original: Any) -> Any:
            async def run_agent(life: TrialLife, *arguments: Any) -> None:
                if life.plan.task.tests.exists():
                    await life.sandbox.upload(life.plan.task.tests, TESTS)
                await original(life, *arguments)

            return run_agent

        return replaced(TrialLife, "run_agent", changed)


class StepTestsComeFirst(TrialFault):
    """Uploads the task's tests over those of the step."""

    breaks = "run-trial/step-tests"
    seen_by = "test_injected_faults"

    def wrong(self) -> Patch:
        def changed(original: Any) -> Any:
            async def upload_tests(tests: Verifier, sandbox: TrialSandbox, step: Any) -> None:
                own = [] if step is None else [tests.task.step(step) / "tests"]
                for folder in (*own, tests.task.tests):
                    if folder.exists():
                        await sandbox.upload(folder, TESTS)

            return upload_tests

        return replaced(Verifier, "_upload_tests", changed)


class ScriptsAreNotAllowed(TrialFault):
    """Leaves out chmod."""

    breaks = "run-trial/allow-before-run"

    def wrong(self) -> Patch:
        def changed(original: Any) -> Any:
            async def exec_(sandbox: TrialSandbox, command: str, **options: Any) -> Any:
                if not command.startswith("chmod +x"):
                    return await original(sandbox, command, **options)
                return None

            return exec_

        return replaced(TrialSandbox, "exec", changed)


class ScriptsAreAllowedByTheirUser(TrialFault):
    """Makes scripts executable as the user who is to run them."""

    breaks = "run-trial/root-commands"

    def wrong(self) -> Patch:
        def change(command: str, options: dict[str, Any]) -> tuple[str, dict[str, Any]]:
            return command, {**options, "user": None} if command.startswith("chmod +x") else options

        return with_exec(change)


class OutputIsNotKept(TrialFault):
    """Runs scripts without their output going to a file."""

    breaks = "run-trial/output-redirected"

    def wrong(self) -> Patch:
        def change(command: str, options: dict[str, Any]) -> tuple[str, dict[str, Any]]:
            return command.partition(" > ")[0] if command.endswith(" 2>&1") else command, options

        return with_exec(change)


class ErrorsAreNotKept(TrialFault):
    """Keeps what scripts print, but not what they print to the standard error."""

    breaks = "run-trial/output-redirected"

    def wrong(self) -> Patch:
        return with_exec(lambda command, options: (command.removesuffix(" 2>&1"), options))


class TestsRunAsTheAgent(TrialFault):
    """Runs the tests as the agent's user."""

    breaks = "run-trial/verifier-user"

    def wrong(self) -> Patch:
        return with_config(lambda config: replace(config, verifier=replace(config.verifier, user=config.agent.user)))


class AgentsAreRoot(TrialFault):
    """Lets agents work as root whatever the task says."""

    breaks = "run-trial/agent-user"

    def wrong(self) -> Patch:
        return with_config(lambda config: replace(config, agent=replace(config.agent, user="root")))


class StepsHaveNoUsers(TrialFault):
    """Works in every step as the task's users."""

    breaks = "run-trial/step-user"

    def wrong(self) -> Patch:
        def change(config: TaskConfig) -> TaskConfig:
            steps = (
                replace(step, agent=replace(step.agent, user=None), verifier=replace(step.verifier, user=None))
                for step in config.steps
            )
            return replace(config, steps=tuple(steps))

        return with_config(change)


class FalsyUsersAreNone(TrialFault):
    """Takes the user 0 of a step, or one without a name, for none."""

    breaks = "run-trial/step-user"
    seen_by = "test_injected_fault_in_each_call"

    def wrong(self) -> Patch:
        def change(config: TaskConfig) -> TaskConfig:
            steps = (replace(step, agent=replace(step.agent, user=step.agent.user or None)) for step in config.steps)
            return replace(config, steps=tuple(steps))

        return with_config(change)


class TaskBeforeCommandLine(TrialFault):
    """Lets the task's variables for the verifier come over those of the command line."""

    breaks = "run-trial/verifier-variables"

    def wrong(self) -> Patch:
        def changed(original: Any) -> Any:
            async def verify(tests: Verifier, sandbox: Any, folder: Any, step: Any, *, has_tests: bool) -> Any:
                env = {**tests.env, **tests.task.config.verifier.env}
                return await original(replace(tests, env=env), sandbox, folder, step, has_tests=has_tests)

            return verify

        return replaced(Verifier, "verify", changed)
