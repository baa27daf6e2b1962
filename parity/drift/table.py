"""The table of all releases, `releases.json`: their answers that differ from those of 0.13.1.

If the table has no answer of a release, the release answers as 0.13.1 does in the golden files.
"""

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from parity.judging.harm import Harm
from parity.judging.plain import from_plain, to_plain
from parity.judging.records import Bits
from parity.operations.wire import Json, canonical

FORMAT = 1
TABLE_FILE = Path(__file__).with_name("releases.json")


@dataclass(frozen=True)
class Lack:
    """An operation, or some vectors of it, that a release does not answer."""

    operation: str
    reason: str
    vectors: tuple[str, ...] | None
    """The ids of the vectors; None for the whole operation."""


@dataclass(frozen=True)
class KnownRelease:
    """A release in the table."""

    environment: str
    """The interpreter and the packages of the release's environment."""

    lacks: tuple[Lack, ...]


@dataclass(frozen=True)
class OtherAnswer:
    """An answer to a vector that differs from 0.13.1's, or several that differ in the same way."""

    releases: tuple[str, ...]
    """The releases with such an answer, from the oldest to the newest."""

    rule: str
    """The slug of the rule that it breaks."""

    harm: Harm
    summary: str
    """The difference in one line."""

    digits: tuple[Bits, ...]
    """Digits from `parity.judging.vector_answers`: one if all these releases give one answer, else one for each."""

    answer: Json
    """The answer in the form of declared divergences; None if it is too large."""


@dataclass(frozen=True)
class Table:
    """The table: the different answers of each release."""

    format: int
    reference: str
    """The release that all others are compared with."""

    series: str
    """The series of the interpreter that asked."""

    releases: dict[str, KnownRelease]
    """The other releases, from the oldest to the newest."""

    vectors: dict[str, dict[str, tuple[OtherAnswer, ...]]]
    """The different answers, by operation and the vector's id."""

    def others(self) -> Iterator[tuple[str, str, OtherAnswer]]:
        """Yield all different answers, each with its operation and its vector's id."""
        for operation, vectors in self.vectors.items():
            for vector, answers in vectors.items():
                yield from ((operation, vector, answer) for answer in answers)

    def lacks(self, release: str, operation: str, vector: str) -> bool:
        """Return whether a release has no answer to a vector."""
        return any(
            lack.operation == operation and (lack.vectors is None or vector in lack.vectors)
            for lack in self.releases[release].lacks
        )

    @property
    def order(self) -> list[str]:
        """Return the names of all releases, the reference included, from the oldest to the newest."""
        return sorted([*self.releases, self.reference], key=lambda name: tuple(map(int, name.split("."))))

    def named(self, chosen: Iterable[str]) -> str:
        """Return a short text that names some releases; neighbours are joined, as in `0.1.45 to 0.6.6`."""
        order = self.order
        runs: list[list[str]] = []
        for name in chosen:
            if runs and order.index(name) == order.index(runs[-1][-1]) + 1:
                runs[-1].append(name)
            else:
                runs.append([name])
        return ", ".join(run[0] if len(run) == 1 else f"{run[0]} to {run[-1]}" for run in runs)


@cache
def read_table() -> Table:
    """Read the table from its file."""
    table: Table = from_plain(Table, json.loads(TABLE_FILE.read_text(encoding="utf-8")))
    return table


def table_text(table: Table) -> str:
    """Return the text of the table's file: one release or vector a line, so that a change shows as a line."""
    plain = to_plain(table)
    releases = _lines(plain["releases"])
    vectors = ",\n".join(f'"{name}":{{\n{_lines(answers)}\n}}' for name, answers in plain["vectors"].items())
    head = canonical({name: plain[name] for name in ("format", "reference", "series")})
    return f'{head[:-1]},"releases":{{\n{releases}\n}},"vectors":{{\n{vectors}\n}}}}\n'


def _lines(members: dict[str, Json]) -> str:
    return ",\n".join(canonical({name: member})[1:-1] for name, member in members.items())
