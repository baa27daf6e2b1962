"""Turn the files that a verifier wrote into the one number that trainers need.

Rules: `harbor-env/*`, `documented-env/*`.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from parity.driver.reward_limits import read_rewards
from parity.driver.threads import blocking
from parity.harbor_env.errors import AmbiguousRewardError
from parity.scorer.errors import RewardFileNotFoundError, VerifierOutputParseError
from parity.scorer.metrics import aggregate
from parity.scorer.series import OFFICIAL, Series
from parity.scorer.values import Rewards

type Scoring = Literal["harbor", "documented"]
"""The rules that turn files into rewards: Harbor's own, or those in the documentation of HarborEnv."""

KEY = "reward"
"""The key that is used if a task has several rewards, and the only key in the documentation."""


@dataclass(frozen=True)
class Score:
    """The score of a rollout."""

    reward: float
    rewards: Rewards | None = None
    """The rewards under all keys; None if there are no rewards."""

    fault: Exception | None = None
    """The exception that made the reward 0.0; None if there was no fault."""


@blocking
def harbor_score(directory: Path, *, series: Series = OFFICIAL) -> Score:
    """Score a verifier's directory as Harbor does. A fault is recorded, and the reward is 0.0, as in Harbor's mean."""
    try:
        # Rule: harbor-env/rewards
        rewards = read_rewards(directory, series)
    # Rules: harbor-env/error, harbor-env/message-code
    except Exception as error:  # Harbor records any error
        return Score(0.0, None, error)
    try:
        return Score(one_number(rewards, series=series), rewards)
    # Rule: harbor-env/huge-int
    except (AmbiguousRewardError, OverflowError) as error:
        return Score(0.0, rewards, error)


def one_number(rewards: Rewards | None, *, series: Series = OFFICIAL) -> float:
    """Return all rewards of one trial as one number: Harbor's mean over that trial alone.

    A single key is used whatever its name is. If there are several keys, only `reward` is used. Without any key, the
    number is 0.0.

    Raises:
        AmbiguousRewardError: there are several keys, and none is `reward`.
        OverflowError: an int under any key is beyond the range of a double.
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
    """Return Harbor's mean over the rewards of rollouts.

    Raises:
        ZeroDivisionError: there are no rollouts.
    """
    # Rules: harbor-env/average, documented-env/average
    return float(aggregate("mean", [{KEY: reward} for reward in rewards], series=series)["mean"])


@blocking
def documented_score(text: str) -> Score:
    """Score the text of a reward file as HarborEnv's documentation describes.

    The text must be a number, or a JSON object with a number under `reward`. Otherwise the score is 0.0 with a reason.

    Args:
        text: the content of reward.txt, or of reward.json if reward.txt is missing or empty; "" if both are missing or
            empty.
    """
    # Rules: documented-env/zero, documented-env/no-error
    if not text:
        what = "neither reward.txt nor reward.json in /logs/verifier has any content that can be read"
        return Score(0.0, fault=RewardFileNotFoundError(what))
    try:
        return _read(text.strip())
    # Rule: documented-env/never-raises
    except (ValueError, TypeError, OverflowError, RecursionError) as error:
        return Score(0.0, fault=VerifierOutputParseError(f"the reward file gives no number: {str(error)[:200]}"))


def _read(text: str) -> Score:
    try:
        # Rule: documented-env/number
        value = float(text)
    except ValueError:
        # Rule: documented-env/json-in-text
        document = json.loads(text)
        if not isinstance(document, dict):
            raise TypeError("its JSON is not an object") from None
        # Rules: documented-env/reward-key, documented-env/value
        value = float(document.get(KEY, 0.0))
    # Rules: documented-env/reward, documented-env/unbounded
    return Score(value, {KEY: value})
