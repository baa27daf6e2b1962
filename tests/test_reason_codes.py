"""The reason codes, and those of the scorer's own errors."""

import pytest

from parity.scorer import (
    REASON_CODES,
    RewardFileEmptyError,
    RewardFileNotFoundError,
    ValidationError,
    VerifierOutputParseError,
)


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (RewardFileNotFoundError, "harbor_reward_missing"),
        (RewardFileEmptyError, "harbor_reward_empty"),
        (VerifierOutputParseError, "harbor_reward_parse_error"),
    ],
)
def test_the_scorer_knows_the_code_of_its_errors(error: type[Exception], code: str) -> None:
    """Errors of the scorer carry their code, so it need not be found in a message."""
    assert error().reason_code == code  # type: ignore[attr-defined]
    assert not hasattr(ValidationError(), "reason_code")


def test_reason_codes() -> None:
    """There are five codes, as in the scoring description."""
    assert REASON_CODES == (
        "harbor_reward_missing",
        "harbor_reward_empty",
        "harbor_reward_parse_error",
        "harbor_result_missing",
        "harbor_result_malformed",
    )
