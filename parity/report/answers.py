"""What runners answered to the golden vectors, short enough for a report: whether two of them answer alike.

Other releases of Harbor can be asked as runners, too. A runner that answers as one of them does matches that release.
"""

import hashlib
import re
from collections.abc import Iterator
from dataclasses import dataclass

from parity.answers import Answer, Value
from parity.compare import Ordered, Path
from parity.declared.declaration import told_answer
from parity.operations import Operation
from parity.report.record import Report
from parity.wire import canonical

_HARBOR = re.compile(r"harbor \d[\w.]*")


def digits[Case](operation: Operation[Case], case: Case, answer: Answer) -> str:
    """Sixteen hex digits that equal answers to a case share."""
    settled = operation.settle(case, answer)
    if isinstance(settled, Value):
        settled = Value(_in_order(settled.value, operation.ordered(case), ()))
    return hashlib.sha256(canonical(told_answer(settled)).encode()).hexdigest()[:16]


def _in_order(value: object, ordered: Ordered, path: Path) -> object:
    """The value with its keys sorted wherever their order does not count."""
    if isinstance(value, list):
        return [_in_order(each, ordered, (*path, place)) for place, each in enumerate(value)]
    if not isinstance(value, dict):
        return value
    keys = list(value) if ordered(path) else sorted(value, key=str)
    return {key: _in_order(value[key], ordered, (*path, key)) for key in keys}


@dataclass(frozen=True)
class Likeness:
    """How far a runner answers as a release of Harbor does."""

    release: str
    alike: int
    shared: int
    """Vectors that both answered."""

    @property
    def matches(self) -> bool:
        """Whether there is no difference."""
        return self.alike == self.shared


def is_harbor(report: Report) -> bool:
    """Whether the runner is a release of Harbor itself."""
    return _HARBOR.fullmatch(report.runner.name) is not None


def nearest(report: Report, releases: list[Report]) -> Likeness | None:
    """The release whose answers to the vectors of all operations are most like the runner's; None if there is none."""
    found = [likeness for release in releases if (likeness := _likeness(report, release))]
    return max(found, key=lambda each: each.alike / each.shared, default=None)


def _likeness(report: Report, release: Report) -> Likeness | None:
    theirs = dict(_entries(release))
    shared = [digits == theirs[vector] for vector, digits in _entries(report) if vector in theirs]
    return Likeness(release.runner.name, sum(shared), len(shared)) if shared else None


def _entries(report: Report) -> Iterator[tuple[tuple[str, str], str]]:
    for operation, answers in report.answers.items():
        for vector, found in answers.items():
            yield (operation, vector), found
