"""Which release of Harbor a runner answers most like, by their answers to the golden vectors.

Those of a runner are in its report, and those of all releases in the table of `parity.drift`.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from parity.drift.recording import golden_answer
from parity.drift.table import read_table
from parity.judging.answer_digits import digits
from parity.judging.records import Report
from parity.operations import OPERATIONS
from parity.operations.operation import HARBOR
from parity.operations.vectors import VECTORS


@dataclass(frozen=True)
class Likeness:
    """How far a runner answers as the nearest releases of Harbor do."""

    releases: tuple[str, ...]
    """Those that no other is nearer than, from the oldest to the newest."""

    alike: int
    asked: int
    """Vectors that the runner answered, and some release beside the reference."""

    @property
    def matches(self) -> bool:
        """Whether there is no difference."""
        return self.alike == self.asked

    @property
    def named(self) -> str:
        """The releases in few words."""
        return read_table().named(self.releases)


def nearest(report: Report) -> Likeness | None:
    """The releases whose answers to the vectors of all operations are most like the runner's.

    None where not all was asked of the runner, nothing was answered, or the table is about another interpreter series.
    """
    whole = report.settings.complete and report.final.ended == "finished"
    if not whole or report.reference.series != read_table().series:
        return None
    counts, asked = answers_alike(report)
    return likeness(counts, asked) if asked else None


def likeness(counts: Mapping[str, int], asked: int) -> Likeness:
    """The nearest releases, given to how many of the vectors that were asked each answers as the runner does."""
    alike = max(counts.values())
    return Likeness(tuple(release for release in counts if counts[release] == alike), alike, asked)


def answers_alike(report: Report) -> tuple[dict[str, int], int]:
    """To how many vectors each release, the oldest first, answers as the runner does, and how many it has answered.

    A vector to which a release has no answer is answered otherwise.
    """
    table = read_table()
    counts = dict.fromkeys(table.order, 0)
    asked = 0
    for name, answers in report.answers.items():
        for vector, reference in reference_digits(name).items():
            if (found := answers.get(vector)) is not None:
                asked += 1
                for release in table.order:
                    counts[release] += table.digits(release, name, vector, reference) == found
    return counts, asked


@cache
def reference_digits(name: str) -> dict[str, str]:
    """The reference's answers to the vectors that Harbor decides, and to which the table has answers of others."""
    table, operation = read_table(), OPERATIONS.get(name)
    if operation is None:
        return {}
    return {
        vector.id: digits(operation, vector.case, golden_answer(operation, vector))
        for vector in VECTORS[name]
        if not all(table.lacks(release, name, vector.id) for release in table.releases)
        and operation.authority(operation.flags(vector.case)) == HARBOR
    }
