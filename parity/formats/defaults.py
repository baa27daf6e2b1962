"""Defaults of Harbor's formats that are needed without the models, whose import is slow."""

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
"""Errors that are not retried by default."""
