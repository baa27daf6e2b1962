"""The inputs of the golden vectors: chosen by hand, rule by rule. Their answers are recorded from the wheel.

Those of `outcome` and `reason_code`, which no wheel answers, are written down beside the inputs.
"""

from collections import Counter

from parity.vectors import (
    aggregate,
    harbor_env,
    job_stats,
    outcome,
    pass_at_k,
    read_reward,
    reason_code,
    run_job,
    run_trial,
    trial_reward,
)
from parity.vectors.vector import Vector

VECTORS: dict[str, list[Vector]] = {
    "read_reward": read_reward.VECTORS,
    "aggregate": aggregate.VECTORS,
    "pass_at_k": pass_at_k.VECTORS,
    "trial_reward": trial_reward.VECTORS,
    "run_trial": run_trial.VECTORS,
    "run_job": run_job.VECTORS,
    "job_stats": job_stats.VECTORS,
    "outcome": outcome.VECTORS,
    "reason_code": reason_code.VECTORS,
    "harbor_env": harbor_env.VECTORS,
}
"""Operation to its vectors, in the order of the golden file."""

_repeated = [name for vectors in VECTORS.values() for name, n in Counter(v.id for v in vectors).items() if n > 1]
if _repeated:
    raise ValueError(f"vectors share an id: {', '.join(_repeated)}")

__all__ = ["VECTORS", "Vector"]
