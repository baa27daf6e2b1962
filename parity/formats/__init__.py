"""The files of Harbor's formats as pydantic models: names, types and defaults of their fields.

The models only read. `parity.scorer.result_text` writes documents, down to the spelling of a number.
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
"""Errors that are not retried by default."""
