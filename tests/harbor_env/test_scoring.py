"""From reward files to one number: by Harbor's rules, and by the documentation."""

import math
from pathlib import Path

import pytest

from parity.harbor_env import AmbiguousRewardError, Score
from parity.harbor_env.scoring import average, documented_score, harbor_score, one_number
from parity.scorer.values import Rewards


@pytest.mark.parametrize(
    ("rewards", "expected"),
    [
        (None, 0.0),
        ({}, 0.0),
        ({"reward": 0.5}, 0.5),
        ({"speed": 0.5}, 0.5),
        ({"": -2}, -2.0),
        ({"reward": 0.25, "speed": 8}, 0.25),
        ({"speed": 8, "reward": 0.25}, 0.25),
        ({"reward": 2**53 + 1}, float(2**53)),
        ({"reward": math.inf}, math.inf),
    ],
)
def test_one_number(rewards: Rewards | None, expected: float) -> None:
    """A single key counts whatever its name is; of several, only `reward` counts."""
    number = one_number(rewards)

    assert (number, type(number)) == (expected, float)


def test_several_rewards_without_the_key_are_no_number() -> None:
    """Several keys without `reward` give an error."""
    with pytest.raises(AmbiguousRewardError, match="there are 2 rewards, and none is called 'reward'"):
        one_number({"a": 1, "b": 1})


def test_an_int_beyond_a_double_is_no_number() -> None:
    """An int beyond a double raises an OverflowError, as a mean over it does in Harbor."""
    with pytest.raises(OverflowError):
        one_number({"reward": 10**400})


@pytest.mark.parametrize(
    ("files", "expected"),
    [
        ({"reward.txt": "0.5"}, Score(0.5, {"reward": 0.5})),
        ({"reward.json": '{"reward": 1}'}, Score(1.0, {"reward": 1})),
        ({"reward.txt": "0.5", "reward.json": '{"speed": 2, "reward": 1}'}, Score(1.0, {"speed": 2, "reward": 1})),
        ({"reward.json": "null"}, Score(0.0, None)),
        ({"reward.json": "{}"}, Score(0.0, {})),
    ],
)
def test_harbors_score_of_a_folder(tmp_path: Path, files: dict[str, str], expected: Score) -> None:
    """reward.json is read first, and all keys are kept."""
    for name, text in files.items():
        (tmp_path / name).write_text(text)

    assert harbor_score(tmp_path) == expected


@pytest.mark.parametrize(
    ("files", "rewards", "kind"),
    [
        ({}, None, "RewardFileNotFoundError"),
        ({"reward.txt": ""}, None, "RewardFileEmptyError"),
        ({"reward.txt": "0.5", "reward.json": ""}, None, "RewardFileEmptyError"),
        ({"reward.txt": "a lot"}, None, "VerifierOutputParseError"),
        ({"reward.json": "{"}, None, "VerifierOutputParseError"),
        ({"reward.json": "[1]"}, None, "ValidationError"),
        ({"reward.json": '{"reward": "a lot"}'}, None, "ValidationError"),
        ({"reward.json": '{"a": 1, "b": 2}'}, {"a": 1, "b": 2}, "AmbiguousRewardError"),
        ({"reward.json": '{"a": 1' + "0" * 400 + "}"}, {"a": 10**400}, "OverflowError"),
        ({"reward.json": "[" * 100_000}, None, "RecursionError"),
    ],
)
def test_a_fault_is_recorded(tmp_path: Path, files: dict[str, str], rewards: Rewards | None, kind: str) -> None:
    """A fault is recorded with Harbor's kind of error; its reward is 0.0, and readable keys are kept."""
    for name, text in files.items():
        (tmp_path / name).write_text(text)

    score = harbor_score(tmp_path)

    assert (score.reward, score.rewards, type(score.error).__name__) == (0.0, rewards, kind)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("1", 1.0),
        (" 0.5\n", 0.5),
        ("-2", -2.0),
        ("1_000", 1000.0),
        ("1e400", math.inf),
        ("inf", math.inf),
        ('{"reward": 0.5}', 0.5),
        ('{"reward": "0.5"}', 0.5),
        ('{"reward": true}', 1.0),
        ('{"speed": 1}', 0.0),
        ("{}", 0.0),
    ],
)
def test_the_documented_score_of_a_text(text: str, expected: float) -> None:
    """A number, or JSON with one, gives the reward, under the only key."""
    assert documented_score(text) == Score(expected, {"reward": expected})


@pytest.mark.parametrize(
    "text",
    [
        *("", " \n", "a lot", "{", "[0.5]", '"0.5"', "null", "true", '{"reward": null}', '{"reward": [1]}'),
        *('{"reward": "a lot"}', '{"reward": 1' + "0" * 400 + "}", "[" * 100_000, '{"reward": 0.5} 1', "0,5"),
        *("1" * 5000 + "x", "\0", "\ufeff1"),
    ],
)
def test_all_other_texts_are_zero(text: str) -> None:
    """Any other text gives 0.0, without an error."""
    assert documented_score(text) == Score(0.0)


def test_nan_stays_nan() -> None:
    """A nan stays nan in every scoring."""
    scores = [
        documented_score("nan"),
        Score(one_number({"reward": math.nan})),
        Score(average([math.nan])),
    ]

    assert [math.isnan(score.reward) for score in scores] == [True] * 3


@pytest.mark.parametrize(
    ("rewards", "expected"),
    [
        ([1.0], 1.0),
        ([1.0, 0.0], 0.5),
        ([0.1] * 10, 0.1),
        ([0.1, 0.2, 0.3], sum((0.1, 0.2, 0.3)) / 3),
        ([1e308, 1e308], math.inf),
        ([-0.0], 0.0),
    ],
)
def test_the_average_is_harbors_mean(rewards: list[float], expected: float) -> None:
    """The average is Harbor's mean, to the last bit."""
    assert repr(average(rewards)) == repr(expected)


def test_there_is_no_average_of_nothing() -> None:
    """An average of no rewards is an error."""
    with pytest.raises(ZeroDivisionError):
        average([])
