"""Attributes a divergence to the rule that the runner breaks.

If an operation has general rules, the place of the difference decides which rule is broken, so that a case always
breaks the same rule. Otherwise, case and difference narrow the rules down to a few candidates. Many rules say that two
cases have the same answer (a trial without rewards is scored as 0, a symlink is read as its target). Such a rule can be
tested: a runner that gives both cases the same answer follows the rule. Then the runner breaks another rule, perhaps
one that the second case shows.
"""

from collections.abc import Callable
from contextlib import suppress

from parity.operations.answers import Answer, Crash
from parity.operations.compare import Difference
from parity.operations.operation import Operation
from parity.operations.rule import Rule
from parity.operations.rules import candidate_rules


def rule_of_hang[Case](operation: Operation[Case], question: Case, expected: Answer) -> Rule:
    """Return the rule to which a hang or a crash is attributed; it is a rule of an operation without general rules."""
    difference = Difference((), "crash", expected, Crash("no answer", hung=True))
    return next(candidate_rules(operation.name, question, difference, expected))


def broken_rule[Case](
    operation: Operation[Case],
    case: Case,
    expected: Answer,
    actual: Answer,
    difference: Difference,
    ask: Callable[[Case], Answer],
) -> Rule:
    """Return the general rule for the difference, or the first candidate rule that the runner breaks.

    If it breaks none of the candidates, the first of them that fits every case is returned.

    Args:
        operation: the operation that was called.
        case: the case.
        expected: the reference's answer.
        actual: the runner's answer.
        difference: the first difference between the two answers.
        ask: returns the runner's answer to another case.
    """
    if operation.general:
        return operation.general_rule(difference)
    candidates = candidate_rules(operation.name, case, difference, expected)
    if isinstance(actual, Crash):
        return next(candidates)

    def is_answered_alike(other: Case) -> bool:
        return operation.compare(case, actual, ask(other)) is None

    others: list[Case] = []
    for rule in candidates:
        if rule.is_general:
            break
        if rule.same is None:
            return rule
        other = rule.same(case)
        if not is_answered_alike(other):
            return rule
        others.append(other)
    for other in others:
        for special in candidate_rules(operation.name, other, difference, expected):
            if special.is_general:
                continue
            if special.same is None or not is_answered_alike(special.same(other)):
                return special
    return rule


def applying_rules[Case](operation: Operation[Case], case: Case) -> list[str]:
    """Return the slugs of the special rules that apply to a case; none if the operation has general rules."""
    applying: list[str] = []
    for rule in operation.rules:
        with suppress(Exception):  # a condition must not hide a finding
            if not operation.general and not rule.is_general and rule.when(case):
                applying.append(rule.slug)
    return applying
