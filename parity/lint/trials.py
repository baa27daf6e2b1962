"""Runs a task three times: with its solution, with an agent that does nothing, and with one that writes a reward."""

import json
import re
from collections.abc import Awaitable
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from parity.driver.documents.templates import missing_variables
from parity.driver.errors import HealthcheckError
from parity.driver.job import run_plan
from parity.driver.job_plan import plan_job
from parity.driver.places import EXIT_CODE, ORACLE_OUTPUT, TEST_OUTPUT, TrialFolder
from parity.driver.sandbox import Sandboxes
from parity.driver.settings import AgentSettings, JobSettings
from parity.driver.trial_plan import RunContext
from parity.formats.task import TaskConfig
from parity.lint.scripts import script_text
from parity.scorer.values import Rewards

PLANTED = 0.987654321
"""The reward that the third agent writes. No test script gives it by accident."""

_PLANT = f"""
echo {PLANTED} > /logs/verifier/reward.txt
echo '{{"reward": {PLANTED}}}' > /logs/verifier/reward.json
"""
_PRINTED = Path(ORACLE_OUTPUT).name, Path(TEST_OUTPUT).name
_AGENTS = (AgentSettings("oracle"), AgentSettings("nop"), AgentSettings("command", _PLANT))


@dataclass(frozen=True)
class FinishedTrial:
    """The result of one trial."""

    rewards: Rewards | None
    error: str | None
    """The class name of the recorded error."""

    message: str
    """The error's first line."""

    started: bool
    """Whether the sandbox started."""

    exit_code: str | None
    """The exit code of a failed solution, which is not an error of the trial."""

    verifiers: tuple[Path, ...]
    """The verifier's folder, or one for each step."""

    output: str
    """The output of the solution and of the test script, or its beginning."""


@dataclass(frozen=True)
class Trials:
    """The results of a task with each agent."""

    solved: FinishedTrial
    idle: FinishedTrial
    planted: FinishedTrial


class Run(Protocol):
    """A function that runs agents at a task: `run_agents` with some of its arguments given."""

    def __call__(
        self, task: Path, *, name: str, agents: tuple[AgentSettings, ...], times: int = 1
    ) -> Awaitable[list[FinishedTrial]]: ...


async def run_trials(task: Path, jobs: Path, name: str, sandboxes: Sandboxes, *, network: bool = False) -> Trials:
    """Run a task with each of the three agents, as `run_agents` does."""
    return Trials(*await run_agents(task, jobs, name, sandboxes, _AGENTS, network=network))


async def run_agents(
    task: Path,
    jobs: Path,
    name: str,
    sandboxes: Sandboxes,
    agents: tuple[AgentSettings, ...],
    *,
    times: int = 1,
    network: bool = False,
) -> list[FinishedTrial]:
    """Run a task with each agent, without this machine's variables, and return the trials.

    The trials are in the order of the agents. If the agents run more than once, the trials of their second run follow.

    Args:
        task: the task's folder.
        jobs: the folder in which the job's folder is made.
        name: the name of the job.
        sandboxes: the sandboxes of the trials.
        agents: the agents.
        times: how often each agent runs.
        network: whether a task that asks for a network gets one.

    Raises:
        JobRefused: the task cannot be run here.
    """
    settings = JobSettings(
        name, jobs, tasks=(task,), agents=agents, n_attempts=times, n_concurrent=1, quiet=True, allow_network=network
    )
    plan = plan_job(settings, sandboxes, {})
    end = await run_plan(plan, RunContext(sandboxes, {}), others_first=True)
    ended = {trial.name: trial for trial in end.trials}
    steps = [step.name for each in plan.tasks.values() for step in each.config.steps]
    return [
        _left(TrialFolder(settings.folder / planned.name), ended[planned.name].rewards, steps)
        for planned in plan.trials
    ]


def _left(folder: TrialFolder, rewards: Rewards | None, steps: list[str]) -> FinishedTrial:
    result = json.loads((folder.path / "result.json").read_text(encoding="utf-8"))
    failures = [each["exception_info"] for each in (result, *(result.get("step_results") or ()))]
    failure: dict[str, object] = next(filter(None, failures), {})
    message = str(failure.get("exception_message") or "").partition("\n")[0].replace(f"{folder.path}/", "")
    parts = [folder.step(name) for name in steps] or [folder]
    return FinishedTrial(
        rewards,
        error if isinstance(error := failure.get("exception_type"), str) else None,
        message,
        result["agent_setup"] is not None or failure.get("exception_type") == HealthcheckError.__name__,
        next((code.read_text() for part in parts if (code := part.agent / EXIT_CODE).is_file()), None),
        tuple(part.verifier for part in parts if part.verifier.is_dir()),
        "".join(
            script_text(file) for part in parts for file in (part.agent / _PRINTED[0], part.verifier / _PRINTED[1])
        ),
    )


_NO_NETWORK = re.compile(
    r"could not resolve|name resolution|network is unreachable|name or service not known|connection refused"
    r"|failed to (fetch|connect|lookup)|failed to download|no route to host|could not connect|dns error|EAI_AGAIN",
    re.IGNORECASE,
)

_UNSET = re.compile(r"(\w+): (?:unbound variable|parameter not set)")


def unset_variables(config: TaskConfig) -> list[str]:
    """Return the variables that a task asks this machine for. It gets none of them here."""
    tables = [config.solution.env, config.verifier.env]
    tables += [environment.env for environment in config.environments()]
    tables += [step.verifier.env for step in config.steps]
    return list(dict.fromkeys(name for table in tables for name in missing_variables(table, {})))


def lacking(
    task: Path, config: TaskConfig, trials: Trials, *, has_solution: bool, images: bool, network: bool
) -> str | None:
    """Return the reason why the trials of a task cannot be judged; None if they can.

    If the solution earns more than an agent that does nothing, nothing was missing in the sandbox.

    Args:
        task: the task's folder.
        config: the content of its task.toml.
        trials: the results of its trials.
        has_solution: whether the task has a solution.
        images: whether the sandboxes were made from the task's image.
        network: whether the sandboxes had a network.
    """
    for trial in (trials.solved, trials.idle, trials.planted):
        if not trial.started:
            return f"no sandbox started: {trial.message}"
    if has_solution and trials.solved.rewards is not None and trials.solved.rewards != trials.idle.rewards:
        return None
    lacks = []
    image = config.environment.docker_image or _base_image(task)
    if not images and image != "scratch":
        lacks.append(f"the image {image}" if image else "an image (it has no Dockerfile, and no docker_image)")
    outputs = trials.solved.output + trials.idle.output
    if config.environment.network and not network and (said := _NO_NETWORK.search(outputs)):
        lacks.append(f"a network (it prints {said[0]!r})")
    if not lacks:
        return None
    if not images and (said := _UNSET.search(outputs)):
        lacks.append(f"the variable {said[1]} (it prints {said[0]!r})")
    earned = "the solution earns no more than an agent that does nothing" if has_solution else "there is no solution"
    return f"{earned}, in a sandbox without {' and '.join(lacks)}"


def _base_image(task: Path) -> str | None:
    found = re.findall(r"^\s*FROM\s+(?:--\S+\s+)*(\S+)", script_text(task / "environment" / "Dockerfile"), re.M | re.I)
    return found[-1] if found else None
