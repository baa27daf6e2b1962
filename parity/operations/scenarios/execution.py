"""The execution of scenarios of trials and jobs by the clean room's driver."""

import asyncio
import logging
import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from itertools import chain, count
from pathlib import Path

from parity.driver.documents.configurations import PlannedTrial, trial_config_tree
from parity.driver.documents.resume import ResumeError
from parity.driver.documents.task_digests import task_checksum
from parity.driver.job import run_plan
from parity.driver.job_plan import JobPlan, plan_job
from parity.driver.places import TrialFolder
from parity.driver.settings import EnvironmentSettings, JobSettings
from parity.driver.task import read_task
from parity.driver.trial import run_trial
from parity.driver.trial_plan import RunContext, TrialPlan
from parity.operations.scenarios.recording import RecordingSandbox, RecordingSandboxes, Script
from parity.operations.scenarios.recording_mounted import MountedRecordingSandbox
from parity.operations.scenarios.records import Record, record_of_job, record_of_trial, with_identity
from parity.operations.scenarios.scenario import JobScenario, ScenarioSettings, SortedFolder, TrialScenario
from parity.operations.scenarios.virtual_time import run_virtually
from parity.scorer.series import OFFICIAL, Series

RECORDING = EnvironmentSettings(import_path="parity.reference.recorded:RecordingEnvironment")
"""Harbor's settings for the recording sandbox."""

TRIAL, JOB = "trial", "job"
_NO_ID = "00000000-0000-0000-0000-000000000000"


def endings(scripts: Iterable[Script]) -> tuple[type[BaseException], ...]:
    """Return the exceptions that end a trial or a job from outside; the user's own Ctrl-C is not one of them.

    They are not recorded; the folder shows their effect.
    """
    raised = (effect.text for script in scripts for effect in script.effects.values() if effect.kind == "raise")
    interrupts = (KeyboardInterrupt,) if "KeyboardInterrupt" in raised else ()
    return asyncio.CancelledError, SystemExit, *interrupts


def run_trial_scenario(scenario: TrialScenario, folder: Path, *, series: Series = OFFICIAL) -> Record:
    """Run the trial in an empty folder, and return the record.

    Raises:
        ValueError: a variable for its sandbox or agent is not set.
        InvalidTask: the folder is not a task.
    """
    task = read_task(scenario.task.write(folder / "task"))
    settings = _settings(scenario.settings, folder, JOB)
    sandboxes = sandboxes_of_trial(scenario, folder)
    host = _host(scenario.settings)
    config = trial_config_tree(settings, PlannedTrial(folder / "task", None, TRIAL), job_id=_NO_ID, host=host)
    place = TrialFolder(folder / JOB / TRIAL)
    plan = TrialPlan(task, TRIAL, place, settings, scenario.settings.agent, config, task_checksum(folder / "task"))
    with unlogged("parity.driver"), suppress(*endings([scenario.script])):
        run_virtually(run_trial(plan, RunContext(sandboxes, host, series)))
    return record_of_trial(plan.folder.path, sandboxes.runs[TRIAL][0].calls, roots_of_trial(folder))


def run_job_scenario(scenario: JobScenario, folder: Path, *, series: Series = OFFICIAL) -> Record:
    """Run the job in an empty folder, and return the record.

    Raises:
        JobRefused: the job cannot be run.
        ExceptionGroup: an error ended the job.
        FileExistsError: the job cannot be resumed from the files in its folder.
    """
    sandboxes = run_on_recording(scenario, folder, series=series)
    return with_identity(record_of_job(folder / JOB, sandboxes.runs, {"folder": folder}), scenario, folder / JOB)


def run_on_recording(scenario: JobScenario, folder: Path, *, series: Series = OFFICIAL) -> RecordingSandboxes:
    """Run the job in an empty folder, and return its sandboxes. Raises the same errors as `run_job_scenario`."""
    plan, sandboxes = _plan(scenario, folder)
    scenario.write_earlier(folder / JOB)
    with unlogged("parity.driver"), suppress(*endings(chain(*scenario.scripts))):
        try:
            run_virtually(run_plan(plan, RunContext(sandboxes, _host(scenario.settings), series)))
        except ResumeError as error:
            raise FileExistsError(str(error)) from error
    return sandboxes


def check_job(scenario: JobScenario, folder: Path) -> None:
    """Check in an empty folder that the job can be run.

    Raises:
        JobRefused: the job cannot be run.
    """
    _plan(scenario, folder)


def _plan(scenario: JobScenario, folder: Path) -> tuple[JobPlan, RecordingSandboxes]:
    settings = replace(settings_of(scenario, SortedFolder(folder)), datasets=(scenario.write_tasks(folder),))
    sandboxes = sandboxes_of_job(scenario, folder)
    return plan_job(settings, sandboxes, _host(scenario.settings), counted_endings()), sandboxes


def settings_of(scenario: JobScenario, folder: Path) -> JobSettings:
    """Return the settings of the job without its dataset; the job's folder is made in the given folder."""
    return replace(
        _settings(scenario.settings, folder, JOB),
        agents=(scenario.settings.agent, *scenario.further_agents),
        metrics=scenario.metrics,
        n_tasks=scenario.n_tasks,
        n_attempts=scenario.attempts,
        n_concurrent=scenario.concurrent,
        retry=scenario.retry,
        quiet=True,
    )


def _host(settings: ScenarioSettings) -> dict[str, str]:
    return {**os.environ, **settings.host}


def roots_of_trial(folder: Path) -> dict[str, Path]:
    """Return the folders of a trial that runs in this folder, by the names that stand for them in records."""
    return {"trial": folder / JOB / TRIAL, "task": folder / "task", "folder": folder}


def sandboxes_of_trial(scenario: TrialScenario, folder: Path) -> RecordingSandboxes:
    """Return the recording sandboxes for a trial that runs in this folder."""
    roots = roots_of_trial(folder)
    return RecordingSandboxes(lambda name, run: scenario.script, lambda name: roots, _kind(scenario.settings))


def sandboxes_of_job(scenario: JobScenario, folder: Path) -> RecordingSandboxes:
    """Return the recording sandboxes for a job that runs in this folder, with trial names by `counted_endings`."""
    return RecordingSandboxes(
        lambda name, run: scenario.script(int(name[-7:]), run),
        lambda name: {"trial": folder / JOB / name, "folder": folder},
        _kind(scenario.settings),
    )


def _kind(settings: ScenarioSettings) -> type[RecordingSandbox]:
    return MountedRecordingSandbox if settings.mounted else RecordingSandbox


def counted_endings() -> Callable[[], str]:
    """Return a function that makes endings of trial names, which count the planned trials from 0."""
    numbers = count()
    return lambda: f"{next(numbers):07}"


def _settings(scenario: ScenarioSettings, folder: Path, name: str) -> JobSettings:
    return JobSettings(
        name,
        folder,
        environment=RECORDING,
        multipliers=scenario.multipliers,
        agents=(scenario.agent,),
        verifier_timeouts=scenario.verifier_timeouts,
        verifier_env=scenario.verifier_env,
        disable_verification=not scenario.verification,
        allow_network=True,
    )


@contextmanager
def unlogged(logger: str) -> Iterator[None]:
    """Disable a logger, because a scripted scenario causes its faults on purpose, and records compare them.

    Changing its level would clear the caches of hundreds of loggers, which takes as long as a case.
    """
    log = logging.getLogger(logger)
    before, log.disabled = log.disabled, True
    try:
        yield
    finally:
        log.disabled = before
