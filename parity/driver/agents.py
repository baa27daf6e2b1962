"""The driver's agents: `oracle` runs the solution, `nop` does nothing, and `command` runs any bash command."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar, Protocol

from parity.driver.command_instruction import (
    INSTRUCTION_FILE,
    instruction_variables,
    names_file,
    write_instruction,
)
from parity.driver.documents.configurations import COMMAND_AGENT
from parity.driver.documents.templates import resolve
from parity.driver.errors import NonZeroAgentExitCodeError, with_cause
from parity.driver.log_directories import LogDirectories
from parity.driver.places import COMMAND_OUTPUT, EXIT_CODE, ORACLE_OUTPUT, SOLUTION, SOLVE_SCRIPT
from parity.driver.shell_commands import make_executable, run_command, run_script
from parity.driver.trial_plan import Trial
from parity.driver.trial_sandbox import TrialSandbox

VERSION = "1.0.0"


class Agent(Protocol):
    """An agent that solves a task or one step of a task."""

    name: ClassVar[str]

    async def run(self, instruction: str, sandbox: TrialSandbox, logs: LogDirectories) -> None:
        """Solve the task in the sandbox, as the sandbox's default user."""


class Nop:
    """An agent that does nothing."""

    name: ClassVar = "nop"

    async def run(self, instruction: str, sandbox: TrialSandbox, logs: LogDirectories) -> None:
        pass


@dataclass
class Command:
    """An agent that runs a command. `command_instruction` passes it the instruction."""

    name: ClassVar = "command"
    trial: Trial
    env: Mapping[str, str]

    async def run(self, instruction: str, sandbox: TrialSandbox, logs: LogDirectories) -> None:
        """Run the command.

        Raises:
            NonZeroAgentExitCodeError: the command failed.
            ValueError: the instruction is too long for an environment variable.
        """
        command: str = self.trial.agent.kwargs["command"]
        # Rule: run-trial/agent-variables
        env = {**instruction_variables(command, instruction), **self.env}
        if names_file(command):
            await sandbox.put(write_instruction(self.trial.directory.agent, instruction), INSTRUCTION_FILE)
        ended = await sandbox.exec(run_command(command, COMMAND_OUTPUT), env=env)
        if ended.code != 0:
            message = f"the command exited with code {ended.code}: {command}"
            # The command's output goes to a file. There is output here only if a shell or an engine could not run it.
            printed = ended.stderr or ended.stdout
            raise NonZeroAgentExitCodeError(with_cause(message, printed) if printed else message)


@dataclass
class Oracle:
    """An agent that uploads the solution and runs its script.

    In a step, the step's solution is used if there is one, otherwise the task's solution.
    """

    name: ClassVar = "oracle"
    trial: Trial
    env: Mapping[str, str]
    _runs: int = 0

    async def run(self, instruction: str, sandbox: TrialSandbox, logs: LogDirectories) -> None:
        """Run the solution. If its script fails, this is recorded but not raised.

        Raises:
            FileNotFoundError: there is no solution.
            ValueError: an environment variable that the solution needs is not set on the host.
        """
        task, steps = self.trial.task, self.trial.task.config.steps
        step = steps[self._runs] if self._runs < len(steps) else None
        self._runs += 1
        # Rule: run-trial/step-solution
        solution = task.of_step_or_task("solution", step)
        # Rule: run-trial/no-solution
        if not (solution / "solve.sh").exists():
            raise FileNotFoundError(f"there is no solution at {solution / 'solve.sh'}")
        # Rule: run-trial/solution-by-oracle-only
        await sandbox.put(solution, SOLUTION)
        # Rule: run-trial/allow-before-run
        await sandbox.exec(make_executable(SOLVE_SCRIPT), user="root")
        # Rule: run-trial/agent-variables
        env = {
            "DEBIAN_FRONTEND": "noninteractive",
            **self.env,
            **resolve(task.config.solution.env, self.trial.host),
        }
        # Rules: run-trial/oracle-timeout, run-trial/nan-timeout
        timeout = self.trial.agent_timeout()
        limit = int(timeout) if timeout else None
        ended = await sandbox.exec(run_script(SOLVE_SCRIPT, ORACLE_OUTPUT), env=env, timeout=limit)
        await logs.fetch_oracle_output()
        # Rule: run-trial/oracle-exit-code
        if ended.code != 0:
            path = self.trial.directory.agent / EXIT_CODE
            path.unlink(missing_ok=True)  # a download may have left a link with this name
            path.write_text(str(ended.code))


def agent_of(trial: Trial) -> Agent:
    """Return the agent for a trial.

    Raises:
        ValueError: the agent is unknown, or an environment variable that it needs is not set on the host.
    """
    # Rule: run-trial/missing-variable
    env = resolve(trial.agent.env, trial.host)
    if trial.agent.import_path == COMMAND_AGENT:
        return Command(trial, env)
    match trial.agent.name:
        case "oracle":
            return Oracle(trial, env)
        case "nop":
            return Nop()
    raise ValueError(f"unknown agent {trial.agent.name}: choose oracle, nop, or command with its command")
