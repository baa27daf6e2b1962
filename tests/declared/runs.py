"""Runs of the suite with declared divergences, and runners for them."""

from collections.abc import Sequence

from parity.runners import CleanRoom
from parity.scorer import Rewards
from tests.faulty.aggregate.sums import AddsOneByOne

_FAULTY = "tests.faulty.aggregate.sums:AddsOneByOne"


class AlsoCallsTheKeyMax(CleanRoom):
    """A runner with another fault beside the declared one."""

    def aggregate(self, metric: str, rewards: Sequence[Rewards | None]) -> Rewards:
        found = AddsOneByOne().aggregate(metric, rewards)
        return {"maximum": found["max"]} if list(found) == ["max"] else found


def options(*more: str, runner: str = _FAULTY) -> list[str]:
    """Return the options of a run of the part of the suite that shows the faulty runner."""
    suite = ("--pyargs", "parity", "--profile", "quick", "-p", "no:cacheprovider")
    return [*suite, "-k", "aggregate or declared", "--runner", runner, *more]
