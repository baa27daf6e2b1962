"""The making of trials, which differs between releases: by one class or two, with or without a task read before."""

from inspect import signature
from typing import Any

from harbor.models.task.task import Task
from harbor.models.trial.config import TrialConfig
from harbor.trial.trial import Trial

from parity.reference.having import found

_MULTI_STEP: Any = found("harbor.trial.multi_step", "MultiStepTrial") or Trial
_TAKES_TASK = {"_task", "_task_download_result"} & signature(_MULTI_STEP.__init__).parameters.keys() == {"_task"}


async def make_trial(config: TrialConfig, task: Task | None = None) -> Any:
    """Make a trial of the release.

    Args:
        config: the release's configuration of the trial.
        task: the trial's task with steps, if it has been read; this saves reading the folder again.
    """
    if task is not None and _TAKES_TASK:
        return _MULTI_STEP(config, _task=task)
    return await Trial.create(config)
