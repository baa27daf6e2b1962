"""The operation `aggregate`, which computes one metric from the rewards of many trials."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from parity.formats import METRIC_NAMES
from parity.operations.aggregate.case import AggregateCase
from parity.operations.aggregate.rules import RULES
from parity.operations.codec import Codec, Form
from parity.operations.operation import Operation
from parity.operations.wire import WireError
from parity.scorer.values import Rewards


def _check(case: AggregateCase) -> None:
    if case.metric not in METRIC_NAMES:
        raise WireError(f"must have one of the metrics {', '.join(METRIC_NAMES)}, not {case.metric!r:.60}")


class Aggregate(Operation[AggregateCase]):
    """The operation `aggregate`, which computes one metric from the rewards of many trials."""

    name = "aggregate"
    rules = RULES
    codec = Codec(AggregateCase, "an aggregate case", {AggregateCase: Form(check=_check)}, unknown="ignore")

    @contextmanager
    def arguments(self, case: AggregateCase) -> Iterator[tuple[str, list[Rewards | None]]]:
        yield case.metric, [None if reward is None else dict(reward) for reward in case.rewards]

    def describe(self, case: AggregateCase) -> str:
        return f"{case.metric} of {list(case.rewards)!r}"

    def case_of(self, *arguments: Any) -> AggregateCase:
        metric, rewards = arguments
        return AggregateCase(metric, tuple(rewards))


AGGREGATE = Aggregate()

__all__ = ["AGGREGATE", "AggregateCase"]
