"""The class of cases for `aggregate`: a metric and the rewards of many trials."""

from dataclasses import dataclass

from parity.scorer.values import Rewards


@dataclass(frozen=True)
class AggregateCase:
    """A metric, and the rewards of all trials in order."""

    metric: str
    rewards: tuple[Rewards | None, ...]
