"""The form of a trial's result.json that Harbor requires, without the rewards, for the conditions of `trial_score`."""

from datetime import datetime
from typing import Any, NotRequired, TypedDict
from uuid import UUID

from pydantic import TypeAdapter, ValidationError


class _Path(TypedDict):
    path: str


class _Package(TypedDict):
    org: str
    name: str


class _Name(TypedDict):
    name: str


class _Configuration(TypedDict):
    task: _Path | _Name


class _Agent(TypedDict):
    name: str
    version: str
    model_info: NotRequired[_Name | None]


class _Exception(TypedDict):
    exception_type: str
    exception_message: str
    exception_traceback: str
    occurred_at: datetime


class _Times(TypedDict, total=False):
    started_at: datetime | None
    finished_at: datetime | None


class _Usage(TypedDict, total=False):
    n_input_tokens: int | None
    n_cache_tokens: int | None
    n_output_tokens: int | None
    cost_usd: float | None
    metadata: dict[str, Any] | None


class _Verified(TypedDict, total=False):
    rewards: dict[str, float | int] | None


class _Part(TypedDict, total=False):
    agent_result: _Usage | None
    verifier_result: _Verified | None
    exception_info: _Exception | None
    agent_execution: _Times | None
    verifier: _Times | None


class _Step(_Part):
    step_name: str


class _Trial(_Part, _Times):
    id: NotRequired[UUID]
    task_name: str
    trial_name: str
    trial_uri: str
    task_id: _Path | _Package
    source: NotRequired[str | None]
    task_checksum: str
    config: _Configuration
    agent_info: _Agent
    environment_setup: NotRequired[_Times | None]
    agent_setup: NotRequired[_Times | None]
    step_results: NotRequired[list[_Step] | None]


_TRIAL = TypeAdapter(_Trial)


def form_errors(text: str) -> frozenset[str]:
    """Return pydantic's types of the errors in a trial's result.json, such as `missing`; none if it has the form."""
    try:
        _TRIAL.validate_json(text)
    except ValidationError as error:
        return frozenset(each["type"] for each in error.errors(include_url=False))
    return frozenset()
