"""Plays trials and jobs with this driver."""

import asyncio
import os
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from itertools import count
from pathlib import Path

from parity.driver.documents.configurations import trial_config_tree
from parity.driver.documents.task_digests import task_checksum
from parity.driver.job import run_job
from parity.driver.job_plan import JobPlan, plan_job
from parity.driver.places import TrialFolder
from parity.driver.recorded.plays import JobPlay, PlaySettings, TrialPlay
from parity.driver.recorded.records import Record, record_of_job, record_of_trial
from parity.driver.sandboxes.recording import RecordingSandboxes
from parity.driver.settings import EnvironmentSettings, JobSettings
from parity.driver.task import read_task
from parity.driver.trial import run_trial
from parity.driver.trial_log import unlogged
from parity.driver.trial_plan import Surroundings, TrialPlan
from parity.driver.virtual_time import run_virtually
from parity.scorer.series import OFFICIAL, Series

RECORDING = EnvironmentSettings(import_path="parity.reference.recorded:RecordingEnvironment")
"""How Harbor would name the recording sandbox."""

TRIAL, JOB = "trial", "job"
_NO_ID = "00000000-0000-0000-0000-000000000000"


def play_trial(play: TrialPlay, folder: Path, *, series: Series = OFFICIAL) -> Record:
    """Run the trial in an empty folder, and tell what happened.

    Raises:
        ValueError: a variable for its sandbox or agent is not there.
        InvalidTask: it is no task.
    """
    task = read_task(play.task.write(folder / "task"))
    settings = _settings(play.settings, folder, JOB)
    roots = {"trial": folder / JOB / TRIAL, "task": folder / "task", "folder": folder}
    sandboxes = RecordingSandboxes(lambda name, run: play.script, lambda name: roots)
    host = _host(play.settings)
    config = trial_config_tree(settings, task=folder / "task", source=None, trial_name=TRIAL, job_id=_NO_ID, host=host)
    plan = TrialPlan(task, TRIAL, TrialFolder(folder / JOB / TRIAL), settings, config, task_checksum(folder / "task"))
    with unlogged(), suppress(asyncio.CancelledError):
        run_virtually(run_trial(plan, Surroundings(sandboxes, host, series)))
    return record_of_trial(plan.folder.path, sandboxes.runs[TRIAL][0].calls, roots)


def play_job(play: JobPlay, folder: Path, *, series: Series = OFFICIAL) -> Record:
    """Run the job in an empty folder, and tell what happened.

    Raises:
        JobRefused: it cannot be run.
        ExceptionGroup: it was ended by an error.
    """
    sandboxes = run_play(play, folder, series=series)
    return record_of_job(folder / JOB, sandboxes.runs, {"folder": folder})


def run_play(play: JobPlay, folder: Path, *, series: Series = OFFICIAL) -> RecordingSandboxes:
    """Run the job in an empty folder; where it was recorded. Raises as `play_job` does."""
    plan, sandboxes = _plan(play, folder)
    with unlogged(), suppress(asyncio.CancelledError):
        run_virtually(run_job(plan, Surroundings(sandboxes, _host(play.settings), series)))
    return sandboxes


def check_job(play: JobPlay, folder: Path) -> None:
    """See in an empty folder whether the job can be run.

    Raises:
        JobRefused: it cannot.
    """
    _plan(play, folder)


def _plan(play: JobPlay, folder: Path) -> tuple[JobPlan, RecordingSandboxes]:
    dataset = play.write_tasks(folder)
    settings = replace(
        _settings(play.settings, folder, JOB),
        datasets=(dataset,),
        n_attempts=play.attempts,
        n_concurrent=play.concurrent,
        retry=play.retry,
        quiet=True,
    )
    sandboxes = RecordingSandboxes(
        lambda name, run: play.script(planned_place(name), run),
        lambda name: {"trial": folder / JOB / name, "folder": folder},
    )
    return plan_job(settings, sandboxes, _host(play.settings), counted_endings()), sandboxes


def _host(settings: PlaySettings) -> dict[str, str]:
    return {**os.environ, **settings.host}


def counted_endings() -> Callable[[], str]:
    """Makes endings of trial names that count the planned trials from 0."""
    numbers = count()
    return lambda: f"{next(numbers):07}"


def planned_place(name: str) -> int:
    """The number in such a name."""
    return int(name[-7:])


def _settings(play: PlaySettings, folder: Path, name: str) -> JobSettings:
    return JobSettings(
        name,
        folder,
        environment=RECORDING,
        multipliers=play.multipliers,
        agent=play.agent,
        verifier_env=play.verifier_env,
        disable_verification=not play.verification,
        allow_network=True,
    )
