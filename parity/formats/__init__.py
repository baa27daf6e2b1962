"""Pydantic models for the files in Harbor's formats: the names, types and defaults of their fields.

The models only read files. `parity.scorer.result_text` writes them, in Harbor's spelling of numbers.
"""

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
