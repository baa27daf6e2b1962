"""Runs of the suite with declared divergences, and runners for them."""

from collections.abc import Sequence

from parity.runners import CleanRoom
from parity.scorer import Rewards
from tests.faulty.aggregate.sums import AddsOneByOne

_FAULTY = "tests.faulty.aggregate.sums:AddsOneByOne"


class AlsoCallsTheKeyMax(CleanRoom):
    """A runner with a second fault in addition to the declared one."""

    def aggregate(self, metric: str, rewards: Sequence[Rewards | None]) -> Rewards:
        computed = AddsOneByOne().aggregate(metric, rewards)
        return {"maximum": computed["max"]} if list(computed) == ["max"] else computed


def options(*more: str, runner: str = _FAULTY) -> list[str]:
    """Return the pytest options for the part of the suite in which the faulty runner diverges."""
    suite = ("--pyargs", "parity", "--profile", "quick", "-p", "no:cacheprovider")
    return [*suite, "-k", "aggregate", "--runner", runner, *more]
