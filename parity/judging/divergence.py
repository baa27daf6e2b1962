"""Divergences: their data, the exceptions that carry them, and the text that reports them."""

from dataclasses import dataclass
from functools import cached_property

from parity.judging.difference_kind import DifferenceKind, kind_of
from parity.judging.harm import Harm, harm_of
from parity.operations import OPERATIONS
from parity.operations.answers import Answer, Crash, Fault, Value
from parity.operations.compare import Difference
from parity.operations.finding import SuiteFinding
from parity.operations.rule import Rule
from parity.operations.wire import Json, canonical, float_to_hex

_WIDTH = 400


@dataclass(frozen=True)
class Divergence:
    """One case with two different answers, the reference's and the runner's."""

    operation: str
    rule: Rule
    flags: frozenset[str]
    case: Json
    reference: Answer
    runner: Answer
    difference: Difference
    runner_name: str
    repeatable: bool = True
    """Whether the runner gave the same answer when it was asked again."""

    @cached_property
    def kind(self) -> DifferenceKind:
        """The kind of difference between the answers."""
        return kind_of(self.reference, self.runner, self.difference)

    @cached_property
    def harm(self) -> Harm:
        """The harm: whether a score differs, a failure, or only the form."""
        return harm_of(self.operation, self.reference, self.runner)

    @property
    def classified(self) -> tuple[str, DifferenceKind, Harm]:
        """Rule, kind and harm. Divergences that are alike in all three are reported once."""
        return self.rule.slug, self.kind, self.harm

    @cached_property
    def plainness(self) -> tuple[bool, int, int]:
        """Least for a case that has a flag of the rule, if the rule has any; then for few flags, and a short case."""
        borrowed = bool(self.rule.flags) and self.rule.flags.isdisjoint(self.flags)
        return borrowed, len(self.flags), len(canonical(self.case))


class DivergenceFound(SuiteFinding):
    """Raised where a case diverges."""

    def __init__(self, divergence: Divergence, vector: str | None = None) -> None:
        super().__init__(f"{divergence.rule.slug}: {first_line(divergence)}")
        self.divergence = divergence
        self.vector = vector


def first_line(divergence: Divergence) -> str:
    """Return one line that says how the answers differ."""
    difference = divergence.difference
    match difference.aspect:
        case "crash":
            return f"{divergence.runner_name} gave no answer"
        case "input":
            return f"the same answer, but what was given is changed: {difference.actual}"
        case "fault":
            return f"{_outcome(divergence.runner)} instead of {_outcome(divergence.reference)}"
        case "type":
            given, wanted = type(difference.actual).__name__, type(difference.expected).__name__
            return f"{given} instead of {wanted} at {difference.where()}"
        case "keys":
            return f"other keys at {difference.where()}"
        case "order":
            return f"the same keys in another order at {difference.where()}"
        case "length":
            return f"another length at {difference.where()}"
        case "bits":
            return f"another number at {difference.where()}{_distance(difference)}"
        case _:
            return f"another {difference.aspect} at {difference.where()}"


type Rows = list[tuple[str, str]]
"""Labels, each with its text."""


def describe(divergence: Divergence, replay: str, vector: str | None = None) -> Rows:
    """Return the report of a divergence, without its rule, which is printed above it.

    Args:
        divergence: what to report.
        replay: the command that asks the same case again.
        vector: the id of the golden vector, if the case is one.
    """
    operation = OPERATIONS[divergence.operation]
    case = shortened(operation.describe(operation.decode(divergence.case)))
    rows = [
        ("vector", f"{vector}: {case}") if vector else ("smallest case", case),
        (authority_of(divergence), show_answer(divergence.reference)),
        (divergence.runner_name, show_answer(divergence.runner)),
        *([] if _is_seen(divergence) else _place(divergence)),
    ]
    if not divergence.repeatable:
        rows.append(("warning", "asked the same again, the runner answered differently"))
    rows.append(("replay", replay))
    return rows


def describe_more(divergence: Divergence) -> Rows:
    """Return the rest of the report, for -v: the differing bits, the flags, and the source of the rule."""
    return [
        ("difference", first_line(divergence)),
        *(_place(divergence) if _is_seen(divergence) else []),
        *([("flags", ", ".join(sorted(divergence.flags)))] if divergence.flags else []),
        ("decided by", divergence.rule.source),
    ]


def _place(divergence: Divergence) -> Rows:
    """Return the first place where the answers differ, with the bits of both; no row for a difference of the whole."""
    difference = divergence.difference
    if not difference.path or difference.aspect == "input":
        return []
    sides = f"{_show(difference.expected)}, not {_show(difference.actual)}"
    return [("differs at", f"{difference.where()}: {sides}")]


def _is_seen(divergence: Divergence) -> bool:
    """Return whether both answers are printed uncut, and look different."""
    values = [answer.value for answer in (divergence.reference, divergence.runner) if isinstance(answer, Value)]
    whole = all(len(shown(value)) <= _WIDTH for value in values)
    return whole and show_answer(divergence.reference) != show_answer(divergence.runner)


def authority_of(divergence: Divergence) -> str:
    """Return the name of the reference that the runner's answer is compared with."""
    return OPERATIONS[divergence.operation].authority(divergence.flags)


def show_answer(answer: Answer, width: int = _WIDTH) -> str:
    """Return an answer in one line."""
    match answer:
        case Value(value, changed):
            return shortened(shown(value), width) + _side_effect(changed)
        case Fault(kind, message, changed):
            said = " ".join(message.split())  # pydantic's messages have several lines
            raised = shortened(f"raises {kind}: {said}" if said else f"raises {kind}", width)
            return raised + _side_effect(changed)
        case Crash(reason):
            return f"crashed: {reason}"
        case _:
            return "not claimed"


def _side_effect(changed: str) -> str:
    return f"; what it was given is changed: {changed}" if changed else ""


def _outcome(answer: Answer) -> str:
    return answer.kind if isinstance(answer, Fault) else "a value"


def _show(value: object) -> str:
    """Return a value with its type and, for a float, its bits."""
    if type(value) is float:
        return f"{value!r} (float, {float_to_hex(value)}, {value.hex()})"
    return f"{shortened(shown(value))} ({type(value).__name__})"


def _distance(difference: Difference) -> str:
    ulps = difference.ulps
    return "" if ulps is None else f", {ulps} ULP apart"


def shown(value: object) -> str:
    """Return the repr of a value, or the name of the error that its repr raises."""
    try:
        return repr(value)
    except Exception as error:  # an answer may be anything at all
        return f"<{type(value).__name__} whose repr raises {type(error).__name__}>"


def shortened(text: str, width: int = _WIDTH) -> str:
    """Return the text, with its middle cut out if it is longer than the width."""
    if len(text) <= width:
        return text
    return f"{text[: width // 2]} … {len(text) - width} characters … {text[-width // 2 :]}"
