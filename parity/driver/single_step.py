"""Run a trial of a task without steps. Rules: `run-trial/*`. Mirrors harbor.trial.single_step in behaviour."""

from parity.driver.artifacts import download_artifacts
from parity.driver.errors import AgentTimeoutError, NonZeroAgentExitCodeError
from parity.driver.trial_life import TrialLife


class SingleStep:
    """The work of a trial without steps: one instruction, one run of the agent, one verification."""

    def __init__(self, life: TrialLife) -> None:
        self._life = life
        self._has_artifacts = False

    async def run(self) -> None:
        """Run the agent, fetch its artifacts and verify. The agent's sandbox stops before a separate verifier
        starts.
        """
        life = self._life
        await self._run_agent()
        await life.end_agent()
        await life.return_agent_logs()
        await self._fetch_artifacts()
        # Rule: run-trial/stop-before-separate
        if life.config.is_separate():
            await life.stop()
        # Rule: run-trial/verification-disabled
        if life.verifies:
            await life.verify(life.record, life.folder.artifacts)
        await life.stop()

    async def recover(self) -> None:
        """Save logs and artifacts after an error."""
        # Rule: run-trial/recovery
        await self._life.fetch_agent_logs()
        await self._fetch_artifacts()
        await self._life.stop()

    async def _run_agent(self) -> None:
        life = self._life
        try:
            await life.run_agent(life.record)
        # Rule: run-trial/verified-after-error
        except (AgentTimeoutError, NonZeroAgentExitCodeError) as error:
            life.fail(error)
        finally:
            await life.fetch_agent_logs()

    async def _fetch_artifacts(self) -> None:
        # Rule: run-trial/recovery
        if not self._has_artifacts:
            await download_artifacts(self._life.sandbox, self._life.folder.artifacts, self._life.artifacts())
            self._has_artifacts = True
