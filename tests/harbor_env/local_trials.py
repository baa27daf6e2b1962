"""Runs real trials of the wheel, with any command as agent, on a local sandbox."""

import asyncio
from pathlib import Path

from harbor.models.trial.config import EnvironmentConfig, TaskConfig, TrialConfig
from harbor.models.trial.result import TrialResult
from harbor.trial.trial import Trial

from parity.driver.settings import AgentSettings
from parity.reference.configurations import agent_config
from parity.reference.driving import quietly
from parity.reference.sandbox_environment import SandboxEnvironment

_KIND = f"{SandboxEnvironment.__module__}:{SandboxEnvironment.__name__}"


def run_on_local_sandbox(task: Path, command: str, into: Path) -> tuple[float | None, str | None]:
    """Run a command as the agent of a task, and verify it.

    Args:
        task: the task's folder.
        command: bash source.
        into: the parent of the trial's folder.

    Returns:
        The reward under `reward`, if there are rewards, and the kind of the error, if there is one.
    """
    config = TrialConfig(
        task=TaskConfig(path=task),
        trial_name="trial",
        trials_dir=into,
        agent=agent_config(AgentSettings("command", command)),
        environment=EnvironmentConfig(import_path=_KIND, kwargs={"sandbox": "local"}),
    )
    with quietly():
        result = asyncio.run(_run(config))
    error = result.exception_info.exception_type if result.exception_info else None
    return (result.verifier_result.rewards["reward"] if result.verifier_result else None), error


async def _run(config: TrialConfig) -> TrialResult:
    return await (await Trial.create(config)).run()
