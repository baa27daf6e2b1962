"""Runs real jobs of the wheel in memory, from a plan with tasks, agents, attempts and the course of each run.

`run_real_job(directory, plan)` writes the tasks into the directory, runs a `harbor.job.Job`, and returns the job's
directory. A second call with the same directory and plan resumes the job, as `harbor jobs resume` does. Time is
virtual, so trials end in the same order on a busy machine.
"""

import asyncio
import contextlib
import shutil
from collections import Counter
from collections.abc import Callable, Iterator
from functools import cached_property
from pathlib import Path
from typing import Any, ClassVar

from harbor.job import Job as HarborJob
from harbor.models.job.config import DatasetConfig, JobConfig, RetryConfig
from harbor.models.metric.config import MetricConfig
from harbor.environments.base import BaseEnvironment
from harbor.models.agent.context import AgentContext
from harbor.models.trial.config import AgentConfig, EnvironmentConfig, TaskConfig, TrialConfig, VerifierConfig
from harbor.trial.hooks import TrialHookEvent

from parity.operations.scenarios.virtual_time import run_virtually
from parity.reference.driving import quietly
from parity.reference.memory import MemoryAgent, MemoryEnvironment, TrialScript, raise_named, write_rewards
from tests.jobs.plans import PlannedRun, PlannedTask, RealJobPlan, TrialRun


def run_real_job(directory: Path, plan: RealJobPlan, *, kill_after: int | None = None) -> Path:
    """Run or resume the job, and return its directory.

    Args:
        directory: the directory for tasks, datasets and the job.
        plan: the plan of the job.
        kill_after: if not None, leave the directory as if the process was killed when so many runs had ended.
    """
    with planned(directory, plan):
        run_virtually(_run(configuration(plan, directory), kill_after))
    if kill_after is not None:
        leave_as_killed(directory)
    return directory / "job"


@contextlib.contextmanager
def planned(directory: Path, plan: RealJobPlan) -> Iterator[None]:
    """Write the tasks into the directory, and make trials follow the plan inside the `with` block."""
    for task in plan.tasks:
        _write_task(_home(directory, task), task)
    PlannedEnvironment.find = _ScriptFinder(plan.behave)
    with quietly():
        yield


async def _run(config: JobConfig, kill_after: int | None) -> None:
    job = await HarborJob.create(config)
    keep_when_killed(job, kill_after)
    await job.run()


def keep_when_killed(job: HarborJob, after: int | None) -> None:
    """Copy the job's directory at the moment when this number of runs has ended."""
    ended = 0

    async def count(event: TrialHookEvent) -> None:
        nonlocal ended
        ended += 1
        if ended == after:
            shutil.copytree(job.job_dir, job.job_dir.with_name("killed"))

    job.on_trial_ended(count)


def leave_as_killed(directory: Path) -> None:
    """Reset the job's directory to the copy.

    Entries in both are not replaced, because their order in the directory matters.
    """
    job, killed = directory / "job", directory / "killed"
    for path in sorted(job.rglob("*"), reverse=True):  # the entries in a directory come before the directory
        if not (killed / path.relative_to(job)).exists():
            path.rmdir() if path.is_dir() else path.unlink()
    shutil.copytree(killed, job, dirs_exist_ok=True)
    shutil.rmtree(killed)


def configuration(plan: RealJobPlan, directory: Path) -> JobConfig:
    """Return the wheel's configuration for the plan, with tasks, datasets and the job in the directory."""
    datasets = dict.fromkeys(task.dataset for task in plan.tasks if task.dataset is not None)
    return JobConfig(
        job_name="job",
        jobs_dir=directory,
        quiet=True,
        n_attempts=plan.attempts,
        n_concurrent_trials=plan.concurrent,
        retry=RetryConfig(max_retries=plan.retries, min_wait_sec=0),
        environment=EnvironmentConfig(import_path=f"{__name__}:PlannedEnvironment"),
        verifier=VerifierConfig(disable=not plan.verification),
        metrics=[MetricConfig(type=metric) for metric in plan.metrics],
        agents=[
            AgentConfig(import_path=f"{__name__}:PlannedAgent", model_name=model, kwargs={"label": label})
            for label, model in plan.agents
        ],
        datasets=[DatasetConfig(path=directory / "datasets" / name) for name in datasets],
        tasks=[
            TaskConfig(path=_home(directory, task), source=task.source) for task in plan.tasks if task.dataset is None
        ],
    )


def _home(directory: Path, task: PlannedTask) -> Path:
    return (
        directory / "tasks" / task.name if task.dataset is None else directory / "datasets" / task.dataset / task.name
    )


def _write_task(home: Path, task: PlannedTask) -> None:
    if home.exists():
        return
    for name in ("environment", "tests"):
        (home / name).mkdir(parents=True)
    (home / "tests" / "test.sh").write_text("#!/bin/sh\n")
    (home / "instruction.md").write_text("Go on.\n")
    lines = [] if task.strategy is None else [f'multi_step_reward_strategy = "{task.strategy}"']
    for number in range(1, task.steps + 1):
        lines += ["[[steps]]", f'name = "step-{number}"']
        (home / "steps" / f"step-{number}").mkdir(parents=True)
        (home / "steps" / f"step-{number}" / "instruction.md").write_text("Go on.\n")
    (home / "task.toml").write_text("\n".join([*lines, ""]))


class _ScriptFinder:
    """Finds the script for each run. Trials with the same task and agent start in the order of their attempts."""

    def __init__(self, behave: Callable[[TrialRun], PlannedRun]) -> None:
        self._behave = behave
        self._attempts: dict[tuple[str, str], dict[str, int]] = {}
        self._runs: Counter[str] = Counter()

    def __call__(self, config: TrialConfig) -> "_RunScript":
        assert config.task.path is not None
        task, agent = config.task.path.name, str(config.agent.kwargs["label"])
        attempts = self._attempts.setdefault((task, agent), {})
        attempt = attempts.setdefault(config.trial_name, len(attempts))
        run = self._runs[config.trial_name]
        self._runs[config.trial_name] += 1
        return _RunScript(self._behave(TrialRun(task, agent, attempt, run)))


class _RunScript(TrialScript):
    def __init__(self, run: PlannedRun) -> None:
        self.whole = run
        self._steps = iter(run.steps)
        self.now = run

    def start(self) -> None:
        raise_named(self.whole.start)

    def workdir(self) -> None:
        self.now = next(self._steps)

    def agent(self) -> None:
        raise_named(self.now.agent)

    def verify(self, directory: Path) -> None:
        raise_named(self.now.verifier)
        if self.now.text is not None:
            (directory / "reward.txt").write_text(self.now.text)
        else:
            write_rewards(directory, self.now.rewards)


class PlannedEnvironment(MemoryEnvironment):
    """An in-memory environment whose trials follow the plan.

    The names of the trials are not known in advance.
    """

    find: ClassVar[_ScriptFinder]

    @cached_property
    def script(self) -> _RunScript:
        """The script for this run of the trial; each run has its own environment."""
        return self.find(TrialConfig.model_validate_json(self.trial_paths.config_path.read_text()))


class PlannedAgent(MemoryAgent):
    """An agent with a name from the plan that waits for the planned time, and reports the planned usage."""

    def __init__(self, *arguments: Any, label: str, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self._label = label

    def name(self) -> str:  # type: ignore[override]
        return self._label

    async def run(self, instruction: str, environment: BaseEnvironment, context: AgentContext) -> None:
        script: _RunScript = environment.script
        if script.whole.pause:
            await asyncio.sleep(script.whole.pause)
        await super().run(instruction, environment, context)
        usage = script.now.usage
        if usage is not None:
            context.n_input_tokens, context.n_cache_tokens = usage.input_tokens, usage.cache_tokens
            context.n_output_tokens, context.cost_usd = usage.output_tokens, usage.cost
