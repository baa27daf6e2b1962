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
from tests.faulty.fault import Patch, breaks
from tests.faulty.patches import instead_of, while_patched
from tests.faulty.run_trial.fault import Exec, Options, each_command


@breaks("run-trial/agent-variables", seen_by="test_any_trial")
@each_command
def SolutionsPrompt(command: str, options: Options) -> Exec:
    """Runs the solution without DEBIAN_FRONTEND."""
    env = {name: text for name, text in (options.get("env") or {}).items() if text != "noninteractive"}
    return command, {**options, "env": env} if "env" in options else options


@breaks("run-trial/instruction", seen_by="test_any_trial")
@instead_of(task, "without_canary")
def CanariesAreForTheAgent(original: Any, text: str) -> Any:
    """Gives the agent the whole instruction."""
    return text


@breaks("run-trial/no-solution", seen_by="test_any_trial")
@instead_of(Oracle, "run")
async def OraclesNeedNoSolution(original: Any, oracle: Oracle, instruction: str, sandbox: TrialSandbox) -> None:
    """Lets the oracle do nothing where there is no solution."""
    try:
        await original(oracle, instruction, sandbox)
    except FileNotFoundError:
        return


@breaks("run-trial/step-solution", seen_by="test_injected_faults")
@instead_of(Oracle, "run")
async def StepsHaveNoSolutions(original: Any, oracle: Oracle, instruction: str, sandbox: TrialSandbox) -> None:
    """Runs the task's solution in every step."""
    oracle._runs = 10**6
    await original(oracle, instruction, sandbox)


@breaks("run-trial/solution-by-oracle-only", seen_by="test_any_trial")
@instead_of(TrialLife, "run_agent")
async def EverybodyGetsTheSolution(original: Any, life: TrialLife, *arguments: Any) -> None:
    """Uploads the solution for any agent."""
    if isinstance(life.agent, Nop | Command) and life.plan.task.solution.exists():
        await life.sandbox.upload(life.plan.task.solution, SOLUTION)
    await original(life, *arguments)


@breaks("run-trial/oracle-timeout", seen_by="test_injected_fault_in_each_call")
@while_patched
def OracleTimeoutsAreRounded() -> Patch:
    """Gives the solution the nearest whole number of seconds."""
    return mock.patch.object(agents, "int", lambda seconds: round(seconds + 0.499), create=True)


@breaks("run-trial/oracle-output", seen_by="test_any_trial")
@instead_of(Oracle, "_fetch_output")
async def OracleOutputStays(original: Any, oracle: Oracle, sandbox: TrialSandbox, target: Path) -> None:
    """Does not download what the solution printed."""


@breaks("run-trial/oracle-exit-code", seen_by="test_injected_fault_in_each_call")
@instead_of(agents, "_write_anew")
def FailingSolutionsAreErrors(original: Any, path: Path, text: str) -> None:
    """Takes the exit code of the solution for an error."""
    original(path, text)
    raise NonZeroAgentExitCodeError(f"the solution exited with code {text}")
