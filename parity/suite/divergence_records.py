"""Turns a divergence into its record, which can be sent between processes, added up, written and shown."""

from parity.operations.answers import Answer, Crash, Fault, Malformed, NotClaimed, Value
from parity.operations.compare import Difference
from parity.operations.operation import encode_answer
from parity.operations.wire import Json, WireError, canonical, float_to_hex
from parity.suite.attribution import applying_rules
from parity.suite.divergence import (
    Divergence,
    first_line,
    shortened,
    shortened_apart,
    show_answer,
    show_answers,
    show_sides,
)
from parity.suite.own_errors import own_error
from parity.suite.records import (
    DeclaredReason,
    DifferenceRecord,
    DivergenceRecord,
    Lines,
    MalformedAnswer,
    Side,
)
from parity.suite.replay import WrittenReplay

LARGEST_CASE = 64 * 1024
"""Maximum size of a case in a report, in bytes of wire JSON. A larger case is only in its replay file."""

_LONGEST_TEXT = 4000


def divergence_record(
    divergence: Divergence,
    replay: WrittenReplay,
    *,
    test: str,
    like: str | None = None,
    lines: Lines | None = None,
    declare: str | None = None,
    declared: DeclaredReason | None = None,
) -> DivergenceRecord:
    """Return the record of a divergence.

    Args:
        divergence: what to record.
        replay: the replay file of the case, and the command that runs the case again.
        test: the test of the suite that found it.
        like: the golden vector that is most like a generated case.
        lines: the lines that were exchanged with a program.
        declare: the row that would declare it.
        declared: class and reason of the declaration that covers it.
    """
    operation, actual = divergence.operation, divergence.runner
    reference, runner = show_answers(divergence.reference, actual, _LONGEST_TEXT)
    return DivergenceRecord(
        operation=operation.name,
        rule=divergence.rule.slug,
        shown=divergence.shown.slug,
        harm=divergence.harm,
        kind=divergence.kind,
        vector=divergence.vector,
        case=divergence.wire_form if divergence.size <= LARGEST_CASE else None,
        case_bytes=divergence.size,
        case_text=_cut(divergence.described),
        applies=tuple(applying_rules(operation, divergence.case)),
        like=like,
        authority=divergence.authority,
        reference=reference,
        runner=runner,
        lines=lines,
        malformed=MalformedAnswer(actual.mistake, actual.section) if isinstance(actual, Malformed) else None,
        raised=tuple(own_error(operation.name, divergence.reference, actual)),
        summary=_cut(first_line(divergence)),
        difference=_difference(divergence.difference),
        repeatable=divergence.repeatable,
        tests=(test,),
        replay=replay.command,
        replay_file=None if replay.path is None else replay.path.name,
        declare=declare,
        declared=declared,
    )


def lines_of(divergence: Divergence, question: Json) -> Lines:
    """Return the line that was sent to a program, the expected line and the received line, without ids."""
    sent = canonical({"operation": divergence.operation.name, "input": question})
    expected, received = shortened_apart(_line(divergence.reference), _line(divergence.runner), _LONGEST_TEXT)
    return Lines(_cut(sent), expected, received)


def _line(answer: Answer) -> str:
    """Return an answer as a line on the pipe, including the message of a fault."""
    match answer:
        case Fault(kind, message) if message:
            return canonical({"fault": {"kind": kind, "message": message}})
        case Malformed():
            return answer.received
        case Value() | Fault():
            try:
                return canonical(encode_answer(answer))
            except (WireError, RecursionError):
                return "a value without a form on the wire"
        case _:
            return "no answer"


def _difference(difference: Difference) -> DifferenceRecord:
    expected, actual = difference.expected, difference.actual
    texts = show_sides(expected, actual, _LONGEST_TEXT)
    return DifferenceRecord(
        where=difference.where(),
        aspect=difference.aspect,
        reference=_side(expected, texts[0]),
        runner=_side(actual, texts[1]),
        ulps=difference.ulps,
    )


def _side(value: object, text: str) -> Side:
    if isinstance(value, Value | Fault | Crash | NotClaimed):
        answer: Answer = value
        return Side(show_answer(answer, _LONGEST_TEXT), None, None)
    bits = float_to_hex(value) if type(value) is float else None
    return Side(text, type(value).__name__, bits)


def _cut(text: str) -> str:
    return shortened(text, _LONGEST_TEXT)
