"""The rules of all operations.

The clean room implements each rule once. A divergence that no golden vector shows is attributed to the general rule for
its place or, if its operation has none, to the first rule that fits the case and the difference;
`parity.suite.attribution` documents the details.
"""

from collections.abc import Iterator
from typing import Any

from parity.operations import OPERATIONS, Operation
from parity.operations.answers import Answer
from parity.operations.compare import Difference
from parity.operations.rule import Rule

RULES: dict[str, Rule] = {rule.slug: rule for operation in OPERATIONS.values() for rule in operation.rules}
"""Every rule by its slug. For each operation, the rules are in the order in which attribution tries them."""

OPERATION_OF: dict[str, Operation[Any]] = {
    rule.slug: operation for operation in OPERATIONS.values() for rule in operation.rules
}
"""The operation that each rule belongs to, by the rule's slug."""


def candidate_rules(operation: str, case: Any, difference: Difference, answer: Answer) -> Iterator[Rule]:
    """Yield the rules that a difference can break, the likeliest first; not for operations with general rules.

    Args:
        operation: the name of the operation.
        case: the case for which the two answers differ.
        difference: the first difference between the two answers.
        answer: the reference's answer.
    """
    for rule in OPERATIONS[operation].rules:
        if rule.fits(case, difference, answer):
            yield rule
