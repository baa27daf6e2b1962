"""result.json of a job and of its trials, as Harbor reads them again. Mirrors harbor.models in what is taken."""

from collections.abc import Mapping

from parity.driver.documents.models import TRIAL_CONFIG, Fields, optional
from parity.driver.documents.reading import (
    DocumentReader,
    Model,
    anything,
    identifier,
    items,
    mapping,
    number,
    path,
    rewards,
    text,
    time,
    whole,
)

_TIMING = Model({}, optional(started_at=time, finished_at=time))
_OF_AGENT = Model(
    {},
    optional(
        n_input_tokens=whole,
        n_cache_tokens=whole,
        n_output_tokens=whole,
        cost_usd=number,
        rollout_details=items(mapping(anything)),
        metadata=mapping(anything),
    ),
)
_ERROR_TEXTS: Mapping[str, DocumentReader] = dict.fromkeys(
    ("exception_type", "exception_message", "exception_traceback"), text
)
_OUTCOME: Fields = optional(
    agent_result=_OF_AGENT,
    verifier_result=Model({}, optional(rewards=rewards)),
    exception_info=Model({**_ERROR_TEXTS, "occurred_at": time}, {}),
    agent_execution=_TIMING,
    verifier=_TIMING,
)
_LOCAL_ID = Model({"path": path}, {})
_PACKAGE_ID = Model({"org": text, "name": text}, optional(ref=text))


def _task_id(value: object, place: str) -> object:
    """Of a task in a folder, in a repository, or in a package; which of them does not matter here."""
    is_package = isinstance(value, dict) and "path" not in value
    return (_PACKAGE_ID if is_package else _LOCAL_ID)(value, place)


TRIAL_RESULT = Model(
    {
        **dict.fromkeys(("task_name", "trial_name", "trial_uri", "task_checksum"), text),
        "task_id": _task_id,
        "config": TRIAL_CONFIG,
        "agent_info": Model(
            {"name": text, "version": text}, optional(model_info=Model({"name": text}, optional(provider=text)))
        ),
    },
    {
        **_OUTCOME,
        "id": (identifier, None),
        **optional(source=text, started_at=time, finished_at=time, environment_setup=_TIMING, agent_setup=_TIMING),
        **optional(step_results=items(Model({"step_name": text}, _OUTCOME))),
    },
)
"""result.json of a trial."""

_COUNTS: Fields = {
    f"n_{state}_trials": (whole, 0) for state in ("completed", "errored", "running", "pending", "cancelled")
}
_GROUP = Model(
    {},
    {
        "n_trials": (whole, 0),
        "n_errors": (whole, 0),
        "metrics": (items(mapping(anything)), []),
        "pass_at_k": (mapping(number), {}),
        "reward_stats": (mapping(mapping(items(text))), {}),
        "exception_stats": (mapping(items(text)), {}),
    },
)
_STATS = Model(
    {},
    {
        **_COUNTS,
        "n_retries": (whole, 0),
        "evals": (mapping(_GROUP), {}),
        **optional(n_input_tokens=whole, n_cache_tokens=whole, n_output_tokens=whole, cost_usd=number),
    },
)


def _stats(value: object, place: str) -> object:
    """What is no object counts as an empty one."""
    return _STATS(value if isinstance(value, dict) else {}, place)


JOB_RESULT = Model(
    {"id": identifier, "started_at": time, "n_total_trials": whole},
    {
        **optional(updated_at=time, finished_at=time),
        "stats": (_stats, _STATS({})),
        "trial_results": (items(TRIAL_RESULT), []),
    },
)
"""result.json of a job."""
