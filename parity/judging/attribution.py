"""Finds the rule that a divergence breaks.

Flags narrow the rules down to a few candidates. Many rules say that two cases count the same (a trial without rewards
is a 0, a link is the file it leads to). Such a rule can be tested: a runner that answers both cases alike keeps it, and
the fault is elsewhere, perhaps in a rule of the other case's flags.
"""

from collections.abc import Sequence

from parity.operations.compare import Difference
from parity.operations.rule import Rule
from parity.operations.rules import EQUIVALENTS, rules_in_question


def candidate_rules(
    operation: str, flags: frozenset[str], difference: Difference, shows: Rule | None = None
) -> Sequence[Rule]:
    """Return the candidate rules, the likeliest first.

    The rule that a golden vector shows comes first, with two exceptions. A rule about all cases does not. A rule that
    two cases count the same does not if the vector carries none of its flags: such a vector shows that something does
    not count. If the rule has no equivalent case to test it with, the rules before it that have one stay before it.
    """
    rules = list(rules_in_question(operation, flags, difference, shows))
    if shows not in rules or not shows.flags or (shows.slug in EQUIVALENTS and shows.flags.isdisjoint(flags)):
        return rules
    before = [] if shows.slug in EQUIVALENTS else rules[: rules.index(shows)]
    first = [*(rule for rule in before if rule.slug in EQUIVALENTS), shows]
    return [*first, *(rule for rule in rules if rule not in first)]
