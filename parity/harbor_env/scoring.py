"""What the tests left behind to the one number that a trainer takes. Rules: `harbor-env/*`, `documented-env/*`."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from parity.harbor_env.errors import AmbiguousRewardError
from parity.scorer.metrics import aggregate
from parity.scorer.reward_file import read_reward
from parity.scorer.series import OFFICIAL, Series
from parity.scorer.values import Rewards

type Scoring = Literal["harbor", "documented"]
"""Whose rules turn files into rewards: Harbor's own, or those of HarborEnv's documentation."""

KEY = "reward"
"""The key that counts where a task gives several rewards, and the only one that the documentation knows."""


@dataclass(frozen=True)
class Score:
    """What a rollout is worth."""

    reward: float
    rewards: Rewards | None = None
    """All keys, where there are any."""

    error: Exception | None = None
    """Why there is no more to it than 0.0."""


def harbor_score(folder: Path, *, series: Series = OFFICIAL) -> Score:
    """A verifier's folder as Harbor scores it: a fault is recorded, and is worth 0.0 as a mean takes it."""
    try:
        # Rule: harbor-env/rewards
        rewards = read_reward(folder, series=series)
    # Rules: harbor-env/error, harbor-env/message-code
    except Exception as error:  # whatever it is, Harbor records it
        return Score(0.0, None, error)
    try:
        return Score(one_number(rewards, series=series), rewards)
    # Rule: harbor-env/huge-int
    except (AmbiguousRewardError, OverflowError) as error:
        return Score(0.0, rewards, error)


def one_number(rewards: Rewards | None, *, series: Series = OFFICIAL) -> float:
    """All rewards of one trial as one number: Harbor's mean over that trial alone.

    One key counts whatever its name; of several, `reward` counts; none at all is 0.0.

    Raises:
        AmbiguousRewardError: several keys, and none of them is `reward`.
        OverflowError: an int beyond the range of a double, under whichever key.
    """
    # Rules: harbor-env/reward, harbor-env/negative-zero, harbor-env/huge-int
    means = aggregate("mean", [rewards], series=series)
    if rewards is None or len(rewards) < 2:
        # Rules: harbor-env/one-key, harbor-env/no-rewards
        return float(means["mean"])
    # Rule: harbor-env/ambiguous
    if KEY not in means:
        raise AmbiguousRewardError(f"there are {len(rewards)} rewards, and none is called {KEY!r}")
    # Rule: harbor-env/several-keys
    return float(means[KEY])


def average(rewards: Sequence[float], *, series: Series = OFFICIAL) -> float:
    """Harbor's mean over rollouts, of which those without rewards count as 0.

    Raises:
        ZeroDivisionError: there are none.
    """
    # Rules: harbor-env/average, documented-env/average
    return float(aggregate("mean", [{KEY: reward} for reward in rewards], series=series)["mean"])


def documented_score(text: str) -> Score:
    """What a reward file holds, as the documentation reads it: a number, or JSON with one; else it is 0.0.

    Args:
        text: reward.txt, or reward.json where that is missing or empty; "" where both are.
    """
    try:
        return _read(text.strip())
    # Rules: documented-env/never-raises, documented-env/zero, documented-env/no-error
    except (ValueError, TypeError, OverflowError, RecursionError):
        return Score(0.0)


def _read(text: str) -> Score:
    try:
        # Rule: documented-env/number
        value = float(text)
    except ValueError:
        # Rule: documented-env/json-in-text
        document = json.loads(text)
        if not isinstance(document, dict):
            raise TypeError("reward.json is no object") from None
        # Rules: documented-env/reward-key, documented-env/value
        value = float(document.get(KEY, 0.0))
    # Rules: documented-env/reward, documented-env/unbounded
    return Score(value, {KEY: value})
