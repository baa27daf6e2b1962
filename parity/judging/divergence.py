"""A divergence, how it is reported, and how it is raised."""

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
    """Reference and runner gave different answers to one case."""

    operation: str
    rule: Rule
    flags: frozenset[str]
    case: Json
    reference: Answer
    runner: Answer
    difference: Difference
    runner_name: str
    repeatable: bool = True
    """Whether the runner gave the same answer when it was asked the same again."""

    @cached_property
    def kind(self) -> DifferenceKind:
        """What the runner has, and what the reference has there."""
        return kind_of(self.reference, self.runner, self.difference)

    @cached_property
    def harm(self) -> Harm:
        """Whether it changes a score, a failure, or only the form."""
        return harm_of(self.operation, self.reference, self.runner)

    @property
    def classified(self) -> tuple[str, DifferenceKind, Harm]:
        """Its rule, kind and harm: divergences that are alike in all three are reported once."""
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
    """What differs, in one line."""
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
"""Labels, and what stands beside them."""


def describe(divergence: Divergence, replay: str, vector: str | None = None) -> Rows:
    """The report of a divergence, readable without the source; its rule stands above.

    Args:
        divergence: what was found.
        replay: the command that asks the same case again.
        vector: the id of the golden vector, if it was one.
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
    """The rest of the report, for whoever asks for more: what differs by which bits, flags, and the rule's source."""
    return [
        ("difference", first_line(divergence)),
        *(_place(divergence) if _is_seen(divergence) else []),
        *([("flags", ", ".join(sorted(divergence.flags)))] if divergence.flags else []),
        ("decided by", divergence.rule.source),
    ]


def _place(divergence: Divergence) -> Rows:
    """Where the answers part, and both sides' bits."""
    difference = divergence.difference
    if not difference.path or difference.aspect == "input":
        return []
    sides = f"{_show(difference.expected)}, not {_show(difference.actual)}"
    return [("differs at", f"{difference.where()}: {sides}")]


def _is_seen(divergence: Divergence) -> bool:
    """Whether both answers stand there whole, and look different."""
    values = [answer.value for answer in (divergence.reference, divergence.runner) if isinstance(answer, Value)]
    whole = all(len(shown(value)) <= _WIDTH for value in values)
    return whole and show_answer(divergence.reference) != show_answer(divergence.runner)


def authority_of(divergence: Divergence) -> str:
    """Whose answer the runner's is held against."""
    return OPERATIONS[divergence.operation].authority(divergence.flags)


def show_answer(answer: Answer, width: int = _WIDTH) -> str:
    """An answer in one line."""
    match answer:
        case Value(value, changed):
            return shortened(shown(value), width) + _side_effect(changed)
        case Fault(kind, message, changed):
            said = " ".join(message.split())  # of several lines, as pydantic's are
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
    """A value with its type and, for a float, its bits."""
    if type(value) is float:
        return f"{value!r} (float, {float_to_hex(value)}, {value.hex()})"
    return f"{shortened(shown(value))} ({type(value).__name__})"


def _distance(difference: Difference) -> str:
    ulps = difference.ulps
    return "" if ulps is None else f", {ulps} ULP apart"


def shown(value: object) -> str:
    """A value as Python writes it."""
    try:
        return repr(value)
    except Exception as error:  # an answer may be anything at all
        return f"<{type(value).__name__} whose repr raises {type(error).__name__}>"


def shortened(text: str, width: int = _WIDTH) -> str:
    """The text, cut in its middle where it is too long."""
    if len(text) <= width:
        return text
    return f"{text[: width // 2]} … {len(text) - width} characters … {text[-width // 2 :]}"
