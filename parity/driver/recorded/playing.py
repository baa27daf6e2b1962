"""Plays trials and jobs with this driver."""

import asyncio
import os
from contextlib import suppress
from pathlib import Path

from parity.driver.documents.configurations import trial_config_tree
from parity.driver.documents.task_digests import task_checksum
from parity.driver.places import TrialFolder
from parity.driver.recorded.plays import PlaySettings, TrialPlay
from parity.driver.recorded.records import Record, record_of_trial
from parity.driver.sandboxes.recording import RecordingSandboxes
from parity.driver.settings import EnvironmentSettings, JobSettings
from parity.driver.task import read_task
from parity.driver.trial import run_trial
from parity.driver.trial_plan import Surroundings, TrialPlan
from parity.driver.virtual_time import run_virtually
from parity.scorer.series import OFFICIAL, Series

RECORDING = EnvironmentSettings(import_path="parity.reference.recorded:RecordingEnvironment")
"""How Harbor would name the recording sandbox."""

TRIAL = "trial"
_NO_ID = "00000000-0000-0000-0000-000000000000"


def play_trial(play: TrialPlay, folder: Path, *, series: Series = OFFICIAL) -> Record:
    """Run the trial in an empty folder, and tell what happened.

    Raises:
        ValueError: a variable for its sandbox or agent is not there.
        InvalidTask: it is no task.
    """
    task = read_task(play.task.write(folder / "task"))
    settings = _settings(play.settings, folder, "job")
    roots = {"trial": folder / "job" / TRIAL, "task": folder / "task", "folder": folder}
    sandboxes = RecordingSandboxes(lambda name, run: play.script, lambda name: roots)
    host = {**os.environ, **play.settings.host}
    config = trial_config_tree(settings, task=folder / "task", source=None, trial_name=TRIAL, job_id=_NO_ID, host=host)
    plan = TrialPlan(task, TRIAL, TrialFolder(folder / "job" / TRIAL), settings, config, task_checksum(folder / "task"))
    with suppress(asyncio.CancelledError):
        run_virtually(run_trial(plan, Surroundings(sandboxes, host, series)))
    return record_of_trial(plan.folder.path, sandboxes.runs[TRIAL][0].calls, roots)


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
