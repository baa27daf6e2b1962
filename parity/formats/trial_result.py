"""Models for a trial's result.json. They mirror harbor.models.trial.result."""

from datetime import datetime
from typing import Any, TypedDict
from uuid import UUID

from parity.formats.document import Document


class PhaseTiming(Document):
    """The start and end of a phase."""

    started_at: datetime | None = None
    finished_at: datetime | None = None


class ExceptionInfo(Document):
    """The exception that ended a trial or a step."""

    exception_type: str
    exception_message: str
    exception_traceback: str
    occurred_at: datetime


class ModelInfo(Document):
    """The language model that an agent uses."""

    name: str
    provider: str | None = None


class AgentInfo(Document):
    """The agent that ran."""

    name: str
    version: str
    model_info: ModelInfo | None = None


class RolloutDetail(TypedDict, total=False):
    """The tokens in one trajectory, by turn."""

    prompt_token_ids: list[list[int]]
    completion_token_ids: list[list[int]]
    logprobs: list[list[float]]
    extra: dict[str, list[Any]]


class AgentResult(Document):
    """The usage that an agent reports for one run. Tokens are counts, the cost is in US dollars."""

    n_input_tokens: int | None = None
    n_cache_tokens: int | None = None
    n_output_tokens: int | None = None
    cost_usd: float | None = None
    rollout_details: list[RolloutDetail] | None = None
    metadata: dict[str, Any] | None = None


class VerifierRewards[Reward](Document):
    """The verifier's result. Its rewards are None if reward.json is `null`."""

    rewards: dict[str, Reward] | None = None


class StepResult[Reward](Document):
    """The result of one step in a multi-step trial."""

    step_name: str
    agent_result: AgentResult | None = None
    verifier_result: VerifierRewards[Reward] | None = None
    exception_info: ExceptionInfo | None = None
    agent_execution: PhaseTiming | None = None
    verifier: PhaseTiming | None = None


class LocalTaskId(Document):
    """A task in a directory."""

    path: str


class GitTaskId(Document):
    """A task in a Git repository."""

    git_url: str
    git_commit_id: str | None = None
    path: str


class PackageTaskId(Document):
    """A task in a package."""

    org: str
    name: str
    ref: str | None = None


class TrialResult[Configuration, Reward](Document):
    """A trial's result.json.

    Harbor writes a reward that is nan or infinite as null, but rejects null when it reads a result. A reader that
    accepts null can choose `Reward` accordingly.
    """

    id: UUID = UUID(int=0)
    task_name: str
    trial_name: str
    trial_uri: str
    task_id: LocalTaskId | GitTaskId | PackageTaskId
    source: str | None = None
    task_checksum: str
    config: Configuration
    agent_info: AgentInfo
    agent_result: AgentResult | None = None
    verifier_result: VerifierRewards[Reward] | None = None
    exception_info: ExceptionInfo | None = None
    started_at: datetime | None = None
    finished_at: datetime | None = None
    environment_setup: PhaseTiming | None = None
    agent_setup: PhaseTiming | None = None
    agent_execution: PhaseTiming | None = None
    verifier: PhaseTiming | None = None
    step_results: list[StepResult[Reward]] | None = None


type PhaseResults[Reward] = TrialResult[Any, Reward] | StepResult[Reward]
"""A result with the fields that trials and steps have in common: agent, verifier, their times, and the exception."""
