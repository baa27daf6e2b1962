"""The worst cells of the table of runners: rules by which released runners pay out, from their declared divergences."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from parity.judging.comparing import candidate_rules
from parity.judging.declared.reading import read_declarations
from parity.judging.divergence import show_answer
from parity.judging.harm import harm_of
from parity.operations import OPERATIONS
from parity.operations.answers import Fault, Value
from parity.operations.operation import decode_answer
from tests.readme.console import ROOT

_RELEASES = (
    "benchflow-0.7.11",
    "datacurve-pier-0.3.1",
    "evalscope-1.14.1",
    "hud-0.6.21",
    "inspect-harbor-1.0.0",
    "nemo-gym-0.4.0",
    "openenv-0.10.0",
    "prompt-library-5308ee5",
    "seaport-0.4.0",
    "strands-env-0.7.3",
    "terminalbench2-cube-0.1.0",
    "tinker-cookbook-0.6.1",
    "trl-1.16.0",
    "verifiers-composable-0.3.1",
    "verifiers-env-0.3.1",
    "verifiers-reward-0.1.14",
    "verifiers-taskset-0.4.0",
)
"""The newest release of each package or class; add one here to show it."""

_RULES = 8

_WIDEST = 80

_SELDOM = re.compile(r"\\[xunrt0]|fifo|socket|device|link|folder|__proto__")
"""Contents that verifiers do not leave by an ordinary mistake: control characters, other non-ASCII bytes, no files."""


@dataclass(frozen=True)
class Cell:
    """A runner, a rule by which it pays out, and the shortest case of that."""

    runner: str
    rule: str
    case: str
    reference: str
    answer: str
    is_error: bool
    """Whether the reference has an error in the case, which is the worst kind."""

    @property
    def rank(self) -> tuple[bool, int, str]:
        return not self.is_error, len(self.case), self.runner


def worst_cells() -> list[list[Cell]]:
    """Return the cells of the worst rules, those with a reward for an error first, then those of most runners."""
    by_rule: dict[str, dict[str, Cell]] = {}
    for cell in sorted(_cells(), key=lambda each: each.rank):
        by_rule.setdefault(cell.rule, {}).setdefault(cell.runner, cell)
    rows = [[*cells.values()] for cells in by_rule.values()]
    return sorted(rows, key=lambda row: (not row[0].is_error, -len(row)))[:_RULES]


def _cells() -> Iterator[Cell]:
    for release in _RELEASES:
        for entry in read_declarations(ROOT / f"parity/runners/bridges/divergences/{release}.toml"):
            operation = OPERATIONS[entry.operation]
            if "value" not in entry.runner or "unusual" in entry.reference:  # type: ignore[operator]
                continue
            expected, actual = (decode_answer(operation, each) for each in (entry.reference, entry.runner))
            difference = operation.compare(entry.witness, expected, actual)
            case = operation.describe(entry.witness)
            if difference is None or harm_of(entry.operation, expected, actual) != "pays-out":
                continue
            if len(case) > _WIDEST or _SELDOM.search(case):
                continue
            rules = candidate_rules(entry.operation, operation.flags(entry.witness), difference)
            yield Cell(
                release.rpartition("-")[0],
                rules[0].slug,
                case,
                _short(expected),
                _short(actual),
                isinstance(expected, Fault),
            )


def _short(answer: Value | Fault | object) -> str:
    return answer.kind if isinstance(answer, Fault) else show_answer(answer, _WIDEST)  # type: ignore[arg-type]
