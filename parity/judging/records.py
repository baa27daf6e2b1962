"""What a report holds. The members of the JSON are the fields, in this order; `report.schema.json` explains them.

A field whose name is a keyword of Python ends in an underscore here, and does not in the JSON.
"""

import re
from dataclasses import dataclass
from typing import Annotated, Literal

from parity.judging.difference_kind import DifferenceKind
from parity.judging.harm import Harm
from parity.operations.wire import Json

FORMAT = 2

type OverallVerdict = Literal["agrees", "diverges", "diverges as declared", "undecided"]
type RuleVerdict = Literal["agrees", "diverges", "declared", "undecided", "not-claimed", "not-asked"]
type End = Literal["finished", "interrupted"]
type Bits = Annotated[str, re.compile("[0-9a-f]{16}")]
"""The hex digits of a double."""


@dataclass(frozen=True)
class ReferenceIdentity:
    """Which wheel answered, and in which environment."""

    harbor: str
    wheel: str
    implementation: str
    python: str
    series: str
    pydantic: str
    pydantic_core: str


@dataclass(frozen=True)
class RunnerIdentity:
    """Which runner was asked."""

    name: str
    spec: str
    version: str | None
    language: str | None


@dataclass(frozen=True)
class RunSettings:
    """How it was asked."""

    profile: str
    seed: int
    case_timeout: float | None
    """Seconds; None where nothing limited the runner."""

    hypothesis: str
    complete: bool
    """Whether every test that draws cases was selected."""


@dataclass(frozen=True)
class OperationRecord:
    """What was asked of one operation, and what came of it."""

    name: str
    claimed: bool
    cases: int
    comparisons: int
    vectors: int
    not_claimed: int
    declared: int
    failures: int
    verdict: str
    flags: dict[str, int]
    unanswered: dict[str, int]


@dataclass(frozen=True)
class RuleVectors:
    """Golden vectors that speak of a rule."""

    asked: int
    divergent: int
    declared: int
    elsewhere: int
    """Those that name the rule, but whose answer diverges by the fault of another; they are not in `asked`."""


@dataclass(frozen=True)
class RuleRecord:
    """What came of one rule."""

    slug: str
    operation: str
    sentence: str
    source: str
    verdict: RuleVerdict
    harm: Harm | None
    """The worst of what is undeclared or, where all is declared, of that; None where nothing diverges."""

    vectors: RuleVectors
    drawn: int
    """Diverging cases that were drawn and put down to the rule."""


@dataclass(frozen=True)
class Side:
    """What one side has where two answers part."""

    text: str
    type: str | None
    """The name of the value's type in Python; None where there is no value."""

    bits: Bits | None
    """None where the value is no float."""


@dataclass(frozen=True)
class DifferenceRecord:
    """The first place where two answers part."""

    where: str
    aspect: str
    reference: Side
    runner: Side
    ulps: int | None


@dataclass(frozen=True)
class DeclaredReason:
    """What the runner's maker says of a divergence."""

    class_: str
    reason: str


@dataclass(frozen=True)
class DivergenceRecord:
    """Reference and runner gave different answers to this case."""

    operation: str
    rule: str
    harm: Harm
    kind: DifferenceKind
    flags: tuple[str, ...]
    vector: str | None
    case: Json
    """The case on the wire; None where it is too large for a report."""

    case_bytes: int
    case_text: str
    authority: str
    """Whose word the reference's answer is."""

    reference: str
    runner: str
    summary: str
    difference: DifferenceRecord
    repeatable: bool
    tests: tuple[str, ...]
    """The tests of the suite that found a divergence of this rule, kind and harm."""

    replay: str
    """The command that asks the case again, or why there is none."""

    replay_file: str | None
    declared: DeclaredReason | None


@dataclass(frozen=True)
class UnreachedLines:
    """Lines, or one way out of a decision, that no case reached, and why that is so."""

    lines: str
    reason: str


@dataclass(frozen=True)
class ModuleCoverage:
    """How much of a module of the wheel the cases reached."""

    module: str
    decides: str
    """What it decides about scores."""

    lines: int
    reached: int
    branches: int
    """The ways out of all decisions."""

    branches_reached: int
    unreached: tuple[UnreachedLines, ...]


@dataclass(frozen=True)
class Final:
    """The end of a report; one without it was cut off."""

    verdict: OverallVerdict
    ended: End
    exit: int
    divergences: int
    """Those that no declaration covers."""

    rules: int
    """Rules whose verdict is `diverges`."""

    harms: dict[str, int]
    """How many of those there are of each harm, the worst first."""


@dataclass(frozen=True)
class Report:
    """The report of one run."""

    format: int
    kit: str
    reference: ReferenceIdentity
    runner: RunnerIdentity
    settings: RunSettings
    operations: tuple[OperationRecord, ...]
    rules: tuple[RuleRecord, ...]
    divergences: tuple[DivergenceRecord, ...]
    answers: dict[str, dict[str, str]]
    """By operation and golden vector, what the runner answered: digits that are the same for equal answers."""

    coverage: tuple[ModuleCoverage, ...] | None
    final: Final
