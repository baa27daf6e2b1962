"""Flags: why a case is hard. Every flag is explained here, once.

The suite counts how many cases carried each flag, and the default profile fails when a flag was carried by
none: a corner that is not reached proves nothing.
"""

from collections.abc import Mapping

from parity.flags import (
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

FLAGS: Mapping[str, Mapping[str, str]] = {
    "read_reward": read_reward.FLAGS,
    "aggregate": aggregate.FLAGS,
    "pass_at_k": pass_at_k.FLAGS,
    "trial_reward": trial_reward.FLAGS,
    "run_trial": run_trial.FLAGS,
    "run_job": run_job.FLAGS,
    "job_stats": job_stats.FLAGS,
    "outcome": outcome.FLAGS,
    "reason_code": reason_code.FLAGS,
    "harbor_env": harbor_env.FLAGS,
}
"""Operation to its flags, each with the sentence that explains it."""
