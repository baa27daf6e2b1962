"""Divergences of `aggregate`, and entries that declare them."""

from collections.abc import Mapping, Sequence
from typing import Any

from parity.operations.aggregate import AGGREGATE, AggregateCase
from parity.operations.answers import Answer, Crash, Fault, NotClaimed, Value
from parity.operations.rules import RULES
from parity.operations.wire import Json
from parity.runners import Unsupported
from parity.scorer import Rewards
from parity.suite.declared import Declaration, Effect
from parity.suite.divergence import Divergence

RULE = "aggregate/value"
CASE = AggregateCase("mean", ({"a": 0.5},))
RIGHT = Value({"a": 0.5})
HIGHER = Value({"a": 1.0})
LOWER = Value({"a": 0.25})
ERROR = Fault("KeyError")
HANG = Crash("it gave no answer within 10 s", hung=True)


class Answers:
    """A runner that always gives the same answer to `aggregate`, and counts its calls."""

    name = "answers"

    def __init__(self, answer: Answer) -> None:
        self.answer = answer
        self.asked = 0

    def aggregate(self, metric: str, rewards: Sequence[Rewards | None]) -> Any:
        self.asked += 1
        match self.answer:
            case Value(value):
                return value
            case Fault(kind):
                raise type(kind, (Exception,), {})
            case NotClaimed(reason):
                raise Unsupported(reason)
        raise SystemExit(1)


def diverging(runner: Answer, case: AggregateCase = CASE, rule: str = RULE, vector: str | None = None) -> Divergence:
    """Return the divergence between the right answer to a case, which may be a golden vector, and a runner's answer."""
    difference = AGGREGATE.compare(case, RIGHT, runner)
    assert difference is not None
    return Divergence(
        AGGREGATE,
        RULES[rule],
        case,
        RIGHT,
        runner,
        difference,
        "some-runner",
        vector,
    )


def declaring(
    vectors: Mapping[Effect, Sequence[str]] | None = None,
    cases: Mapping[Effect, Json] | None = None,
    *,
    rule: str = RULE,
    reason: str = "it is faster",
) -> Declaration:
    """Return an entry with one rule."""
    row: dict[str, object] = {str(effect): names for effect, names in (vectors or {}).items()}
    row["cases"] = cases or {}
    return Declaration.model_validate({"class": "by-design", "reason": reason, "rules": {rule: row}})
