"""Converts trials to the wheel's own models, and back."""

from datetime import UTC, datetime
from functools import cache
from json.decoder import NaN  # type: ignore[attr-defined]
from pathlib import Path
from typing import Any

from harbor.models.agent.context import AgentContext
from harbor.models.task.id import LocalTaskId
from harbor.models.trial.config import TaskConfig, TrialConfig
from harbor.models.trial.result import AgentInfo, ExceptionInfo, ModelInfo, StepResult, TrialResult
from harbor.models.verifier.result import VerifierResult

from parity.scorer.job import JobTrial, Usage
from parity.scorer.pass_at_k import Trial

_TASK_PATH = Path("task")
_TASK_ID = LocalTaskId(path=_TASK_PATH)
CONFIG = TrialConfig(task=TaskConfig(path=_TASK_PATH), trial_name="trial")
LONG_AGO = datetime(2000, 1, 1, tzinfo=UTC)


@cache
def config_of(source: str | None) -> TrialConfig:
    """Build a configuration for trials from a dataset. A running job reads only the dataset in it."""
    return TrialConfig(task=TaskConfig(path=_TASK_PATH, source=source), trial_name="trial")


@cache
def _agent(name: str, model: str | None) -> AgentInfo:
    return AgentInfo(name=name, version="", model_info=None if model is None else ModelInfo(name=model))


def trial_result(trial: Trial | JobTrial) -> TrialResult:
    """Convert a trial to the wheel's own model."""
    result = TrialResult(
        task_name=trial.task,
        trial_name="trial",
        trial_uri="",
        task_id=_TASK_ID,
        source=trial.source,
        task_checksum="",
        config=CONFIG,
        agent_info=_agent(trial.agent, trial.model),
        verifier_result=None if trial.rewards is None else VerifierResult(rewards=_with_real_nans(trial)),
    )
    if isinstance(trial, JobTrial):
        result.trial_name = trial.name
        _add_usage_and_error(result, trial)
    return result


def job_trial(result: TrialResult) -> JobTrial:
    """Convert the wheel's own model to a trial; the inverse of `trial_result`."""
    model = result.agent_info.model_info
    rewards = result.verifier_result.rewards if result.verifier_result else None
    contexts = (
        [result.agent_result] if result.agent_result else [step.agent_result for step in result.step_results or ()]
    )
    return JobTrial(
        result.agent_info.name,
        model.name if model else None,
        result.source,
        result.task_name,
        rewards,
        result.trial_name,
        result.exception_info.exception_type if result.exception_info else None,
        tuple(
            Usage(context.n_input_tokens, context.n_cache_tokens, context.n_output_tokens, context.cost_usd)
            for context in contexts
            if context is not None
        ),
        tuple(key for key, value in (rewards or {}).items() if value is NaN),
    )


def _with_real_nans(trial: Trial | JobTrial) -> dict[str, Any]:
    """Return rewards as if read from files: each literal NaN is the same object, every other nan a separate one."""
    literal = trial.literal_nans if isinstance(trial, JobTrial) else ()
    return {
        key: value if value == value else NaN if key in literal else float("nan")
        for key, value in (trial.rewards or {}).items()
    }


def _add_usage_and_error(result: TrialResult, trial: JobTrial) -> None:
    if trial.exception is not None:
        result.exception_info = ExceptionInfo(
            exception_type=trial.exception, exception_message="", exception_traceback="", occurred_at=LONG_AGO
        )
    contexts = [_context(usage) for usage in trial.usage]
    if len(contexts) == 1:
        result.agent_result = contexts[0]
    elif contexts:
        result.step_results = [StepResult(step_name="step", agent_result=context) for context in contexts]


def _context(usage: Usage) -> AgentContext:
    return AgentContext(
        n_input_tokens=usage.input_tokens,
        n_cache_tokens=usage.cache_tokens,
        n_output_tokens=usage.output_tokens,
        cost_usd=usage.cost,
    )
