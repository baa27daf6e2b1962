"""Tests for scoring that no golden vector covers: three rewards, and the reason for a documented zero."""

import pytest

from parity.harbor_env.scoring import documented_score, one_number


def test_key_reward_is_used_among_three() -> None:
    """The key `reward` is used, however many other keys there are."""
    assert one_number({"speed": 2, "reward": 0.5, "size": 3}) == 0.5


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("", "RewardFileNotFoundError"),
        (" \n", "VerifierOutputParseError"),
        ("a lot", "VerifierOutputParseError"),
        ("[0.5]", "VerifierOutputParseError"),
        ('{"reward": null}', "VerifierOutputParseError"),
        pytest.param("[" * 100_000, "VerifierOutputParseError", id="deep"),
        pytest.param('{"reward": 1' + "0" * 400 + "}", "VerifierOutputParseError", id="beyond a double"),
    ],
)
def test_documented_zero_has_a_reason(text: str, kind: str) -> None:
    """A text without a number gives 0.0, no rewards, and a short reason with Harbor's exception name."""
    score = documented_score(text)

    assert (score.reward, score.rewards, type(score.fault).__name__) == (0.0, None, kind)
    assert len(str(score.fault)) < 300
