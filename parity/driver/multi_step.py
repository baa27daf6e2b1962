"""Run a trial of a task with steps. Rules: `run-trial/*`, `trial-reward/*`.

Mirrors harbor.trial.multi_step in behaviour.
"""

from pathlib import Path
from shlex import quote

from parity.driver.artifacts import download_artifacts, move_contents
from parity.driver.documents.result_trees import RecordedStep, VerifierResult, failure_of
from parity.driver.errors import HealthcheckError
from parity.driver.places import LOGS_OF_AGENT, LOGS_OF_ARTIFACTS, LOGS_OF_VERIFIER
from parity.driver.rewards import check_keys
from parity.driver.trial_life import TrialLife
from parity.formats.task import TaskStep
from parity.scorer.series import Series
from parity.scorer.trial_reward import StepRecord, derive, ends_trial


class MultiStep:
    """The work of a trial with steps: they run one after the other until one of them ends the trial."""

    def __init__(self, life: TrialLife, series: Series) -> None:
        self._life, self._series = life, series

    async def run(self) -> None:
        """Run the steps, and derive the trial's rewards from their rewards."""
        life = self._life
        records = life.record.steps = []
        for step in life.config.steps:
            records.append(RecordedStep(step.name))
            await self._run_step(step, records[-1], is_last=step is life.config.steps[-1])
            # Rule: run-trial/min-reward
            if ends_trial(step.min_reward, _scored(records[-1]), life.verifies):
                break
        # Rule: run-trial/rewards
        derived = derive(life.config.multi_step_reward_strategy, [_scored(record) for record in records], self._series)
        check_keys(derived["rewards"], "all steps together have")
        life.record.verifier_result = VerifierResult(derived["rewards"]) if derived["verified"] else None
        await life.stop()
        for folder in life.folder.parts:
            if folder.exists() and not any(folder.iterdir()):
                folder.rmdir()

    async def recover(self) -> None:
        """Save the agent's logs after an error."""
        # Rule: run-trial/recovery
        await self._life.fetch_agent_logs()
        await self._life.stop()

    async def _run_step(self, step: TaskStep, record: RecordedStep, *, is_last: bool) -> None:
        life = self._life
        own = life.folder.step(step.name)
        for folder in (own.agent, own.verifier):
            folder.mkdir(parents=True, exist_ok=True)
        await self._prepare(step, record)
        if record.failure is None:
            await self._run_agent(step, record)
            await life.end_agent()
            await life.return_agent_logs()
            artifacts = own.artifacts if life.sandbox.mounted is None else life.folder.artifacts
            await download_artifacts(life.sandbox, artifacts, life.artifacts(step))
            # Rule: run-trial/stop-before-separate
            if life.config.is_separate(step) and is_last:
                await life.stop()
            # Rule: run-trial/verification-disabled
            if life.verifies:
                await self._verify(step, record, artifacts)
        for source, target in zip(life.folder.parts, own.parts, strict=True):
            # Rule: run-trial/step-archive
            move_contents(source, target)

    async def _prepare(self, step: TaskStep, record: RecordedStep) -> None:
        """Empty the agent's logs, upload the step's files, and run its set-up and healthcheck."""
        life = self._life
        life.agent_logs_are_here = False
        # Rule: run-trial/logs-reset
        if life.sandbox.copies_mounts:
            if len(life.record.steps or ()) > 1:
                await life.sandbox.empty(LOGS_OF_AGENT, LOGS_OF_VERIFIER, LOGS_OF_ARTIFACTS, open_to_all=True)
        elif life.sandbox.mounted is None:  # the content of a mounted folder has already been moved away
            await life.sandbox.empty(LOGS_OF_AGENT, open_to_all=True)
        files = life.plan.task.step(step) / "workdir"
        # Rules: run-trial/step-preparation, run-trial/agent-user
        with life.sandbox.as_user(life.agent_user(step)):
            workdir = await life.sandbox.working_directory()
            if files.exists():
                await life.sandbox.upload(files, workdir)
            if (files / "setup.sh").exists():
                await self._set_up(step, record, f"{workdir.rstrip('/')}/setup.sh")
            if record.failure is None:
                await self._check_health(step, record)

    async def _set_up(self, step: TaskStep, record: RecordedStep, script: str) -> None:
        try:
            ended = await self._life.sandbox.exec(f"bash {quote(script)}", timeout=self._life.sandbox.longest)
            if ended.code != 0:
                raise RuntimeError(f"setup.sh of step {step.name} exited with code {ended.code}: {ended.stderr}")
        except Exception as error:
            record.failure = failure_of(error)

    async def _check_health(self, step: TaskStep, record: RecordedStep) -> None:
        try:
            await self._life.sandbox.check_health(step.healthcheck)
        except HealthcheckError as error:
            record.failure = failure_of(error)

    async def _run_agent(self, step: TaskStep, record: RecordedStep) -> None:
        life = self._life
        try:
            await life.run_agent(record, step)
        # Rule: run-trial/verified-after-error
        except Exception as error:
            record.failure = failure_of(error)
        finally:
            await life.fetch_agent_logs()

    async def _verify(self, step: TaskStep, record: RecordedStep, artifacts: Path) -> None:
        try:
            await self._life.verify(record, artifacts, step)
        # Rule: run-trial/first-error
        except Exception as error:
            if record.failure is None:
                record.failure = failure_of(error)


def _scored(record: RecordedStep) -> StepRecord:
    """Return a step's record in the scorer's form."""
    result = record.verifier_result
    return {
        "verified": result is not None,
        "rewards": None if result is None else result.rewards,
        "exception": None if record.failure is None else record.failure.type,
    }
