"""Run the steps of a multi-step task, one after another. Rules: `run-trial/*`, `trial-reward/*`.

Mirrors harbor.trial.multi_step in behaviour.
"""

from collections.abc import Sequence
from pathlib import Path
from shlex import quote

from parity.driver.artifacts import download_artifacts, move_contents
from parity.driver.documents.results import Step, exception_info, verified
from parity.driver.errors import HealthcheckError
from parity.driver.rewards import check_keys
from parity.driver.running_trial import RunningTrial
from parity.driver.threads import blocking, in_thread
from parity.formats.task import TaskStep
from parity.scorer.trial_reward import StepRecord, derive, ends_trial


async def run_steps(running: RunningTrial) -> None:
    """Run the steps until one of them ends the trial, and derive the trial's rewards from the steps' rewards."""
    config, directory = running.trial.task.config, running.trial.directory
    results = running.result.step_results = []
    for step in config.steps:
        results.append(Step(step_name=step.name))
        await _run_step(running, step, results[-1])
        # Rule: run-trial/min-reward
        if ends_trial(step.min_reward, _scored(results[-1]), not running.trial.job.verifier.disable):
            break
    # Rule: run-trial/rewards
    derived = derive(config.multi_step_reward_strategy, list(map(_scored, results)), running.context.series)
    check_keys(derived["rewards"], "all steps together have")
    running.result.verifier_result = verified(derived["rewards"]) if derived["verified"] else None
    await running.stop()
    await in_thread(_remove_empty, directory.parts)


@blocking
def _remove_empty(directories: Sequence[Path]) -> None:
    for directory in directories:
        if directory.exists() and not any(directory.iterdir()):
            directory.rmdir()


async def _run_step(running: RunningTrial, step: TaskStep, result: Step) -> None:
    config, directory = running.trial.task.config, running.trial.directory
    own = directory.step(step.name)
    for part in (own.agent, own.verifier):
        part.mkdir(parents=True, exist_ok=True)
    await _prepare(running, step, result)
    if result.exception_info is None:
        await _run_agent(running, step, result)
        await running.end_agent()
        await running.logs.return_agent_logs()
        artifacts = running.logs.artifacts_of_step(own)
        await download_artifacts(running.sandbox, running.logs, artifacts, running.artifacts(step))
        # Rule: run-trial/stop-before-separate
        if config.is_separate(step) and step is config.steps[-1]:
            await running.stop()
        await _verify(running, step, result, artifacts)
    # Rule: run-trial/step-archive
    await in_thread(_move_all, directory.parts, own.parts)


@blocking
def _move_all(sources: Sequence[Path], targets: Sequence[Path]) -> None:
    for source, target in zip(sources, targets, strict=True):
        move_contents(source, target)


async def _prepare(running: RunningTrial, step: TaskStep, result: Step) -> None:
    """Empty the agent's logs, upload the step's files, and run the step's setup script and healthcheck."""
    sandbox = running.sandbox
    running.has_agent_logs = False
    await running.logs.begin_step(is_first=step is running.trial.task.config.steps[0])
    files = running.trial.task.step(step) / "workdir"
    # Rules: run-trial/step-preparation, run-trial/agent-user
    with sandbox.as_user(running.agent_user(step)):
        workdir = await sandbox.working_directory()
        if files.exists():
            await sandbox.put(files, workdir)
        if (files / "setup.sh").exists():
            await _set_up(running, step, result, f"{workdir.rstrip('/')}/setup.sh")
        if result.exception_info is None:
            try:
                await sandbox.check_health(step.healthcheck)
            except HealthcheckError as error:
                result.exception_info = exception_info(error)


async def _set_up(running: RunningTrial, step: TaskStep, result: Step, script: str) -> None:
    try:
        ended = await running.sandbox.exec(f"bash {quote(script)}", timeout=running.sandbox.script_timeout)
        if ended.code != 0:
            raise RuntimeError(f"setup.sh of step {step.name} exited with code {ended.code}: {ended.stderr}")
    except Exception as error:
        result.exception_info = exception_info(error)


async def _run_agent(running: RunningTrial, step: TaskStep, result: Step) -> None:
    try:
        await running.run_agent(result, step)
    # Rule: run-trial/verified-after-error
    except Exception as error:
        result.exception_info = exception_info(error)
    finally:
        await running.fetch_agent_logs()


async def _verify(running: RunningTrial, step: TaskStep, result: Step, artifacts: Path) -> None:
    try:
        await running.verify(result, artifacts, step)
    # Rule: run-trial/first-error
    except Exception as error:
        if result.exception_info is None:
            result.exception_info = exception_info(error)


def _scored(result: Step) -> StepRecord:
    return {
        "verified": result.verifier_result is not None,
        "rewards": None if result.verifier_result is None else result.verifier_result.rewards,
        "exception": None if result.exception_info is None else result.exception_info.exception_type,
    }
