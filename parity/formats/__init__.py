"""Pydantic models for the files in Harbor's formats: the names, types and defaults of their fields.

The models only read files. `parity.scorer.result_text` writes them, in Harbor's spelling of numbers.
"""

from typing import Literal, get_args

type MetricType = Literal["mean", "max", "min", "sum", "uv-script"]
"""The types of metrics in a job's configuration. `uv-script` is a program of the user's."""

METRIC_NAMES: tuple[str, ...] = tuple(name for name in get_args(MetricType.__value__) if name != "uv-script")
"""The metrics that Harbor computes itself."""

# Rule: run-job/excluded
NEVER_RETRIED = frozenset(
    {
        "AgentTimeoutError",
        "VerifierTimeoutError",
        "RewardFileNotFoundError",
        "RewardFileEmptyError",
        "VerifierOutputParseError",
    }
)
"""Class names of the exceptions after which a trial is not retried by default."""
