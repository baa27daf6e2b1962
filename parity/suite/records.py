"""The records of a report. Their fields are the keys of its JSON, in this order.

`golden/schema/record.schema.json` is made from these classes and their docstrings. A field that is named like a keyword
of Python ends in an underscore here, but not in the JSON.
"""

from dataclasses import dataclass, field
from datetime import datetime
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, ConfigDict, Field, Strict, StrictBool, StrictStr, StringConstraints

from parity.operations.compare import Aspect
from parity.suite.declared.declaration import Class
from parity.suite.harm import DifferenceKind, Harm

FORMAT = 4

type OverallVerdict = Literal["agrees", "diverges", "diverges as declared", "undecided"]
type RuleVerdict = Literal["agrees", "diverges", "declared", "not-claimed", "not-asked"]
type ClassVerdict = Literal["conforms", "diverges", "undecided", "in part", "not claimed", "not asked"]
type End = Literal["finished", "interrupted"]
type Source = Literal["drawn", "vector", "case", "test"]
type Outcome = Literal[
    "begun", "agrees", "diverges", "shown", "hung", "declared", "not-claimed", "unanswered", "no-answer",
    "needs-modes", "left-out", "displayed", "stale", "wrong-shape", "failed", "ended",
]  # fmt: skip

_BOUND = 10**300
"""Numbers of this size or more are refused. No report has such numbers, and they could not be added up or shown."""


def _bounded(number: int) -> int:
    if abs(number) >= _BOUND:
        raise ValueError("must be a number of at most 300 digits")
    return number


def _check_instant(text: str) -> str:
    if datetime.fromisoformat(text).tzinfo is None:
        raise ValueError("the time has no zone")
    return text


type Number = Annotated[int, Strict(), Field(ge=0), AfterValidator(_bounded)]
type Positive = Annotated[int, Strict(), Field(ge=1), AfterValidator(_bounded)]
type Slug = Annotated[str, StringConstraints(strict=True), Field(json_schema_extra={"pattern": r"^[^\s]+/[^\s]+$"})]
type Sha256 = Annotated[str, StringConstraints(strict=True), Field(json_schema_extra={"pattern": "^[0-9a-f]{64}$"})]
type Bits = Annotated[str, StringConstraints(strict=True, pattern="^[0-9a-f]{16}$")]
type Instant = Annotated[
    str,
    StringConstraints(strict=True),
    AfterValidator(_check_instant),
    Field(json_schema_extra={"format": "date-time"}),
]

_CONFIG = ConfigDict(extra="forbid", use_attribute_docstrings=True)

_SOURCES = (
    "`drawn`: a generated or replayed case. `vector`: a golden vector. `case`: a declared case. `test`: a test of the "
    "suite, not a question."
)
_OUTCOMES = (
    "`begun`: a generated or replayed case, which may hold several questions, each with an outcome of its own. "
    "`agrees`, `diverges`: both sides answered. `shown`: it diverges as a golden vector does. `hung`: it diverges, "
    "because the runner hung on a vector. `declared`: it diverges as declared. `not-claimed`: the runner declines. "
    "`unanswered`: the reference has no answer here. `no-answer`: not asked, because the runner is declared to give "
    "no answer. `needs-modes`: not asked, because it needs file modes, which root ignores. `left-out`: not asked, "
    "because the runner hung on something like it, or a test whose operation is not claimed. `displayed`: a diverging"
    " vector, counted again under the rule under which it is shown. `stale`: a declaration that is out of date, "
    "with its place. `wrong-shape`: no answer to the operation has the right shape. `failed`, `ended`: a test that"
    " failed, or that got to its end."
)


@dataclass(frozen=True, order=True)
class Question:
    """The outcome of a question that the suite asked, or of a test."""

    __pydantic_config__ = _CONFIG

    source: Annotated[Source, Field(description=_SOURCES)]
    outcome: Annotated[Outcome, Field(description=_OUTCOMES)]
    operation: Annotated[StrictStr, Field(description="The operation, if it is about one.")] = ""
    rule: Annotated[StrictStr, Field(description="The rule's slug, if one is known.")] = ""
    harm: Annotated[Harm | Literal[""], Field(description="The harm, if it diverges.")] = ""
    test: Annotated[StrictStr, Field(description="The test of the suite, by its file and name.")] = ""
    reason: Annotated[StrictStr, Field(description="Why, if the outcome needs a reason.")] = ""


@dataclass(frozen=True, order=True)
class Count(Question):
    """How often the same came of a question. Keys without a value are omitted."""

    __pydantic_config__ = _CONFIG

    count: Annotated[Positive, Field(description="The number of such questions.")] = field(kw_only=True)


@dataclass(frozen=True)
class ReferenceIdentity:
    """The wheel that gave the expected answers, and the versions that can change the bits or texts of its answers."""

    __pydantic_config__ = _CONFIG

    harbor: StrictStr
    """Harbor's version."""

    wheel: Sha256
    """The SHA-256 hash of the files that the wheel ships."""

    implementation: StrictStr
    """The Python implementation, such as CPython."""

    python: StrictStr
    """The version of Python."""

    series: StrictStr
    """The interpreter series whose arithmetic the answers follow; 3.13 is the same as 3.12."""

    pydantic: StrictStr
    """The version of pydantic."""

    pydantic_core: StrictStr
    """The version of pydantic-core."""


@dataclass(frozen=True)
class RunnerIdentity:
    """The runner under test."""

    __pydantic_config__ = _CONFIG

    name: StrictStr
    """The runner's own name."""

    spec: StrictStr
    """The runner's name on the command line."""

    version: StrictStr | None
    """The runner's version, if it gives one."""

    language: StrictStr | None
    """The language of the runner, if it gives one."""


@dataclass(frozen=True)
class RunSettings:
    """The settings of the run."""

    __pydantic_config__ = _CONFIG

    profile: StrictStr
    """The profile, which decides how many cases are generated."""

    seed: Number
    """The seed of all generated cases."""

    case_timeout: Annotated[float, Strict(), Field(gt=0, allow_inf_nan=False)] | None
    """The time limit of one case in seconds; null if there was none."""

    hypothesis: StrictStr
    """The version of Hypothesis, on which the generated cases depend."""

    golden_only: StrictBool
    """Whether only golden vectors were asked, and compared with their recorded answers."""

    complete: StrictBool
    """Whether every test that generates cases was selected. Only a complete run speaks for the whole runner."""

    tests: tuple[StrictStr, ...]
    """The tests of the suite that were selected, sorted."""

    left_out: tuple[StrictStr, ...] | None
    """The tests that generate cases and were not selected, sorted. Null if the run did not collect the whole suite."""


@dataclass(frozen=True)
class OperationRecord:
    """The verdict on one operation."""

    __pydantic_config__ = _CONFIG

    name: StrictStr
    """The operation."""

    claimed: StrictBool
    """Whether the runner implements it."""

    lacking: StrictStr | None
    """The reason why the reference does not answer it; null if it does."""

    verdict: StrictStr
    """The verdict, in the words of the run's summary."""


@dataclass(frozen=True)
class RuleRecord:
    """One thing that a runner must get right, and whether it does."""

    __pydantic_config__ = _CONFIG

    slug: Slug
    """The rule's slug."""

    operation: StrictStr
    """The operation that it belongs to."""

    sentence: StrictStr
    """The rule."""

    source: StrictStr
    """What decides the rule: functions or classes of the wheel, of pydantic or of Python by their full names, or a
    document."""

    verdict: RuleVerdict
    """`agrees`: the answers to its vectors are equal, and no divergence was attributed to the rule. `diverges`: some
    vector or generated case diverges, and no declaration covers it. `declared`: all its divergences are declared.
    `not-claimed`: the runner declines. `not-asked`: this run asked no vector of the rule."""

    harm: Harm | None
    """The worst undeclared harm; if all divergences are declared, the worst of those; null if nothing diverges."""


@dataclass(frozen=True)
class Side:
    """One side's value at the place where two answers differ."""

    __pydantic_config__ = _CONFIG

    text: StrictStr
    """Python's repr of the value, or the fault; the middle of a very long text is cut out."""

    type: StrictStr | None
    """The name of the value's type in Python; null if there is no value."""

    bits: Bits | None
    """The bits of a float as sixteen hex digits, big-endian; null for any other value."""


@dataclass(frozen=True)
class DifferenceRecord:
    """The first place where two answers differ."""

    __pydantic_config__ = _CONFIG

    where: StrictStr
    """The path in Python's notation, or `the answer itself`."""

    aspect: Aspect
    """The aspect in which they differ."""

    reference: Side
    runner: Side
    ulps: Number | None
    """Between two finite floats, the distance in units in the last place."""


@dataclass(frozen=True)
class Lines:
    """The lines exchanged with a program over the pipe, without ids."""

    __pydantic_config__ = _CONFIG

    sent: StrictStr
    """The line that was sent."""

    expected: StrictStr
    """The line that the reference would have answered."""

    received: StrictStr
    """The line that the program answered."""


@dataclass(frozen=True)
class MalformedAnswer:
    """An answer that does not follow the protocol of the pipe."""

    __pydantic_config__ = _CONFIG

    mistake: StrictStr
    """The mistake. All answers with the same mistake have the same text."""

    section: StrictStr
    """The section of PROTOCOL.md that describes the correct form."""


@dataclass(frozen=True)
class DeclaredReason:
    """Class and reason of a declared divergence, as the runner's author wrote them."""

    __pydantic_config__ = _CONFIG

    class_: Annotated[Class, Field(alias="class")]
    """The class."""

    reason: StrictStr
    """Why it diverges."""


@dataclass(frozen=True)
class DivergenceRecord:
    """A divergence in its written form: the plainest case of one rule, kind of difference and harm."""

    __pydantic_config__ = _CONFIG

    operation: StrictStr
    """The operation."""

    rule: Slug
    """The slug of the broken rule."""

    shown: Slug
    """The slug of the rule under which it is shown, if the difference of a vector is not about the vector's rule."""

    harm: Harm
    """The harm, from the two answers alone. `pays-out`: a score is higher, or there is one where the reference has none
    or an error. `withholds`: a score is lower, or there is none or an error where the reference has one.
    `hides-failure`, `invents-failure`: no score changes, but a failure of the reference is missing or has another
    reason code, or something fails that does not fail there. `last-bits`: a score differs by a billionth or less.
    `form`: no score and no failure differs."""

    kind: DifferenceKind
    """The kind of difference: a value where the reference has an error, the reverse, another error, a value of another
    type, another value, or no answer, because the runner hangs or ends."""

    vector: StrictStr | None
    """The id of the golden vector; null for a generated case."""

    case: Annotated[Any, Field(json_schema_extra={"type": ["object", "null"]})]
    """The case in the wire format of the golden vectors; null if it is larger than 64 KiB, or has no such form."""

    case_bytes: Number
    """The size of the case in its wire form, in bytes."""

    case_text: StrictStr
    """The case in one line, for people."""

    applies: tuple[StrictStr, ...]
    """The slugs of the special rules that apply to the case."""

    like: StrictStr | None
    """For a generated case, the golden vector that shows it or is most like it; null if that is unknown."""

    authority: StrictStr
    """Where the expected answer comes from: `harbor`, a release of `verifiers`, or `the scoring description` if no
    wheel implements the operation."""

    reference: StrictStr
    """The expected answer."""

    runner: StrictStr
    """The runner's answer."""

    lines: Lines | None
    """The lines that were exchanged with a program; null for a runner in Python."""

    malformed: MalformedAnswer | None
    """The mistake, if the runner's answer does not follow the protocol."""

    raised: tuple[StrictStr, ...]
    """The lines of the traceback, if the runner raised an error that Harbor never raises for the operation."""

    summary: StrictStr
    """The difference, in one line."""

    difference: DifferenceRecord
    repeatable: StrictBool
    """Whether the runner gave the same answer when it was asked again."""

    tests: tuple[StrictStr, ...]
    """The tests of the suite that found a divergence of this rule, kind and harm, sorted."""

    replay: StrictStr
    """The command that runs the case again, or `none:` and the reason."""

    replay_file: StrictStr | None
    """The name of the replay file in .parity/; null if there is none."""

    declare: StrictStr | None
    """The row that declares the case in a file of declared divergences, if the run has such a file."""

    declared: DeclaredReason | None
    """The declaration of the runner's author that covers it; null if there is none."""


@dataclass(frozen=True)
class Final:
    """The verdict on the run. It is the last part of a report; a report without it comes from a run that was killed."""

    __pydantic_config__ = _CONFIG

    verdict: OverallVerdict
    """`undecided` if nothing was compared, if the run was interrupted, or if a test failed for another reason than a
    divergence."""

    ended: End
    """Whether the run finished or was interrupted."""

    exit: Number
    """The exit code of pytest."""

    divergences: Number
    """The number of divergences in this report that no declaration covers."""

    rules: Number
    """The number of rules whose verdict is `diverges`."""

    harms: dict[Harm, Positive]
    """The number of those rules by harm, the worst first; harms without a rule are omitted."""

    classes: dict[StrictStr, ClassVerdict]
    """The verdict on each class of conformance; a class conforms if all of its operations agree."""


@dataclass(frozen=True)
class Report:
    """The report of one run of `pytest parity/`: one runner compared with one reference.

    The verdicts on operations, on rules and on the run are sums over `counts`.
    """

    __pydantic_config__ = _CONFIG

    format: Annotated[int, Field(json_schema_extra={"const": FORMAT})]
    """The version of this format."""

    kit: StrictStr
    """The version of harbor-parity that wrote the report."""

    started_at: Instant
    """The time when the run started, in ISO 8601 with its zone."""

    reference: ReferenceIdentity
    runner: RunnerIdentity
    settings: RunSettings
    operations: tuple[OperationRecord, ...]
    """All operations, in the order of a trial's life."""

    rules: tuple[RuleRecord, ...]
    """All rules, in the order in which divergences are attributed to them."""

    counts: tuple[Count, ...]
    """The outcomes of all questions, sorted."""

    divergences: tuple[DivergenceRecord, ...]
    """The plainest case that was found for each rule, kind of difference and harm, in the order of the terminal; then
    one case for each declared rule, kind and harm."""

    final: Final
