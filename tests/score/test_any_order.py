"""The values of a result.json that do not depend on the order of trials."""

import math

import pytest

from parity.scorer import JobTrial, Usage
from parity.scorer.from_disk.any_order import same_values
from parity.scorer.from_disk.differences import parse
from parity.scorer.from_disk.trial_file import TrialFile

_WANTED = """{"n_total_trials": 3, "stats": {"cost_usd": 0.6000000000000001, "evals": {
"a": {"metrics": [{"mean": 0.5}], "reward_stats": {"reward": {"1": ["x", "y"], "0": ["z"]}}, "exception_stats": {}},
"b": {"metrics": [{"mean": 0.0}], "reward_stats": {}, "exception_stats": {}}}}}"""


def _trials(*rewards: float) -> list[TrialFile]:
    costs = 0.1, 0.2, 0.3
    return [
        TrialFile("", JobTrial("a", None, None, "task", {"reward": reward}, "x", usage=(Usage(cost=cost),)), (), 0.0)
        for reward, cost in zip(rewards, costs, strict=True)
    ]


@pytest.mark.parametrize(
    ("old", "new", "same"),
    [
        ('["x", "y"]', '["y", "x"]', True),
        ('"1": ["x", "y"], "0": ["z"]', '"0": ["z"], "1.0": ["x", "y"]', True),
        ("0.6000000000000001", "0.6", True),
        ("0.6000000000000001", "0.61", False),
        ('["x", "y"]', '["x"]', False),
        ('["z"]', '["z", "z"]', False),
        ('"n_total_trials": 3', '"n_total_trials": 4', False),
        ('"exception_stats": {}}}}', '"exception_stats": {"OSError": []}}}}', False),
        ("0.5", "0.5000000000000001", False),
        ("0.5", "null", False),
        ('[{"mean": 0.0}]', "[]", False),
    ],
)
def test_what_the_order_decides(old: str, new: str, same: bool) -> None:
    """Only the order of names and groups, the spelling of equal rewards, and rounded sums may differ."""
    assert _WANTED.count(old) == 1

    found = same_values(parse(_WANTED), parse(_WANTED.replace(old, new)), _trials(0, 1, 0.5))

    assert found == same


@pytest.mark.parametrize("reward", [math.inf, math.nan, 1.7e308])
def test_sums_that_may_be_anything(reward: float) -> None:
    """If rewards are not finite, or add up beyond a double, any sum is accepted."""
    found = parse(_WANTED.replace("0.5", "null"))

    assert same_values(parse(_WANTED), found, _trials(reward, reward, 0.1))


def test_without_sums() -> None:
    """Metrics and the cost can be left out of the comparison."""
    found = parse(_WANTED.replace('[{"mean": 0.0}]', "[]").replace("0.6000000000000001", "7.0"))

    assert same_values(parse(_WANTED), found, _trials(0, 1, 0.5), sums=False)
