"""Faults in how trials end: their timeouts, their errors, and what is recorded of them."""

from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import replace
from typing import Any

from parity.driver import multi_step, single_step, timeouts
from parity.driver.documents.result_trees import Timing
from parity.driver.settings import Multipliers
from parity.driver.single_step import SingleStep
from parity.driver.task import Task
from parity.driver.task_config import TaskConfig
from parity.driver.trial_life import TrialLife
from parity.operations.scenarios.records import Record
from parity.operations.scenarios.scenario import TrialScenario
from tests.faulty.patches import Patch, replaced
from tests.faulty.run_trial.fault import RecordFault, TrialFault, with_config


class MultipliersAreMultiplied(TrialFault):
    """Multiplies a specific multiplier with the general one."""

    breaks = "run-trial/multiplier"
    seen_by = "test_injected_faults"

    def wrong(self) -> Patch:
        def factor(specific: float | None, multipliers: Multipliers) -> float:
            return multipliers.all * (1.0 if specific is None else specific)

        return replaced(timeouts, "_factor", lambda original: factor)


class MultipliersAreAdded(TrialFault):
    """Adds a specific multiplier to the general one."""

    breaks = "run-trial/multiplier"
    seen_by = "test_injected_faults"

    def wrong(self) -> Patch:
        def factor(specific: float | None, multipliers: Multipliers) -> float:
            return multipliers.all + (specific or 0.0)

        return replaced(timeouts, "_factor", lambda original: factor)


def _with_steps(change: Callable[[TaskConfig, Any], Any]) -> Patch:
    return with_config(lambda config: replace(config, steps=tuple(change(config, step) for step in config.steps)))


class StepsHaveTheTasksTimeout(TrialFault):
    """Gives the agent of every step the task's timeout."""

    breaks = "run-trial/step-agent-timeout"
    seen_by = "test_injected_fault_in_each_call"

    def wrong(self) -> Patch:
        return _with_steps(lambda config, step: replace(step, agent=replace(step.agent, timeout=None)))


class StepVerifiersHaveTheTasksTimeout(TrialFault):
    """Gives the verifier of a step the task's timeout where that is shorter."""

    breaks = "run-trial/step-verifier-timeout"
    seen_by = "test_injected_fault_in_each_call"

    def wrong(self) -> Patch:
        def change(config: TaskConfig, step: Any) -> Any:
            return replace(step, verifier=replace(step.verifier, timeout=config.verifier.timeout))

        return _with_steps(change)


class VerifierTimeoutsKeepTheirName(TrialFault):
    """Records the timeout of a verifier as any other."""

    breaks = "run-trial/step-verifier-timeout"
    seen_by = "test_injected_faults"

    def wrong(self) -> Patch:
        return replaced(single_step, "VerifierTimeoutError", lambda original: TimeoutError)


class AgentTimeoutsEndTheTrial(TrialFault):
    """Verifies nothing after an agent that ran into its timeout."""

    breaks = "run-trial/agent-timeout"
    seen_by = "test_injected_fault_in_each_call"

    def wrong(self) -> Patch:
        return replaced(single_step, "AgentTimeoutError", lambda original: _Never)


class AgentsMayFinish(TrialFault):
    """Lets an agent go on that ran into its timeout."""

    breaks = "run-trial/agent-timeout"
    seen_by = "test_injected_fault_in_each_call"

    def wrong(self) -> Patch:
        stack = ExitStack()
        for module in (single_step, multi_step):
            stack.enter_context(replaced(module, "agent_timeout", lambda original: lambda *arguments: None))
        return stack


class _Never(Exception):
    pass


class CancelledTrialsAreDropped(TrialFault):
    """Saves nothing of a trial that is cancelled."""

    breaks = "run-trial/cancellation"
    seen_by = "test_injected_fault_in_each_call"

    def wrong(self) -> Patch:
        def changed(original: Any) -> Any:
            async def recover(work: SingleStep) -> None:
                failure = work._life.record.failure
                if failure is None or failure.type != "CancelledError":
                    await original(work)

            return recover

        return replaced(SingleStep, "recover", changed)


class StopErrorsAreLost(TrialFault):
    """Does not record that the sandbox did not stop."""

    breaks = "run-trial/stop-error"
    seen_by = "test_injected_fault_in_each_call"

    def wrong(self) -> Patch:
        def changed(original: Any) -> Any:
            async def stop(life: TrialLife) -> None:
                before = life.record.failure
                await original(life)
                if before is None and life.record.failure is not None:
                    life.record.failure = None
                    (life.folder.path / "exception.txt").unlink()

            return stop

        return replaced(TrialLife, "stop", changed)


class LastErrorCounts(TrialFault):
    """Records the last error of a trial."""

    breaks = "run-trial/first-error"
    seen_by = "test_injected_fault_in_each_call"

    def wrong(self) -> Patch:
        def changed(original: Any) -> Any:
            def fail(life: TrialLife, error: BaseException) -> None:
                life.record.failure = None
                original(life, error)

            return fail

        return replaced(TrialLife, "fail", changed)


class AnyAgentIsVerified(TrialFault):
    """Verifies a trial without steps whatever error its agent ended with."""

    breaks = "run-trial/verified-after-error"
    seen_by = "test_injected_fault_in_each_call"

    def wrong(self) -> Patch:
        return replaced(single_step, "NonZeroAgentExitCodeError", lambda original: Exception)


class FailedCommandsAreNotVerified(TrialFault):
    """Verifies nothing after a command that exited with an error."""

    breaks = "run-trial/verified-after-error"
    seen_by = "test_injected_fault_in_each_call"

    def wrong(self) -> Patch:
        return replaced(single_step, "NonZeroAgentExitCodeError", lambda original: _Never)


class NothingIsDemanded(TrialFault):
    """Goes on after a step below what it demands."""

    breaks = "run-trial/min-reward"

    def wrong(self) -> Patch:
        return _with_steps(lambda config, step: replace(step, min_reward=None))


class LastStepCounts(TrialFault):
    """Takes the rewards of the last step for the trial's."""

    breaks = "run-trial/rewards"

    def wrong(self) -> Patch:
        return with_config(lambda config: replace(config, strategy="final"))


class TasksAreCalledByTheirFolder(TrialFault):
    """Does not know a task's own name."""

    breaks = "run-trial/task-name"

    def wrong(self) -> Patch:
        return replaced(Task, "name", lambda original: property(lambda task: task.folder.name))


class PhasesNeverEnd(TrialFault):
    """Writes down when a phase began, but not when it ended."""

    breaks = "run-trial/timings"

    def wrong(self) -> Patch:
        return replaced(Timing, "end", lambda original: lambda timing: None)


class SecretsAreWritten(TrialFault):
    """Writes variables to config.json as they are."""

    breaks = "run-trial/config"

    def wrong(self) -> Patch:
        from parity.driver.documents import configurations

        return replaced(configurations, "templatize", lambda original: lambda env, host: dict(env))


class CallsTakeLonger(RecordFault):
    """Makes every call a second late."""

    breaks = "run-trial/calls"

    def rewritten(self, record: Record, scenario: TrialScenario) -> Record:
        for call in record["calls"]:
            for members in call.values():
                members["at"] += 1.0
        return record


class ChecksumsAreShort(RecordFault):
    """Writes down half of the task's checksum."""

    breaks = "run-trial/result"

    def rewritten(self, record: Record, scenario: TrialScenario) -> Record:
        if record["result"]:
            record["result"]["task_checksum"] = record["result"]["task_checksum"][:32]
        return record
