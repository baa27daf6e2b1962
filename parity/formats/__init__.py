"""The files of Harbor's formats as pydantic models: names, types and defaults of their fields.

The models read. How a document is written, down to the spelling of a number, is in `parity.scorer.result_text`.
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
