"""The records of a report. Their fields are the keys of its JSON, in this order.

`golden/schema/record.schema.json` explains them. A field named like a keyword of Python ends in an underscore here, but
not in the JSON.
"""

from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, Literal

from pydantic import AfterValidator, StringConstraints

from parity.operations.wire import Json
from parity.suite.difference_kind import DifferenceKind
from parity.suite.harm import Harm

FORMAT = 3

type OverallVerdict = Literal["agrees", "diverges", "diverges as declared", "undecided"]
type RuleVerdict = Literal["agrees", "diverges", "declared", "not-claimed", "not-asked"]
type ClassVerdict = Literal["conforms", "diverges", "undecided", "in part", "not claimed", "not asked"]
type End = Literal["finished", "interrupted"]
type Bits = Annotated[str, StringConstraints(strict=True, pattern="^[0-9a-f]{16}$")]
"""The bits of a double, as hex digits."""


def _check_instant(text: str) -> str:
    if datetime.fromisoformat(text).tzinfo is None:
        raise ValueError("the time has no zone")
    return text


type Instant = Annotated[str, StringConstraints(strict=True), AfterValidator(_check_instant)]
"""A time in ISO 8601, with its zone."""


@dataclass(frozen=True)
class ReferenceIdentity:
    """The wheel that gave the expected answers, and its environment."""

    harbor: str
    wheel: str
    implementation: str
    python: str
    series: str
    pydantic: str
    pydantic_core: str


@dataclass(frozen=True)
class RunnerIdentity:
    """The runner under test."""

    name: str
    spec: str
    version: str | None
    language: str | None


@dataclass(frozen=True)
class RunSettings:
    """The settings of the run."""

    profile: str
    seed: int
    case_timeout: float | None
    """Seconds; None if the runner had no time limit."""

    hypothesis: str
    golden_only: bool
    """Whether the run used only golden vectors, and compared the runner's answers with the recorded ones."""

    complete: bool
    """Whether every test that generates cases was selected."""

    tests: tuple[str, ...]
    """The tests of the suite that were selected, sorted."""

    left_out: tuple[str, ...] | None
    """The tests that generate cases and were not selected, sorted; None if the run did not collect the whole suite."""


@dataclass(frozen=True)
class OperationRecord:
    """The counts and the verdict of one operation."""

    name: str
    claimed: bool
    cases: int
    comparisons: int
    vectors: int
    not_claimed: int
    declared: int
    skipped: int
    """Questions that the runner was not asked, because it is declared to crash on them."""

    failures: int
    verdict: str
    unanswered: dict[str, int]


@dataclass(frozen=True)
class RuleVectors:
    """Counts of the golden vectors of a rule."""

    asked: int
    divergent: int
    declared: int


@dataclass(frozen=True)
class RuleRecord:
    """The verdict on one rule."""

    slug: str
    operation: str
    sentence: str
    source: str
    verdict: RuleVerdict
    harm: Harm | None
    """The worst undeclared harm; the worst declared one if all are declared; None if nothing diverges."""

    vectors: RuleVectors
    drawn: int
    """Generated cases that diverge because of the rule."""


@dataclass(frozen=True)
class Side:
    """One side's value at the place where two answers differ."""

    text: str
    type: str | None
    """The name of the value's type in Python; None if there is no value."""

    bits: Bits | None
    """The bits of a float; None for any other value."""


@dataclass(frozen=True)
class DifferenceRecord:
    """The first place where two answers differ."""

    where: str
    aspect: str
    reference: Side
    runner: Side
    ulps: int | None


@dataclass(frozen=True)
class DeclaredReason:
    """Class and reason of a declared divergence, as the runner's author wrote them."""

    class_: str
    reason: str


@dataclass(frozen=True)
class DivergenceRecord:
    """A case to which reference and runner gave different answers."""

    operation: str
    rule: str
    harm: Harm
    kind: DifferenceKind
    vector: str | None
    case: Json
    """The case in its wire form; None if it is too large for a report."""

    case_bytes: int
    case_text: str
    authority: str
    """Where the expected answer comes from, such as `harbor`."""

    reference: str
    runner: str
    summary: str
    difference: DifferenceRecord
    repeatable: bool
    tests: tuple[str, ...]
    """The tests of the suite that found a divergence of this rule, kind and harm."""

    replay: str
    """The command that runs the case again, or the reason why there is none."""

    replay_file: str | None
    declared: DeclaredReason | None


@dataclass(frozen=True)
class Final:
    """The last part of a report. If it is missing, the report was cut off."""

    verdict: OverallVerdict
    ended: End
    exit: int
    divergences: int
    """Divergences that no declaration covers."""

    rules: int
    """Rules whose verdict is `diverges`."""

    harms: dict[str, int]
    """The number of diverging rules by harm, the worst first."""

    classes: dict[str, ClassVerdict]
    """The verdict on each class of conformance."""


@dataclass(frozen=True)
class Report:
    """The report of one run."""

    format: int
    kit: str
    started_at: Instant
    reference: ReferenceIdentity
    runner: RunnerIdentity
    settings: RunSettings
    operations: tuple[OperationRecord, ...]
    rules: tuple[RuleRecord, ...]
    divergences: tuple[DivergenceRecord, ...]
    final: Final
