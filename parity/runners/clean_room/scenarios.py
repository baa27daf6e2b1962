"""Executes scenarios of trials and jobs with the clean room's driver."""

import logging
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from itertools import chain
from pathlib import Path
from uuid import UUID

from parity.driver.course import run_trial
from parity.driver.documents.configurations import COMMAND_AGENT, written_job
from parity.driver.documents.resume import ResumeError
from parity.driver.errors import InvalidTask
from parity.driver.job import run_plan
from parity.driver.job_plan import JobPlan, JobRefused, plan_job
from parity.driver.settings import Options
from parity.driver.task import read_task
from parity.driver.trial_plan import RunContext, Trial
from parity.formats.configuration import (
    AgentConfiguration,
    DatasetConfiguration,
    EnvironmentConfiguration,
    JobConfiguration,
    MetricConfiguration,
    RetryConfiguration,
    VerifierConfiguration,
)
from parity.operations.scenarios.scenario import JobScenario, ScenarioSettings, SortedDirectory, TrialScenario
from parity.operations.scenarios.scripted_run import (
    JOB,
    SCRIPTED_ENVIRONMENT,
    TRIAL,
    counted_endings,
    endings,
    roots_of_trial,
    sandboxes_of_job,
    sandboxes_of_trial,
)
from parity.operations.scenarios.scripted_sandbox import ScriptedSandbox, ScriptedSandboxes
from parity.operations.scenarios.settings import AgentSettings
from parity.operations.scenarios.transcripts import Transcript, transcript_of_job, transcript_of_trial
from parity.operations.scenarios.virtual_time import run_virtually
from parity.scorer.series import OFFICIAL, Series

_OPTIONS = Options(allow_network=True)


def run_trial_scenario(scenario: TrialScenario, directory: Path, *, series: Series = OFFICIAL) -> Transcript:
    """Run the trial in an empty directory, and return the transcript.

    Raises:
        ValueError: an environment variable for the sandbox or the agent is not set, or a value in task.toml is wrong.
        FileNotFoundError: a file of the task is missing.
    """
    try:
        task = read_task(scenario.task.write(directory / "task"))
    except InvalidTask as error:  # Harbor raises its cause, or looks for a file
        raise error.__cause__ or FileNotFoundError(str(error)) from error
    job = configuration_of(scenario.settings, directory)
    sandboxes = sandboxes_of_trial(scenario, directory, ScriptedSandbox)
    host = _host(scenario.settings)
    written = written_job(job, host)
    trial = Trial(task, TRIAL, None, job, job.agents[0], _OPTIONS, host, written, written.agents[0])
    with unlogged("parity.driver"), suppress(*endings([scenario.script])):
        run_virtually(run_trial(trial, RunContext(sandboxes, series), UUID(int=0)))
    return transcript_of_trial(trial.directory.path, sandboxes.runs[TRIAL][0].calls, roots_of_trial(directory))


def run_job_scenario(scenario: JobScenario, directory: Path, *, series: Series = OFFICIAL) -> Transcript:
    """Run the job in an empty directory, and return the transcript.

    Raises:
        ValueError: the job cannot be run.
        ExceptionGroup: an error ended the job.
        FileExistsError: the job cannot be resumed from the files in its directory.
    """
    sandboxes = run_scripted_job(scenario, directory, series=series)
    return transcript_of_job(scenario, directory / JOB, sandboxes.runs)


def run_scripted_job(scenario: JobScenario, directory: Path, *, series: Series = OFFICIAL) -> ScriptedSandboxes:
    """Run the job in an empty directory, and return its sandboxes. Raises the same errors as `run_job_scenario`."""
    plan, sandboxes = _plan(scenario, directory)
    scenario.write_earlier(directory / JOB)
    with unlogged("parity.driver"), suppress(*endings(chain(*scenario.scripts))):
        try:
            run_virtually(run_plan(plan, RunContext(sandboxes, series)))
        except ResumeError as error:
            raise FileExistsError(str(error)) from error
    return sandboxes


def _plan(scenario: JobScenario, directory: Path) -> tuple[JobPlan, ScriptedSandboxes]:
    job, sandboxes = configuration_of_job(scenario, directory), sandboxes_of_job(scenario, directory, ScriptedSandbox)
    # Assigned afterwards, because the model would convert a SortedDirectory to a plain path.
    job.jobs_dir = SortedDirectory(directory)
    job.datasets[0].path = scenario.write_tasks(directory)
    try:
        return plan_job(job, _OPTIONS, sandboxes, _host(scenario.settings), counted_endings()), sandboxes
    except JobRefused as error:
        raise ValueError(str(error)) from error


def configuration_of_job(scenario: JobScenario, directory: Path) -> JobConfiguration:
    """Return the configuration of the job. The job's directory and its dataset are in `directory`."""
    job = configuration_of(scenario.settings, directory)
    job.agents += map(_agent, scenario.further_agents)
    job.metrics = [MetricConfiguration(type=metric) for metric in scenario.metrics]  # type: ignore[arg-type]
    job.datasets = [DatasetConfiguration(path=directory / "dataset", n_tasks=scenario.n_tasks)]
    job.n_attempts, job.n_concurrent_trials, job.quiet = scenario.attempts, scenario.concurrent, True
    retry = scenario.retry
    job.retry = RetryConfiguration(
        max_retries=retry.max_retries,
        include_exceptions=None if retry.include is None else set(retry.include),
        exclude_exceptions=None if retry.exclude is None else set(retry.exclude),
        wait_multiplier=retry.wait_multiplier,
        min_wait_sec=retry.min_wait_sec,
        max_wait_sec=retry.max_wait_sec,
    )
    return job


def _host(settings: ScenarioSettings) -> dict[str, str]:
    return {**os.environ, **settings.host}


def configuration_of(settings: ScenarioSettings, directory: Path) -> JobConfiguration:
    """Return the part of a job's or single trial's configuration that only depends on the settings."""
    factors, timeouts = settings.multipliers, settings.verifier_timeouts
    return JobConfiguration(
        job_name=JOB,
        jobs_dir=directory,
        timeout_multiplier=factors.all,
        agent_timeout_multiplier=factors.agent,
        verifier_timeout_multiplier=factors.verifier,
        agent_setup_timeout_multiplier=factors.agent_setup,
        environment_build_timeout_multiplier=factors.environment_build,
        environment=EnvironmentConfiguration(import_path=SCRIPTED_ENVIRONMENT),
        verifier=VerifierConfiguration(
            override_timeout_sec=timeouts.override,
            max_timeout_sec=timeouts.max,
            env=dict(settings.verifier_env),
            disable=not settings.verification,
        ),
        agents=[_agent(settings.agent)],
    )


def _agent(agent: AgentSettings) -> AgentConfiguration:
    is_command = agent.name == "command"
    return AgentConfiguration(
        name=None if is_command else agent.name,
        import_path=COMMAND_AGENT if is_command else None,
        kwargs={"command": agent.command} if is_command else {},
        env=dict(agent.env),
        model_name=agent.model,
        override_timeout_sec=agent.override_timeout,
        override_setup_timeout_sec=agent.override_setup_timeout,
        max_timeout_sec=agent.max_timeout,
    )


@contextmanager
def unlogged(logger: str) -> Iterator[None]:
    """Disable a logger. Scenarios cause errors on purpose, and the errors are compared in transcripts.

    Changing the logger's level instead would clear the caches of hundreds of loggers, which takes as long as a case.
    """
    log = logging.getLogger(logger)
    before, log.disabled = log.disabled, True
    try:
        yield
    finally:
        log.disabled = before
