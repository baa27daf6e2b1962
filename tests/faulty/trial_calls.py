"""Faults in what trials ask of their sandboxes while agents work and tests run."""

from dataclasses import replace
from pathlib import Path
from typing import Any
from unittest import mock

from parity.driver import agents, task, trial_life
from parity.driver.agents import Command, Nop, Oracle
from parity.driver.errors import NonZeroAgentExitCodeError
from parity.driver.multi_step import MultiStep
from parity.driver.places import LOGS_OF_AGENT, SOLUTION, TESTS
from parity.driver.task_config import TaskConfig
from parity.driver.trial_life import TrialLife
from parity.driver.trial_sandbox import TrialSandbox
from parity.driver.verifier import Verifier
from tests.faulty.trial_fault import Patch, TrialFault, replaced, with_config, with_exec


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


class SolutionsPrompt(TrialFault):
    """Runs the solution without DEBIAN_FRONTEND."""

    breaks = "run-trial/agent-variables"

    def wrong(self) -> Patch:
        def change(command: str, options: dict[str, Any]) -> tuple[str, dict[str, Any]]:
            env = {name: text for name, text in (options.get("env") or {}).items() if text != "noninteractive"}
            return command, {**options, "env": env} if "env" in options else options

        return with_exec(change)


class CanariesAreForTheAgent(TrialFault):
    """Gives the agent the whole instruction."""

    breaks = "run-trial/instruction"

    def wrong(self) -> Patch:
        return replaced(task, "without_canary", lambda original: lambda text: text)


class AllCanariesAreStruck(TrialFault):
    """Takes lines with a canary out of the whole instruction."""

    breaks = "run-trial/instruction"

    def wrong(self) -> Patch:
        def changed(original: Any) -> Any:
            return lambda text: original("\n".join(line for line in text.split("\n") if "canary" not in line.lower()))

        return replaced(task, "without_canary", changed)


class OraclesNeedNoSolution(TrialFault):
    """Lets the oracle do nothing where there is no solution."""

    breaks = "run-trial/no-solution"

    def wrong(self) -> Patch:
        def changed(original: Any) -> Any:
            async def run(oracle: Oracle, instruction: str, sandbox: TrialSandbox) -> None:
                try:
                    await original(oracle, instruction, sandbox)
                except FileNotFoundError:
                    return

            return run

        return replaced(Oracle, "run", changed)


class StepsHaveNoSolutions(TrialFault):
    """Runs the task's solution in every step."""

    breaks = "run-trial/step-solution"
    seen_by = "test_injected_faults"

    def wrong(self) -> Patch:
        def changed(original: Any) -> Any:
            async def run(oracle: Oracle, instruction: str, sandbox: TrialSandbox) -> None:
                oracle._runs = 10**6
                await original(oracle, instruction, sandbox)

            return run

        return replaced(Oracle, "run", changed)


class EverybodyGetsTheSolution(TrialFault):
    """Uploads the solution for any agent."""

    breaks = "run-trial/solution-by-oracle-only"

    def wrong(self) -> Patch:
        def changed(original: Any) -> Any:
            async def run_agent(life: TrialLife, *arguments: Any) -> None:
                if isinstance(life.agent, Nop | Command) and life.plan.task.solution.exists():
                    await life.sandbox.upload(life.plan.task.solution, SOLUTION)
                await original(life, *arguments)

            return run_agent

        return replaced(TrialLife, "run_agent", changed)


class OracleTimeoutsAreRounded(TrialFault):
    """Gives the solution the nearest whole number of seconds."""

    breaks = "run-trial/oracle-timeout"
    seen_by = "test_injected_fault_in_each_call"

    def wrong(self) -> Patch:
        return mock.patch.object(agents, "int", lambda seconds: round(seconds + 0.499), create=True)


class SolutionsHaveNoTimeout(TrialFault):
    """Leaves the timeout of the solution to the agent's."""

    breaks = "run-trial/oracle-timeout"
    seen_by = "test_injected_faults"

    def wrong(self) -> Patch:
        def change(command: str, options: dict[str, Any]) -> tuple[str, dict[str, Any]]:
            return command, {**options, "timeout": None} if "/solution/" in command else options

        return with_exec(change)


class OracleOutputStays(TrialFault):
    """Does not download what the solution printed."""

    breaks = "run-trial/oracle-output"

    def wrong(self) -> Patch:
        def changed(original: Any) -> Any:
            async def fetch(oracle: Oracle, sandbox: TrialSandbox, target: Path) -> None:
                return None

            return fetch

        return replaced(Oracle, "_fetch_output", changed)


class FailingSolutionsAreErrors(TrialFault):
    """Takes the exit code of the solution for an error."""

    breaks = "run-trial/oracle-exit-code"
    seen_by = "test_injected_fault_in_each_call"

    def wrong(self) -> Patch:
        def changed(original: Any) -> Any:
            def write(path: Path, text: str) -> None:
                original(path, text)
                raise NonZeroAgentExitCodeError(f"the solution exited with code {text}")

            return write

        return replaced(agents, "_write_anew", changed)


class ExitCodesAreLost(TrialFault):
    """Does not write down that the solution failed."""

    breaks = "run-trial/oracle-exit-code"
    seen_by = "test_injected_fault_in_each_call"

    def wrong(self) -> Patch:
        return replaced(agents, "_write_anew", lambda original: lambda path, text: None)


class TestsAreUploadedTwice(TrialFault):
    """Uploads the tests to a sandbox that was built with them."""

    breaks = "run-trial/separate-has-tests"

    def wrong(self) -> Patch:
        def changed(original: Any) -> Any:
            async def verify(tests: Verifier, sandbox: Any, folder: Any, step: Any, *, has_tests: bool) -> Any:
                return await original(tests, sandbox, folder, step, has_tests=False)

            return verify

        return replaced(Verifier, "verify", changed)


class DisabledVerificationVerifies(TrialFault):
    """Verifies although that is disabled."""

    breaks = "run-trial/verification-disabled"

    def wrong(self) -> Patch:
        def changed(original: Any) -> Any:
            def init(life: Any, *arguments: Any) -> None:
                original(life, *arguments)
                life.verifies = True

            return init

        return replaced(TrialLife, "__init__", changed)


class LogsPileUp(TrialFault):
    """Begins a step with the agent's logs of the step before."""

    breaks = "run-trial/logs-reset"

    def wrong(self) -> Patch:
        def changed(original: Any) -> Any:
            async def empty(sandbox: TrialSandbox, folder: str, *, open_to_all: bool) -> None:
                if folder != LOGS_OF_AGENT:
                    await original(sandbox, folder, open_to_all=open_to_all)

            return empty

        return replaced(TrialSandbox, "empty", changed)


class OldTestsStay(TrialFault):
    """Verifies a step with the tests of the step before still there."""

    breaks = "run-trial/logs-reset"

    def wrong(self) -> Patch:
        def changed(original: Any) -> Any:
            async def empty(sandbox: TrialSandbox, folder: str, *, open_to_all: bool) -> None:
                if folder != TESTS:
                    await original(sandbox, folder, open_to_all=open_to_all)

            return empty

        return replaced(TrialSandbox, "empty", changed)


class BothSandboxesRun(TrialFault):
    """Keeps the agent's sandbox while a verifier has its own."""

    breaks = "run-trial/stop-before-separate"
    seen_by = "test_injected_faults"

    def wrong(self) -> Patch:
        def late(original: Any) -> Any:
            async def stop(life: Any) -> None:
                if life.record.failure is None and not _is_verified(life):
                    return
                await original(life)

            return stop

        return replaced(TrialLife, "stop", late)


def _is_verified(life: TrialLife) -> bool:
    parts = [*(life.record.steps or ()), life.record]
    return not life.verifies or any(part.verifier is not None for part in parts)


class ArtifactsStayBehind(TrialFault):
    """Gives a verifier's own sandbox no artifacts."""

    breaks = "run-trial/artifacts-for-verifier"
    seen_by = "test_injected_faults"

    def wrong(self) -> Patch:
        def changed(original: Any) -> Any:
            async def upload(sandbox: Any, folder: Any, artifacts: Any) -> None:
                return None

            return upload

        return replaced(trial_life, "upload_artifacts", changed)


class StepsAreNotPrepared(TrialFault):
    """Does not upload a step's files."""

    breaks = "run-trial/step-preparation"
    seen_by = "test_injected_faults"

    def wrong(self) -> Patch:
        def changed(original: Any) -> Any:
            async def prepare(steps: MultiStep, step: Any, record: Any) -> None:
                with replaced(TrialSandbox, "upload", lambda upload: _nothing):
                    await original(steps, step, record)

            return prepare

        return replaced(MultiStep, "_prepare", changed)


class FailedSetUpsDoNotMatter(TrialFault):
    """Lets the agent work after a set-up that failed."""

    breaks = "run-trial/step-preparation"
    seen_by = "test_injected_fault_in_each_call"

    def wrong(self) -> Patch:
        def changed(original: Any) -> Any:
            async def set_up(steps: MultiStep, step: Any, record: Any, script: str) -> None:
                await original(steps, step, record, script)
                record.failure = None

            return set_up

        return replaced(MultiStep, "_set_up", changed)


async def _nothing(*arguments: Any, **options: Any) -> None:
    pass
