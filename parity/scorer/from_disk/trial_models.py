"""The models of a trial's result.json. Ids and times must have Harbor's spelling."""

import math
from collections.abc import Callable
from typing import Any

from parity.scorer.from_disk.reading import (
    DocumentReader,
    Fields,
    Model,
    agent,
    identifier,
    items,
    number,
    optional,
    path,
    rewards,
    table,
    text,
    time,
    whole,
)

_TIMING = Model({}, optional(started_at=time, finished_at=time))
_OF_AGENT = Model(
    {},
    {
        **optional(n_input_tokens=whole, n_cache_tokens=whole, n_output_tokens=whole, cost_usd=number),
        **optional(rollout_details=items(table), metadata=table),
    },
)
ERROR = Model(
    {**dict.fromkeys(("exception_type", "exception_message", "exception_traceback"), text), "occurred_at": time}, {}
)
AGENT_INFO = Model({"name": text, "version": text}, optional(model_info=Model({"name": text}, optional(provider=text))))
_LOCAL_ID = Model({"path": path}, {})
_PACKAGE_ID = Model({"org": text, "name": text}, optional(ref=text))


def _task_id(value: object) -> object:
    """Of a task in a folder, in a repository, or in a package; which of them does not matter here."""
    is_package = isinstance(value, dict) and "path" not in value
    return (_PACKAGE_ID if is_package else _LOCAL_ID)(value)


def trial_result(config: DocumentReader, rewards: DocumentReader) -> Model:
    """The model of a trial's result.json, as Harbor reads it again.

    Args:
        config: reads the configuration.
        rewards: reads a verifier's rewards.
    """
    return Model(
        {
            **dict.fromkeys(("task_name", "trial_name", "trial_uri", "task_checksum"), text),
            "task_id": _task_id,
            "config": config,
            "agent_info": AGENT_INFO,
        },
        {
            **_outcome(rewards),
            "id": (identifier, ""),
            **optional(source=text, started_at=time, finished_at=time, environment_setup=_TIMING, agent_setup=_TIMING),
            **optional(step_results=_steps(rewards)),
        },
    )


def _outcome(rewards: DocumentReader) -> Fields:
    return optional(
        agent_result=_OF_AGENT,
        verifier_result=Model({}, optional(rewards=rewards)),
        exception_info=ERROR,
        agent_execution=_TIMING,
        verifier=_TIMING,
    )


def _steps(rewards: DocumentReader) -> Callable[[object], list[Any]]:
    return items(Model({"step_name": text}, _outcome(rewards)))


def rewards_with_nulls(value: object) -> Any:
    """Rewards that may be null, because they were nan or infinite; such a one is nan."""
    return rewards({name: math.nan if item is None else item for name, item in table(value).items()})


_TASK = Model({}, optional(path=text, git_url=text, name=text, source=text))
STEPS = _steps(rewards_with_nulls)
TRIAL = trial_result(Model({"task": _TASK, "agent": agent}, {}), rewards_with_nulls)
