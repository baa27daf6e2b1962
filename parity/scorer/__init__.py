"""The clean-room scorer: computes rewards from reward files, a job's result.json from its trials, and its outcome.

It implements the rules in `parity.operations.rules` with the standard library alone, and never imports Harbor.
"""

from parity.scorer.errors import (
    RewardFileEmptyError,
    RewardFileNotFoundError,
    ValidationError,
    VerifierOutputParseError,
)
from parity.scorer.job import Event, Job, JobTrial, Usage
from parity.scorer.job_stats import job_stats
from parity.scorer.metrics import METRICS, aggregate
from parity.scorer.outcome import Outcome, outcome
from parity.scorer.pass_at_k import Trial, evals_key, pass_at_k
from parity.scorer.reason_code import REASON_CODES, reason_code
from parity.scorer.reward_file import read_reward
from parity.scorer.series import OFFICIAL, Series
from parity.scorer.summation import exact_sum
from parity.scorer.trial_reward import MultiStepTrial, Step, TrialReward, trial_reward
from parity.scorer.values import Number, Rewards

__all__ = [
    "METRICS",
    "OFFICIAL",
    "REASON_CODES",
    "Event",
    "Job",
    "JobTrial",
    "MultiStepTrial",
    "Number",
    "Outcome",
    "RewardFileEmptyError",
    "RewardFileNotFoundError",
    "Rewards",
    "Series",
    "Step",
    "Trial",
    "TrialReward",
    "Usage",
    "ValidationError",
    "VerifierOutputParseError",
    "aggregate",
    "evals_key",
    "exact_sum",
    "job_stats",
    "outcome",
    "pass_at_k",
    "read_reward",
    "reason_code",
    "trial_reward",
]
