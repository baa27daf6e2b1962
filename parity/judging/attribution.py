"""Which rule a divergence breaks.

Flags narrow it down to a few candidates. Many rules say that two cases count the same (a trial without rewards
is a 0, a link is the file it leads to), and such a rule can be tried out: a runner that answers both cases
alike keeps it, so the fault must be elsewhere: perhaps where the flags of the other case point.
"""

from collections.abc import Sequence

from parity.operations.compare import Difference
from parity.operations.rule import Rule
from parity.operations.rules import EQUIVALENTS, rules_in_question


def candidate_rules(
    operation: str, flags: frozenset[str], difference: Difference, shows: Rule | None = None
) -> Sequence[Rule]:
    """The rules in question, the likeliest first.

    The one that a golden vector shows comes first, unless it is about all cases, or about cases that count the same
    and this is none of them, as a vector is that shows that a file does not count. Where it cannot be tried out, it
    comes after those before it that can.
    """
    rules = list(rules_in_question(operation, flags, difference, shows))
    if shows not in rules or not shows.flags or (shows.slug in EQUIVALENTS and shows.flags.isdisjoint(flags)):
        return rules
    before = [] if shows.slug in EQUIVALENTS else rules[: rules.index(shows)]
    first = [*(rule for rule in before if rule.slug in EQUIVALENTS), shows]
    return [*first, *(rule for rule in rules if rule not in first)]
