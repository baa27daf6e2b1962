"""Divergences of `aggregate`, and entries that declare them."""

from parity.operations.aggregate import AGGREGATE, AggregateCase
from parity.operations.answers import Answer, Crash, Fault, Value
from parity.operations.rules import RULES
from parity.suite.declared import Declaration
from parity.suite.declared.declaration import answer_json
from parity.suite.divergence import Divergence

RULE = "aggregate/value"
CASE = AggregateCase("mean", ({"a": 0.5},))
RIGHT = Value({"a": 0.5})
HIGHER = Value({"a": 1.0})
LOWER = Value({"a": 0.25})
ERROR = Fault("KeyError")
HANG = Crash("it gave no answer within 10 s", hung=True)


def diverging(runner: Answer, case: AggregateCase = CASE, rule: str = RULE) -> Divergence:
    """Return the divergence of a runner's answer to a case."""
    difference = AGGREGATE.compare(case, RIGHT, runner)
    assert difference is not None
    return Divergence(
        "aggregate",
        RULES[rule],
        AGGREGATE.encode(case),
        RIGHT,
        runner,
        difference,
        "some-runner",
    )


def declaring(divergence: Divergence, vectors: frozenset[str] | None = None) -> Declaration:
    """Return an entry with the divergence as its witness."""
    rule, kind, harm = divergence.classified
    return Declaration.model_construct(
        rule=rule,
        kind=kind,
        harm=harm,
        class_="by-design",
        reason="it is faster",
        witness=divergence.case,
        reference=answer_json(AGGREGATE, divergence.reference),
        runner=answer_json(AGGREGATE, divergence.runner),
        vectors=vectors,
    )
