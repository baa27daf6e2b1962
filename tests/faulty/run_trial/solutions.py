"""Faults of `run_trial`: what agents are given, and the oracle's solution."""

from pathlib import Path
from typing import Any
from unittest import mock

from parity.driver import agents, task
from parity.driver.agents import Command, Nop, Oracle
from parity.driver.errors import NonZeroAgentExitCodeError
from parity.driver.places import SOLUTION
from parity.driver.trial_life import TrialLife
from parity.driver.trial_sandbox import TrialSandbox
from tests.faulty.patches import Patch, replaced
from tests.faulty.run_trial.fault import TrialFault, with_exec


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
