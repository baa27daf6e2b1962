"""The inputs of the golden vectors: chosen by hand, rule by rule. Their answers are recorded from the wheel.

Those of `outcome` and `reason_code`, which no wheel answers, are written down beside the inputs.
"""

from collections import Counter

from parity.vectors import (
    aggregate,
    given,
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
    "read_reward": [*read_reward.VECTORS, *given.VECTORS["read_reward"]],
    "aggregate": [*aggregate.VECTORS, *given.VECTORS["aggregate"]],
    "pass_at_k": [*pass_at_k.VECTORS, *given.VECTORS["pass_at_k"]],
    "trial_reward": [*trial_reward.VECTORS, *given.VECTORS["trial_reward"]],
    "run_trial": [*run_trial.VECTORS, *given.VECTORS["run_trial"]],
    "run_job": [*run_job.VECTORS, *given.VECTORS["run_job"]],
    "job_stats": [*job_stats.VECTORS, *given.VECTORS["job_stats"]],
    "outcome": [*outcome.VECTORS, *given.VECTORS["outcome"]],
    "reason_code": reason_code.VECTORS,
    "harbor_env": [*harbor_env.VECTORS, *given.VECTORS["harbor_env"]],
}
"""Operation to its vectors, in the order of the golden file."""

_repeated = [name for vectors in VECTORS.values() for name, n in Counter(v.id for v in vectors).items() if n > 1]
if _repeated:
    raise ValueError(f"vectors share an id: {', '.join(_repeated)}")

__all__ = ["VECTORS", "Vector"]
