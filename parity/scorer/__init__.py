"""The clean-room scorer: reward files to rewards, rewards to metrics and pass@k, result.json to an outcome.

Written from the rules in `parity.rules`, with the standard library alone. It never imports Harbor.
"""

from parity.scorer.errors import (
    RewardFileEmptyError,
    RewardFileNotFoundError,
    ValidationError,
    VerifierOutputParseError,
)
from parity.scorer.metrics import METRICS, aggregate
from parity.scorer.outcome import Outcome, outcome
from parity.scorer.pass_at_k import Trial, evals_key, pass_at_k
from parity.scorer.reason_code import REASON_CODES, reason_code
from parity.scorer.reward_file import read_reward
from parity.scorer.series import OFFICIAL, Series
from parity.scorer.summation import exact_sum
from parity.scorer.values import Number, Rewards

__all__ = [
    "METRICS",
    "OFFICIAL",
    "REASON_CODES",
    "Number",
    "Outcome",
    "RewardFileEmptyError",
    "RewardFileNotFoundError",
    "Rewards",
    "Series",
    "Trial",
    "ValidationError",
    "VerifierOutputParseError",
    "aggregate",
    "evals_key",
    "exact_sum",
    "outcome",
    "pass_at_k",
    "read_reward",
    "reason_code",
]
