"""`aggregate`: the rewards of many trials to one metric."""

from dataclasses import dataclass

from parity.scorer.values import Rewards


@dataclass(frozen=True)
class AggregateCase:
    """A metric and the rewards that it is computed over, in trial order."""

    metric: str
    rewards: tuple[Rewards | None, ...]
