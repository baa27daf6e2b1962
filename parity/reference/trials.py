"""Runs the wheel's real multi-step trials in memory, from task directories that are written for each case."""

import json
from inspect import signature
from pathlib import Path
from typing import Any

from harbor.models.task.task import Task
from harbor.models.trial.config import AgentConfig, EnvironmentConfig, TaskConfig, TrialConfig, VerifierConfig
from harbor.models.trial.result import StepResult, TrialResult
from harbor.trial.trial import Trial

from parity.operations.files.directories import scratch_directory
from parity.operations.scenarios.scripted_sandbox import exception_named
from parity.operations.scenarios.virtual_time import run_virtually
from parity.reference.driving import quietly
from parity.reference.lookup import lookup
from parity.reference.memory import (
    HEALTHCHECK,
    MemoryAgent,
    MemoryEnvironment,
    TrialScript,
    raise_named,
    write_rewards,
)
from parity.scorer.trial_reward import MultiStepTrial, Step, StepReward, TrialReward


def run_multi_step(trial: MultiStepTrial) -> TrialReward:
    """Write the task, run the trial, and return its rewards and the records of its steps."""
    with scratch_directory() as directory:
        task = write_multi_step_task(directory / "task", trial)
        config = TrialConfig(
            task=TaskConfig(path=task.task_dir),
            trial_name="trial",
            trials_dir=directory,
            agent=AgentConfig(import_path=f"{MemoryAgent.__module__}:{MemoryAgent.__name__}"),
            environment=EnvironmentConfig(import_path=f"{MemoryEnvironment.__module__}:{MemoryEnvironment.__name__}"),
            verifier=VerifierConfig(disable=not trial.verification),
        )
        MemoryEnvironment.current = _Steps(trial)
        with quietly():
            result: TrialResult = run_virtually(_run(config, task))
    steps = result.step_results
    return {"steps": None if steps is None else [_record(step) for step in steps], **_record(result)}


async def _run(config: TrialConfig, task: Task) -> TrialResult:
    return await (await make_trial(config, task)).run()


def _record(result: TrialResult | StepResult) -> StepReward:
    return {
        "verified": result.verifier_result is not None,
        "rewards": result.verifier_result.rewards if result.verifier_result else None,
        "exception": result.exception_info.exception_type if result.exception_info else None,
    }


def write_multi_step_task(directory: Path, trial: MultiStepTrial) -> Task:
    """Write a task directory with the steps step-1, step-2 and so on."""
    (directory / "tests").mkdir(parents=True)
    (directory / "tests" / "test.sh").write_text("#!/bin/sh\n")
    (directory / "environment").mkdir()
    lines = [] if trial.strategy is None else [f'multi_step_reward_strategy = "{trial.strategy}"']
    for number, step in enumerate(trial.steps, 1):
        home = directory / "steps" / f"step-{number}"
        home.mkdir(parents=True)
        (home / "instruction.md").write_text("Go on.\n")
        phase = step.preparation and step.preparation[0]
        if phase == "setup":
            (home / "workdir").mkdir()
            (home / "workdir" / "setup.sh").write_text("#!/bin/sh\n")
        lines += ["[[steps]]", f'name = "{home.name}"']
        if step.min_reward is not None:
            lines.append(f"min_reward = {_toml(step.min_reward)}")
        if phase == "healthcheck":
            lines.append(f'healthcheck = {{command = "{HEALTHCHECK}", retries = 1}}')
    (directory / "task.toml").write_text("\n".join([*lines, ""]), encoding="utf-8")
    return Task(directory)


def _toml(threshold: object) -> str:
    """Write a threshold as TOML, in which numbers may be spelled as in Python's `repr`, including nan and inf."""
    if isinstance(threshold, dict):
        return "{" + ", ".join(f"{_quoted(key)} = {_toml(value)}" for key, value in threshold.items()) + "}"
    return repr(threshold)


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")


class _Steps(TrialScript):
    """The script of a case: its steps, one after the other."""

    def __init__(self, trial: MultiStepTrial) -> None:
        self._trial = trial
        self._rest = enumerate(trial.steps, 1)
        self._number, self._step = 0, Step()

    def start(self) -> None:
        raise_named(self._trial.start)

    def stop(self) -> None:
        raise_named(self._trial.stop)

    def workdir(self) -> None:
        self._number, self._step = next(self._rest)
        self._prepare("workdir")

    def setup(self) -> int:
        return self._prepare("setup", exits="RuntimeError")

    def healthcheck(self) -> int:
        return self._prepare("healthcheck", exits="HealthcheckError")

    def _prepare(self, phase: str, exits: str = "") -> int:
        """Fail if the case demands it.

        Return an exit code if Harbor converts it to the demanded exception; otherwise raise the exception.
        """
        match self._step.preparation:
            case (failing, error) if failing == phase:
                if error == exits:
                    return 1
                raise exception_named(error)
        return 0

    def agent(self) -> None:
        raise_named(self._step.agent)

    def verify(self, directory: Path) -> None:
        if self._step.blocked:
            self._block(directory)
        match self._step.verifier:
            case None:
                write_rewards(directory, self._step.rewards)
            case "RewardFileNotFoundError":
                pass
            case "RewardFileEmptyError":
                (directory / "reward.txt").touch()
            case "VerifierOutputParseError":
                (directory / "reward.txt").write_text("passed")
            case error:
                raise exception_named(error)

    def _block(self, directory: Path) -> None:
        """Write a file at the path of the step's directory, and another one that must be moved into that directory."""
        place = directory.parent / "steps" / f"step-{self._number}" / "verifier"
        place.rmdir()
        place.touch()
        (directory / "test-stdout.txt").touch()


_MULTI_STEP: Any = lookup("harbor.trial.multi_step", "MultiStepTrial") or Trial
_TAKES_TASK = {"_task", "_task_download_result"} & signature(_MULTI_STEP.__init__).parameters.keys() == {"_task"}


async def make_trial(config: TrialConfig, task: Task | None = None) -> Any:
    """Make a trial with the installed release.

    Args:
        config: the trial's configuration, as the release's model.
        task: the trial's multi-step task, if it has been read already, to avoid reading the directory again.
    """
    if task is not None and _TAKES_TASK:
        return _MULTI_STEP(config, _task=task)
    return await Trial.create(config)
