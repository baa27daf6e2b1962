"""The operations that a runner can implement, one directory for each, in the order in which a trial uses them."""

from typing import Any

from parity.operations.aggregate import AGGREGATE
from parity.operations.job_stats import JOB_STATS
from parity.operations.operation import Operation
from parity.operations.outcome import OUTCOME
from parity.operations.pass_at_k import PASS_AT_K
from parity.operations.read_reward import READ_REWARD
from parity.operations.reason_code import REASON_CODE
from parity.operations.rollout import HARBOR_ENV
from parity.operations.run_job import RUN_JOB
from parity.operations.run_trial import RUN_TRIAL
from parity.operations.trial_reward import TRIAL_REWARD
from parity.operations.trial_score import TRIAL_SCORE

OPERATIONS: dict[str, Operation[Any]] = {
    operation.name: operation
    for operation in (
        READ_REWARD,
        AGGREGATE,
        PASS_AT_K,
        TRIAL_REWARD,
        RUN_TRIAL,
        RUN_JOB,
        JOB_STATS,
        TRIAL_SCORE,
        OUTCOME,
        REASON_CODE,
        HARBOR_ENV,
    )
}
"""Every operation by name. This is the only list of the operations."""

__all__ = ["OPERATIONS", "Operation"]
