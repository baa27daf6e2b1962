"""What runners answered to the golden vectors, short enough for a report: whether two of them answer alike.

Other releases of Harbor can be asked as runners, too. A runner that answers as one of them does matches that release.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from parity.judging.records import Report

_HARBOR = re.compile(r"harbor \d[\w.]*")


@dataclass(frozen=True)
class Likeness:
    """How far a runner answers as a release of Harbor does."""

    release: str
    alike: int
    shared: int
    """Vectors that both answered: all that the runner did."""

    @property
    def matches(self) -> bool:
        """Whether there is no difference."""
        return self.alike == self.shared


def is_harbor(report: Report) -> bool:
    """Whether the runner is a release of Harbor itself."""
    return _HARBOR.fullmatch(report.runner.name) is not None


def nearest(report: Report, releases: list[Report]) -> Likeness | None:
    """The release whose answers to the vectors of all operations are most like the runner's.

    None if no run of a release that went through, with the whole suite, answered all that the runner did.
    """
    whole = [each for each in releases if each.settings.complete and each.final.ended == "finished"]
    found = [likeness for release in whole if (likeness := _likeness(report, release))]
    return max(found, key=lambda each: each.alike, default=None)


def _likeness(report: Report, release: Report) -> Likeness | None:
    ours, theirs = dict(_entries(report)), dict(_entries(release))
    if not ours or not ours.keys() <= theirs.keys():
        return None
    return Likeness(release.runner.name, sum(ours[vector] == theirs[vector] for vector in ours), len(ours))


def _entries(report: Report) -> Iterator[tuple[tuple[str, str], str]]:
    for operation, answers in report.answers.items():
        for vector, found in answers.items():
            yield (operation, vector), found
