"""Faults in how trials end: their timeouts, their errors, and what is recorded of them."""

from collections.abc import Callable
from functools import wraps
from typing import Any
from unittest import mock

from parity.driver import single_step, timeouts
from parity.driver.documents import configurations
from parity.driver.documents.result_trees import Failure, Timing
from parity.driver.settings import Multipliers
from parity.driver.single_step import SingleStep
from parity.driver.task import Task
from parity.driver.trial_life import TrialLife
from parity.formats.task import TaskConfig
from parity.operations.scenarios.records import Record
from parity.scorer import VerifierOutputParseError
from tests.faulty.fault import Patch, Patching, breaks
from tests.faulty.patches import altered, instead_of, while_patched
from tests.faulty.run_trial.fault import each_config, in_record


@breaks("run-trial/multiplier", seen_by="test_injected_faults")
@instead_of(timeouts, "_factor")
def MultipliersAreMultiplied(original: Any, specific: float | None, multipliers: Multipliers) -> float:
    """Multiplies a specific multiplier with the general one."""
    return multipliers.all * (1.0 if specific is None else specific)


def each_step(change: Callable[[TaskConfig, Any], Any]) -> Patching:
    """Steps that are read as if something else stood in task.toml."""

    @each_config
    @wraps(change)
    def changed(config: TaskConfig) -> TaskConfig:
        return altered(config, steps=tuple(change(config, step) for step in config.steps))

    return changed


@breaks("run-trial/step-agent-timeout", seen_by="test_injected_fault_in_each_call")
@each_step
def StepsHaveTheTasksTimeout(config: TaskConfig, step: Any) -> Any:
    """Gives the agent of every step the task's timeout."""
    return altered(step, agent=altered(step.agent, timeout_sec=None))


@breaks("run-trial/step-verifier-timeout", seen_by="test_injected_fault_in_each_call")
@each_step
def StepVerifiersHaveTheTasksTimeout(config: TaskConfig, step: Any) -> Any:
    """Gives the verifier of a step the task's timeout where that is shorter."""
    return altered(step, verifier=altered(step.verifier, timeout_sec=config.verifier.timeout_sec))


@breaks("run-trial/agent-timeout", seen_by="test_injected_fault_in_each_call")
@while_patched
def AgentTimeoutsEndTheTrial() -> Patch:
    """Verifies nothing after an agent that ran into its timeout."""
    return mock.patch.object(single_step, "AgentTimeoutError", _Never)


class _Never(Exception):
    pass


@breaks("run-trial/cancellation", seen_by="test_injected_fault_in_each_call")
@instead_of(SingleStep, "recover")
async def CancelledTrialsAreDropped(original: Any, work: SingleStep) -> None:
    """Saves nothing of a trial that is cancelled."""
    failure = work._life.record.failure
    if failure is None or failure.type != "CancelledError":
        await original(work)


@breaks("run-trial/stop-error", seen_by="test_injected_fault_in_each_call")
@instead_of(TrialLife, "stop")
async def StopErrorsAreLost(original: Any, life: TrialLife) -> None:
    """Does not record that the sandbox did not stop."""
    before = life.record.failure
    await original(life)
    if before is None and life.record.failure is not None:
        life.record.failure = None
        (life.folder.path / "exception.txt").unlink()


@breaks("run-trial/first-error", seen_by="test_injected_fault_in_each_call")
@instead_of(TrialLife, "fail")
def LastErrorCounts(original: Any, life: TrialLife, error: BaseException) -> None:
    """Records the last error of a trial."""
    life.record.failure = None
    original(life, error)


@breaks("run-trial/verified-after-error", seen_by="test_injected_fault_in_each_call")
@while_patched
def AnyAgentIsVerified() -> Patch:
    """Verifies a trial without steps whatever error its agent ended with."""
    return mock.patch.object(single_step, "NonZeroAgentExitCodeError", Exception)


@breaks("run-trial/min-reward", seen_by="test_any_trial")
@each_step
def NothingIsDemanded(config: TaskConfig, step: Any) -> Any:
    """Goes on after a step below what it demands."""
    return altered(step, min_reward=None)


@breaks("run-trial/rewards", seen_by="test_any_trial")
@each_config
def LastStepCounts(config: TaskConfig) -> TaskConfig:
    """Takes the rewards of the last step for the trial's."""
    return altered(config, multi_step_reward_strategy="final")


@breaks("run-trial/task-name", seen_by="test_any_trial")
@while_patched
def TasksAreCalledByTheirFolder() -> Patch:
    """Does not know a task's own name."""
    return mock.patch.object(Task, "name", property(lambda task: task.folder.name))


@breaks("run-trial/timings", seen_by="test_any_trial")
@instead_of(Timing, "__exit__")
def PhasesNeverEnd(original: Any, timing: Timing, *error: object) -> None:
    """Writes down when a phase began, but not when it ended."""


@breaks("run-trial/config", seen_by="test_any_trial")
@instead_of(configurations, "templatize")
def SecretsAreWritten(original: Any, env: Any, host: Any) -> Any:
    """Writes variables to config.json as they are."""
    return dict(env)


@breaks("run-trial/calls", seen_by="test_any_trial")
@in_record
def CallsTakeLonger(record: Record) -> None:
    """Makes every call a second late."""
    for call in record["calls"]:
        for members in call.values():
            members["at"] += 1.0


@breaks("run-trial/result", seen_by="test_any_trial")
@in_record
def ChecksumsAreShort(record: Record) -> None:
    """Writes down half of the task's checksum."""
    if record["result"]:
        record["result"]["task_checksum"] = record["result"]["task_checksum"][:32]


@breaks("run-trial/message-presence", seen_by="test_any_trial")
@instead_of(Failure, "tree")
def MessagesAreLost(original: Any, failure: Failure) -> Any:
    """Records no messages."""
    return {**original(failure), "exception_message": ""}


@breaks("run-trial/message-code", seen_by="test_what_is_seldom_drawn")
@instead_of(TrialLife, "fail")
def MessagesSayWhatWasRead(original: Any, life: TrialLife, error: BaseException) -> None:
    """Says what stands in a reward.txt that is no number."""
    if isinstance(error, VerifierOutputParseError):
        error.args = (f"{error}: {error.__cause__ or ''}",)
    original(life, error)
