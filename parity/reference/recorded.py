"""Real trials and jobs of the wheel, played on recording sandboxes in virtual time."""

import asyncio
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from types import SimpleNamespace
from typing import Any, ClassVar
from unittest import mock

import harbor.environments.base as harbor_environments
import harbor.models.trial.config as harbor_trials
from harbor.environments.base import BaseEnvironment
from harbor.job import Job
from harbor.models.job.config import DatasetConfig, JobConfig, RetryConfig
from harbor.models.trial.config import (
    AgentConfig,
    EnvironmentConfig,
    TaskConfig,
    TrialConfig,
    VerifierConfig,
)
from harbor.models.trial.result import TrialResult
from harbor.trial.trial import Trial

from parity.driver.recorded.playing import counted_endings, planned_place
from parity.driver.recorded.plays import JobPlay, PlaySettings, TrialPlay
from parity.driver.recorded.records import Record, record_of_job, record_of_trial
from parity.driver.sandbox import Sandboxes
from parity.driver.sandboxes.recording import Call, RecordingSandboxes
from parity.driver.settings import AgentSettings, Multipliers, RetrySettings
from parity.driver.virtual_time import run_virtually
from parity.reference.command_agent import CommandAgent
from parity.reference.driving import quietly
from parity.reference.sandbox_environment import SandboxEnvironment

_TRIAL = "trial"


class RecordingEnvironment(SandboxEnvironment):
    """Puts trials of the wheel on the recording sandboxes of the play."""

    current: ClassVar[Sandboxes]

    def __init__(self, *arguments: Any, **options: Any) -> None:
        self._sandboxes, self._may_use_network = self.current, True
        BaseEnvironment.__init__(self, *arguments, **options)
        self._sandbox = self._make()

    def _validate_definition(self) -> None:
        """A sandbox in memory is built from nothing."""


_ENVIRONMENT = EnvironmentConfig(import_path=f"{__name__}:RecordingEnvironment")


def play_trial(play: TrialPlay, folder: Path) -> Record:
    """Run the trial in an empty folder with the wheel, and tell what happened."""
    roots = {"trial": folder / "job" / _TRIAL, "task": folder / "task", "folder": folder}
    _, calls = run_trial(play, folder)
    return record_of_trial(folder / "job" / _TRIAL, calls, roots)


def run_trial(play: TrialPlay, folder: Path) -> tuple[TrialResult | None, list[Call]]:
    """Run the trial in an empty folder with the wheel; its result, unless it was cancelled, and its calls."""
    task = play.task.write(folder / "task")
    roots = {"trial": folder / "job" / _TRIAL, "task": task, "folder": folder}
    sandboxes = RecordingSandboxes(lambda name, run: play.script, lambda name: roots)
    config = TrialConfig(
        task=TaskConfig(path=task),
        trial_name=_TRIAL,
        trials_dir=folder / "job",
        agent=agent_config(play.settings.agent),
        environment=_ENVIRONMENT,
        verifier=verifier_config(play.settings),
        job_id="00000000-0000-0000-0000-000000000000",
        **multipliers(play.settings.multipliers),
    )
    result = None
    with played_on(sandboxes, play.settings), suppress(asyncio.CancelledError):
        result = run_virtually(_run(config))
    return result, sandboxes.runs[_TRIAL][0].calls


async def _run(config: TrialConfig) -> TrialResult:
    return await (await Trial.create(config)).run()


def play_job(play: JobPlay, folder: Path) -> Record:
    """Run the job in an empty folder with the wheel, and tell what happened."""
    return record_of_job(folder / "job", run_play(play, folder).runs, {"folder": folder})


def run_play(play: JobPlay, folder: Path) -> RecordingSandboxes:
    """Run the job in an empty folder with the wheel; where it was recorded."""
    dataset = play.write_tasks(folder)
    sandboxes = RecordingSandboxes(
        lambda name, run: play.script(planned_place(name), run),
        lambda name: {"trial": folder / "job" / name, "folder": folder},
    )
    config = JobConfig(
        job_name="job",
        jobs_dir=folder,
        quiet=True,
        n_attempts=play.attempts,
        n_concurrent_trials=play.concurrent,
        retry=retry_config(play.retry),
        environment=_ENVIRONMENT,
        verifier=verifier_config(play.settings),
        agents=[agent_config(play.settings.agent)],
        datasets=[DatasetConfig(path=dataset)],
        **multipliers(play.settings.multipliers),
    )
    config.datasets[0].path = dataset  # as it is: what was given is read as a plain path
    ending = counted_endings()
    endings = SimpleNamespace(random=lambda length: ending())
    with (
        mock.patch.object(harbor_trials, "ShortUUID", return_value=endings),
        played_on(sandboxes, play.settings),
        suppress(asyncio.CancelledError),
    ):
        run_virtually(_run_job(config))
    return sandboxes


async def _run_job(config: JobConfig) -> None:
    await (await Job.create(config)).run()


def retry_config(retry: RetrySettings) -> RetryConfig:
    """The wheel's configuration of retries."""
    return RetryConfig(
        max_retries=retry.max_retries,
        include_exceptions=None if retry.include is None else set(retry.include),
        exclude_exceptions=None if retry.exclude is None else set(retry.exclude),
        wait_multiplier=retry.wait_multiplier,
        min_wait_sec=retry.min_wait_sec,
        max_wait_sec=retry.max_wait_sec,
    )


def agent_config(agent: AgentSettings) -> AgentConfig:
    """The wheel's configuration of an agent."""
    if agent.name != "command":
        return AgentConfig(name=agent.name, env=dict(agent.env))
    return AgentConfig(
        import_path=f"{CommandAgent.__module__}:{CommandAgent.__name__}",
        kwargs={"command": agent.command},
        env=dict(agent.env),
    )


def verifier_config(settings: PlaySettings) -> VerifierConfig:
    """The wheel's configuration of verifiers."""
    return VerifierConfig(env=dict(settings.verifier_env), disable=not settings.verification)


def multipliers(factors: Multipliers) -> dict[str, float | None]:
    """The wheel's names for the factors of timeouts."""
    return {
        "timeout_multiplier": factors.all,
        "agent_timeout_multiplier": factors.agent,
        "verifier_timeout_multiplier": factors.verifier,
        "agent_setup_timeout_multiplier": factors.agent_setup,
        "environment_build_timeout_multiplier": factors.environment_build,
    }


@contextmanager
def played_on(sandboxes: RecordingSandboxes, settings: PlaySettings) -> Iterator[None]:
    """Let the wheel's trials find the sandboxes, the variables of the host, and the clock of the loop."""
    RecordingEnvironment.current = sandboxes
    clock = SimpleNamespace(monotonic=lambda: asyncio.get_running_loop().time())
    with (
        mock.patch.object(harbor_environments, "time", clock),
        mock.patch.dict(os.environ, settings.host),
        quietly(),
    ):
        yield
