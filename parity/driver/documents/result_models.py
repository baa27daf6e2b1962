"""result.json of a job and of its trials, as Harbor reads them again. Mirrors harbor.models in what is taken."""

from parity.driver.documents.models import TRIAL_CONFIG
from parity.scorer.from_disk.reading import (
    Fields,
    Model,
    identifier,
    items,
    mapping,
    number,
    optional,
    rewards,
    table,
    text,
    time,
    whole,
)
from parity.scorer.from_disk.trial_models import trial_result

TRIAL_RESULT = trial_result(TRIAL_CONFIG, rewards)
"""result.json of a trial."""

_COUNTS: Fields = {
    f"n_{state}_trials": (whole, 0) for state in ("completed", "errored", "running", "pending", "cancelled")
}
_GROUP = Model(
    {},
    {
        "n_trials": (whole, 0),
        "n_errors": (whole, 0),
        "metrics": (items(table), []),
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


def _stats(value: object) -> object:
    """What is no object counts as an empty one."""
    return _STATS(value if isinstance(value, dict) else {})


JOB_RESULT = Model(
    {"id": identifier, "started_at": time, "n_total_trials": whole},
    {
        **optional(updated_at=time, finished_at=time),
        "stats": (_stats, _STATS({})),
        "trial_results": (items(TRIAL_RESULT), []),
    },
)
"""result.json of a job."""
