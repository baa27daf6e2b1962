"""The table of all releases: what each answers otherwise than 0.13.1. Kept in `releases.json`.

An answer that is not in the table is 0.13.1's own, as the golden files have it.
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
    """What a release does not answer."""

    operation: str
    reason: str
    vectors: tuple[str, ...] | None
    """Their ids; None where it is the whole operation."""


@dataclass(frozen=True)
class KnownRelease:
    """A release in the table."""

    environment: str
    """The interpreter and the packages that it was asked with."""

    lacks: tuple[Lack, ...]


@dataclass(frozen=True)
class OtherAnswer:
    """An answer to a vector that is not 0.13.1's, or several that differ from it in the same way."""

    releases: tuple[str, ...]
    """Those that give such an answer, from the oldest to the newest."""

    rule: str
    """The slug of the rule that it breaks."""

    harm: Harm
    summary: str
    """What differs, in one line."""

    digits: tuple[Bits, ...]
    """Those of `parity.judging.answer_digits`: one for all releases that give the same answer, else one for each."""

    answer: Json
    """The answer as files of declared divergences hold it; None where it is too large."""

    def digits_of(self, release: str) -> str:
        """Those of one of the releases."""
        return self.digits[self.releases.index(release) if len(self.digits) > 1 else 0]


@dataclass(frozen=True)
class Table:
    """What each release answers otherwise."""

    format: int
    reference: str
    """The release that it is about."""

    series: str
    """Of the interpreter that asked."""

    releases: dict[str, KnownRelease]
    """From the oldest to the newest."""

    vectors: dict[str, dict[str, tuple[OtherAnswer, ...]]]
    """Operation to the id of a vector to the answers of the releases that answer it otherwise."""

    def others(self) -> Iterator[tuple[str, str, OtherAnswer]]:
        """Every answer, with its operation and its vector's id."""
        for operation, vectors in self.vectors.items():
            for vector, answers in vectors.items():
                yield from ((operation, vector, answer) for answer in answers)

    def lacks(self, release: str, operation: str, vector: str) -> bool:
        """Whether a release has no answer to a vector."""
        return any(
            lack.operation == operation and (lack.vectors is None or vector in lack.vectors)
            for lack in self.releases[release].lacks
        )

    @property
    def order(self) -> list[str]:
        """Every release with the one that the table is about, from the oldest to the newest."""
        return sorted([*self.releases, self.reference], key=lambda name: tuple(map(int, name.split("."))))

    def digits(self, release: str, operation: str, vector: str, reference: str) -> str | None:
        """The digits of a release's answer, if it has one; `reference` are those of the reference's."""
        if release != self.reference and self.lacks(release, operation, vector):
            return None
        others = self.vectors.get(operation, {}).get(vector, ())
        return next((other.digits_of(release) for other in others if release in other.releases), reference)

    def named(self, chosen: Iterable[str]) -> str:
        """Releases in few words: of those that follow one another the first and the last."""
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
    """The table that is kept."""
    table: Table = from_plain(Table, json.loads(TABLE_FILE.read_text(encoding="utf-8")))
    return table


def table_text(table: Table) -> str:
    """The table as its file holds it: one release, and one vector, a line, so that a change shows as a line."""
    plain = to_plain(table)
    releases = _lines(plain["releases"])
    vectors = ",\n".join(f'"{name}":{{\n{_lines(answers)}\n}}' for name, answers in plain["vectors"].items())
    head = canonical({name: plain[name] for name in ("format", "reference", "series")})
    return f'{head[:-1]},"releases":{{\n{releases}\n}},"vectors":{{\n{vectors}\n}}}}\n'


def _lines(members: dict[str, Json]) -> str:
    return ",\n".join(canonical({name: member})[1:-1] for name, member in members.items())
