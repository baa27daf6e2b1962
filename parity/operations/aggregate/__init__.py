"""`aggregate`: from the rewards of many trials to one metric."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from parity.operations.aggregate.case import AggregateCase
from parity.operations.aggregate.equivalents import EQUIVALENTS
from parity.operations.aggregate.flags import FLAGS, flags_of
from parity.operations.aggregate.rules import RULES
from parity.operations.operation import Operation
from parity.operations.wire import Json, WireError, as_rewards, decode, encode
from parity.scorer.metrics import METRICS
from parity.scorer.values import Rewards


class Aggregate(Operation[AggregateCase]):
    """The operation `aggregate`: from the rewards of many trials to one metric."""

    name = "aggregate"
    rules = RULES
    flag_sentences = FLAGS
    flags = staticmethod(flags_of)
    equivalents = EQUIVALENTS

    @contextmanager
    def arguments(self, case: AggregateCase) -> Iterator[tuple[str, list[Rewards | None]]]:
        yield case.metric, [None if reward is None else dict(reward) for reward in case.rewards]

    def encode(self, case: AggregateCase) -> Json:
        return {"metric": case.metric, "rewards": encode(case.rewards)}

    def decode(self, value: Any) -> AggregateCase:
        match value:
            case {"metric": str(metric), "rewards": [*_]} if metric not in METRICS:
                raise WireError(f"unknown metric {metric!r:.60}; use one of {', '.join(METRICS)}")
            case {"metric": str(metric), "rewards": [*rewards]}:
                return AggregateCase(metric, tuple(as_rewards(decode(reward)) for reward in rewards))
        raise WireError("an aggregate case takes a metric and a list of rewards")

    def describe(self, case: AggregateCase) -> str:
        return f"{case.metric} of {list(case.rewards)!r}"

    def case_of(self, *arguments: Any) -> AggregateCase:
        metric, rewards = arguments
        return AggregateCase(metric, tuple(rewards))


AGGREGATE = Aggregate()

__all__ = ["AGGREGATE", "AggregateCase"]
