"""What no vector says about scoring: sums of rewards, and the reason for a documented zero."""

import math

import pytest

from parity.harbor_env.scoring import average, documented_score, one_number


@pytest.mark.parametrize(
    ("rewards", "expected"),
    [([0.1] * 10, 0.1), ([0.1, 0.2, 0.3], sum((0.1, 0.2, 0.3)) / 3), ([1e308, 1e308], math.inf), ([-0.0], 0.0)],
)
def test_average_is_harbors_mean(rewards: list[float], expected: float) -> None:
    """The average is Harbor's mean, to the last bit."""
    assert repr(average(rewards)) == repr(expected)


def test_nan_stays_nan() -> None:
    """A nan stays nan in every scoring."""
    numbers = [documented_score("nan").reward, one_number({"reward": math.nan}), average([math.nan])]

    assert [math.isnan(number) for number in numbers] == [True] * 3


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("", "RewardFileNotFoundError"),
        *(
            (text, "VerifierOutputParseError")
            for text in (" \n", "a lot", "{", "[0.5]", "null", '{"reward": null}', '{"reward": "a lot"}', "[" * 100_000)
        ),
        pytest.param('{"reward": 1' + "0" * 400 + "}", "VerifierOutputParseError", id="beyond a double"),
    ],
)
def test_documented_zero_has_a_reason(text: str, kind: str) -> None:
    """A text that gives no number gives 0.0, no rewards, and the reason by Harbor's name."""
    score = documented_score(text)

    assert (score.reward, score.rewards, type(score.error).__name__) == (0.0, None, kind)
    assert len(str(score.error)) < 300
