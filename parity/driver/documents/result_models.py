"""result.json of a job and of its trials, as Harbor reads them again. Mirrors harbor.models in what is taken."""

from typing import Any

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
_LEGACY = {"n_trials": "n_completed_trials", "n_errors": "n_errored_trials"}
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


_RESULT = Model(
    {"id": identifier, "started_at": time, "n_total_trials": whole},
    {
        **optional(updated_at=time, finished_at=time),
        "stats": (_STATS, _STATS({})),
        "trial_results": (items(TRIAL_RESULT), []),
    },
)


def job_result(value: object) -> dict[str, Any]:
    """The result.json of a job in its uniform form, with the counts that older versions of Harbor kept elsewhere.

    `stats` that are no object count as empty.

    Raises:
        Misfit: it does not fit.
    """
    result = table(value)
    status, stats = (found if isinstance(found := result.get(name), dict) else {} for name in ("status", "stats"))
    # Rules: run-job/resume-legacy-retries, run-job/resume-legacy-damaged
    counts = {
        **{name: status[name] for name in (*_COUNTS, "n_retries") if name in status},
        **{name: stats[legacy] for legacy, name in _LEGACY.items() if legacy in stats},
        **stats,
    }
    updated = result.get("updated_at")
    if updated is None:
        updated = status.get("updated_at") or result.get("finished_at") or result.get("started_at")
    return _RESULT({**result, "stats": counts, "updated_at": updated})
