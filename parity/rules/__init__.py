"""The rules: one normative sentence each, under a stable slug; one module an operation.

A rule lives here and is implemented once, in `parity.scorer`. Each one names where the wheel decides it, or the
document where no wheel does.
A divergence is put down to a rule of its operation whose flags the case carries and whose aspect the difference
has, in this order, so special rules stand before the general ones; `parity.attribution` says how.
"""

from collections.abc import Iterator
from itertools import pairwise

from parity.answers import Fault
from parity.compare import Difference, Path
from parity.rules import (
    aggregate,
    given,
    harbor_env,
    job_stats,
    outcome,
    pass_at_k,
    read_reward,
    reason_code,
    run_job,
    run_trial,
    trial_reward,
)
from parity.rules.rule import Rule
from parity.rules.unstable import UNSTABLE, Unstable

_MODULES = (
    read_reward,
    aggregate,
    pass_at_k,
    trial_reward,
    run_trial,
    run_job,
    job_stats,
    outcome,
    reason_code,
    harbor_env,
    given,
)

RULES: dict[str, Rule] = {rule.slug: rule for module in _MODULES for rule in module.RULES}
"""Every rule by its slug, in the order in which divergences are put down to them."""


def rules_in_question(
    operation: str, flags: frozenset[str], difference: Difference, shows: Rule | None = None
) -> Iterator[Rule]:
    """The rules of the operation that this difference, in a case with these flags, can break.

    The first is the likeliest; the last has no flags, so that there always is one. `shows` is in question whatever
    the flags.
    """
    for rule in RULES.values():
        carries = rule is shows or not rule.flags or bool(rule.flags & flags)
        if rule.operation == operation and carries and decides(rule, difference):
            yield rule


def decides(rule: Rule, difference: Difference) -> bool:
    """Whether the rule is about answers that differ in this aspect and at this place.

    One about values is broken by an error in the place of a value, but not where the reference has an error itself.
    """
    if isinstance(difference.expected, Fault) and rule.aspects - {"fault"}:
        return False
    unnamed = not rule.aspects and difference.aspect != "input"  # which is about no answer, as other rules are
    aspect = unnamed or difference.aspect in rule.aspects
    return aspect and (not rule.places or not rule.places.isdisjoint(_places(difference.path)))


def _places(path: Path) -> Iterator[object]:
    """The steps of a path, and each two that follow one another, joined by a slash."""
    yield from path
    yield from (f"{outer}/{inner}" for outer, inner in pairwise(path))


__all__ = ["RULES", "UNSTABLE", "Rule", "Unstable", "rules_in_question"]
