"""The questions that a runner can be asked, one module each.

A module defines the operation's case, how the case looks on the wire, and the flags that say why it is
hard. To add an operation, add its module here, a method to the runners and tests to the suite.
"""

from typing import Any

from parity.operations.aggregate import AGGREGATE, AggregateCase
from parity.operations.file_states import ABSENT, FileState
from parity.operations.harbor_env import HARBOR_ENV
from parity.operations.job_stats import JOB_STATS
from parity.operations.operation import Operation
from parity.operations.outcome import OUTCOME, ResultFile, result_file
from parity.operations.pass_at_k import PASS_AT_K, PassAtKCase
from parity.operations.read_reward import READ_REWARD, RewardFolder, only_json, only_text
from parity.operations.reason_code import REASON_CODE, ErrorText
from parity.operations.run_job import RUN_JOB
from parity.operations.run_trial import RUN_TRIAL
from parity.operations.trial_reward import TRIAL_REWARD

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
        OUTCOME,
        REASON_CODE,
        HARBOR_ENV,
    )
}
"""Every operation by name, in the order of a trial's life."""

__all__ = [
    "ABSENT",
    "AGGREGATE",
    "HARBOR_ENV",
    "JOB_STATS",
    "OPERATIONS",
    "OUTCOME",
    "PASS_AT_K",
    "READ_REWARD",
    "REASON_CODE",
    "RUN_JOB",
    "RUN_TRIAL",
    "TRIAL_REWARD",
    "AggregateCase",
    "ErrorText",
    "FileState",
    "Operation",
    "PassAtKCase",
    "ResultFile",
    "RewardFolder",
    "only_json",
    "only_text",
    "result_file",
]
