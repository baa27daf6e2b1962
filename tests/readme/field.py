"""The worst cells of the table of runners: rules by which released runners pay out or withhold for plain reward files.

The declared divergences of the newest release of each bridge are the source.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import chain
from pathlib import Path

from parity.judging.comparing import candidate_rules
from parity.judging.declared.reading import read_declarations
from parity.judging.divergence import show_answer
from parity.judging.harm import harm_of, rank
from parity.operations import OPERATIONS
from parity.operations.answers import Answer, Fault
from parity.operations.operation import decode_answer
from tests.readme.console import ROOT

_DECLARED = ROOT / "parity" / "runners" / "bridges" / "divergences"

_WIDEST = 80

_RULES = 8
"""The most rules that are shown."""

_NUMBER = r"-?\d{1,3}(\.\d{1,3})?"
_TEXT = rf'"({_NUMBER}%?|[a-z]*)"'
_VALUE = rf"({_NUMBER}|{_TEXT}|null|true|false|NaN|-?Infinity|\[\]|\{{\}})"
_CONTENT = rf'({_NUMBER}%?|[a-z]+|{_VALUE}|\[{_VALUE}\]|\{{("[a-z]+": ?{_VALUE}(, ?)?)+\}})?'
_PLAIN = re.compile(rf"(reward\.json: file b'{_CONTENT}'(; )?)?(reward\.txt: file b'{_CONTENT}')?")
"""Descriptions of reward files that an ordinary verifier leaves, by a mistake or not."""


@dataclass(frozen=True)
class Cell:
    """A runner, a rule that it breaks, and the plainest case of that."""

    runner: str
    rule: str
    case: str
    reference: str
    answer: str
    harm: int
    """The rank of the harm: 0 is a score where the reference has an error."""

    @property
    def rank(self) -> tuple[bool, int, int, str]:
        """Return a sort key: negative rewards, which are seldom, come last."""
        return "-" in self.case, self.harm, len(self.case), self.runner


def worst_cells() -> list[list[Cell]]:
    """Return the cells of the rules that most runners break, those of a rule together; the worst harm comes first."""
    by_rule: dict[str, dict[str, Cell]] = {}
    for cell in sorted(chain.from_iterable(map(_cells, _newest())), key=lambda each: each.rank):
        by_rule.setdefault(cell.rule, {}).setdefault(cell.runner, cell)
    rows = [[*cells.values()] for cells in by_rule.values()]
    most = sorted(rows, key=lambda row: -len(row))[:_RULES]
    return sorted(most, key=lambda row: row[0].harm)


def _newest() -> Iterable[Path]:
    """Return the file of declared divergences of each bridge's newest release."""
    newest: dict[str, Path] = {}
    for path in sorted(_DECLARED.iterdir(), key=lambda each: [*map(int, re.findall(r"\d+", _split(each)[1]))]):
        newest[_split(path)[0]] = path
    return newest.values()


def _split(path: Path) -> tuple[str, str]:
    """Return the bridge's name and its release."""
    name, _, release = path.stem.rpartition("-")
    return name, release


def _cells(declared: Path) -> Iterator[Cell]:
    for entry in read_declarations(declared):
        operation = OPERATIONS[entry.operation]
        case = operation.describe(entry.witness)
        if not _PLAIN.fullmatch(case):
            continue
        expected, actual = (decode_answer(operation, each) for each in (entry.reference, entry.runner))
        difference = operation.compare(entry.witness, expected, actual)
        harm = harm_of(entry.operation, expected, actual)
        if difference is not None and harm in ("pays-out", "withholds"):
            rules = candidate_rules(entry.operation, operation.flags(entry.witness), difference)
            worst = harm == "pays-out" and isinstance(expected, Fault)
            rank_of_harm = 0 if worst else 1 + rank(harm)
            yield Cell(_split(declared)[0], rules[0].slug, case, _short(expected), _short(actual), rank_of_harm)


def _short(answer: Answer) -> str:
    return answer.kind if isinstance(answer, Fault) else show_answer(answer, _WIDEST)
