"""The clean-room scorer: reward files to rewards, rewards to metrics, pass@k and the stats of a job.

Written from the rules in `parity.rules`, with the standard library alone. It never imports Harbor.
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
from parity.scorer.pass_at_k import Trial, evals_key, pass_at_k
from parity.scorer.reward_file import read_reward
from parity.scorer.series import OFFICIAL, Series
from parity.scorer.summation import exact_sum
from parity.scorer.trial_reward import MultiStepTrial, Step, TrialReward, trial_reward
from parity.scorer.values import Number, Rewards

__all__ = [
    "METRICS",
    "OFFICIAL",
    "Event",
    "Job",
    "JobTrial",
    "MultiStepTrial",
    "Number",
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
    "pass_at_k",
    "read_reward",
    "trial_reward",
]
