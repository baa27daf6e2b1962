"""result.json of a trial, filled while the trial runs. Mirrors harbor.models.trial.result.

The record of a phase that has not begun is None, and null in the document.
"""

import traceback
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Self
from uuid import UUID

from parity.driver.documents.writing import time_text
from parity.scorer.job import JobTrial, Usage
from parity.scorer.result_text import Tree
from parity.scorer.values import Rewards, literal_nans

_NOTHING_USED: Mapping[str, Tree] = {
    "n_input_tokens": None,
    "n_cache_tokens": None,
    "n_output_tokens": None,
    "cost_usd": None,
    "rollout_details": None,
    "metadata": None,
}
"""`agent_result` of an agent without a model."""


@dataclass
class Timing:
    """The start and end of a phase, in UTC. As a context manager it measures the phase."""

    started_at: datetime | None = None
    finished_at: datetime | None = None

    # Rule: run-trial/timings
    def __enter__(self) -> Self:
        self.started_at = datetime.now(UTC)
        return self

    def __exit__(self, *error: object) -> None:
        self.finished_at = datetime.now(UTC)

    def tree(self) -> dict[str, Tree]:
        return {"started_at": time_text(self.started_at), "finished_at": time_text(self.finished_at)}


@dataclass(frozen=True)
class Failure:
    """The error that ended a trial or a step."""

    type: str
    """Name of the error's class, without its module."""

    message: str
    traceback: str
    occurred_at: datetime
    """Local time of the error, without a zone."""

    def tree(self) -> dict[str, Tree]:
        return {
            "exception_type": self.type,
            "exception_message": _writable(self.message),
            "exception_traceback": _writable(self.traceback),
            "occurred_at": time_text(self.occurred_at),
        }


def failure_of(error: BaseException) -> Failure:
    """Return the record of an error that is being handled."""
    # Rule: run-trial/message-presence
    return Failure(type(error).__name__, str(error), traceback.format_exc(), datetime.now())


def _writable(text: str) -> str:
    # Harbor cannot write the result of a trial whose error names a file that is not UTF-8; here it is escaped.
    return text.encode("utf-8", "backslashreplace").decode()


@dataclass(frozen=True)
class VerifierResult:
    """The verifier's result. Its rewards are None if reward.json is `null`."""

    rewards: Rewards | None = None

    def tree(self) -> dict[str, Tree]:
        return {"rewards": self.rewards}


@dataclass
class RecordedStep:
    """The record of one step of a trial."""

    name: str
    agent_ran: bool = False
    """Whether the agent started in this step."""

    verifier_result: VerifierResult | None = None
    failure: Failure | None = None
    agent_execution: Timing | None = None
    verifier: Timing | None = None

    def tree(self) -> dict[str, Tree]:
        return {
            "step_name": self.name,
            "agent_result": _NOTHING_USED if self.agent_ran else None,
            "verifier_result": _tree(self.verifier_result),
            "exception_info": _tree(self.failure),
            "agent_execution": _tree(self.agent_execution),
            "verifier": _tree(self.verifier),
        }


@dataclass
class TrialRecord:
    """The record of a trial so far."""

    id: UUID
    task_name: str
    """The name in task.toml, or else the name of the task's folder."""

    trial_name: str
    folder: Path
    """The trial's folder."""

    task: Path
    """The task's folder, as the configuration names it."""

    source: str | None
    task_checksum: str
    config: Tree
    agent_name: str
    agent_version: str
    started_at: datetime
    """Start of the trial, in UTC."""

    model_name: str | None = None
    model_provider: str | None = None
    agent_ran: bool = False
    """Whether the agent started; only for a trial without steps."""

    verifier_result: VerifierResult | None = None
    failure: Failure | None = None
    finished_at: datetime | None = None
    environment_setup: Timing | None = None
    agent_setup: Timing | None = None
    agent_execution: Timing | None = None
    verifier: Timing | None = None
    steps: list[RecordedStep] | None = None
    """The records of the steps; None for a trial without steps."""

    def tree(self) -> dict[str, Tree]:
        # Rule: run-trial/result
        return {
            "id": str(self.id),
            "task_name": self.task_name,
            "trial_name": self.trial_name,
            "trial_uri": self.folder.expanduser().resolve().as_uri(),
            "task_id": {"path": str(self.task)},
            "source": self.source,
            "task_checksum": self.task_checksum,
            # Rule: run-trial/result-config
            "config": self.config,
            "agent_info": {"name": self.agent_name, "version": self.agent_version, "model_info": self._model()},
            "agent_result": _NOTHING_USED if self.agent_ran else None,
            "verifier_result": _tree(self.verifier_result),
            "exception_info": _tree(self.failure),
            "started_at": time_text(self.started_at),
            "finished_at": time_text(self.finished_at),
            "environment_setup": _tree(self.environment_setup),
            "agent_setup": _tree(self.agent_setup),
            "agent_execution": _tree(self.agent_execution),
            "verifier": _tree(self.verifier),
            "step_results": None if self.steps is None else [step.tree() for step in self.steps],
        }

    def _model(self) -> Tree:
        return None if self.model_name is None else {"name": self.model_name, "provider": self.model_provider}

    def job_trial(self) -> JobTrial:
        """Return the trial for the job's stats."""
        rewards = None if self.verifier_result is None else self.verifier_result.rewards
        # Rule: run-job/step-errors
        error = None if self.failure is None else self.failure.type
        runs = [self.agent_ran] if self.agent_ran else [step.agent_ran for step in self.steps or ()]
        usage = tuple(Usage() for ran in runs if ran)
        return JobTrial(
            self.agent_name,
            self.model_name,
            self.source,
            self.task_name,
            rewards,
            self.trial_name,
            error,
            usage,
            literal_nans(rewards),
        )


def _tree(record: Timing | Failure | VerifierResult | None) -> dict[str, Tree] | None:
    return None if record is None else record.tree()
