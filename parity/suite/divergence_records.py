"""Turns a divergence into its record in a report: plain JSON, which can be sent between processes."""

from pathlib import Path

from parity.operations.answers import Answer, Crash, Fault, NotClaimed, Value
from parity.operations.compare import Difference
from parity.operations.wire import Json, float_to_hex
from parity.suite.divergence import (
    Divergence,
    first_line,
    shortened,
    show_answer,
    show_answers,
    show_sides,
)
from parity.suite.plain import to_plain
from parity.suite.records import DeclaredReason, DifferenceRecord, DivergenceRecord, Side
from parity.suite.replay import WrittenReplay

LARGEST_CASE = 64 * 1024
"""Maximum size of a case in a report, in bytes of wire JSON. A larger case is only in its replay file."""

_LONGEST_TEXT = 4000


def divergence_record(
    divergence: Divergence,
    replay: WrittenReplay,
    vector: str | None = None,
    declared: DeclaredReason | None = None,
    *,
    tests: tuple[str, ...],
) -> dict[str, Json]:
    """Return the record of a divergence for a report.

    Args:
        divergence: what to report.
        replay: the replay file of the case, and the command that runs the case again.
        vector: the id of the golden vector, if the case is one.
        declared: class and reason of the declaration that covers the divergence, if any.
        tests: the tests of the suite that found the divergence.
    """
    reference, runner = show_answers(divergence.reference, divergence.runner, _LONGEST_TEXT)
    record = DivergenceRecord(
        operation=divergence.operation,
        rule=divergence.rule.slug,
        harm=divergence.harm,
        kind=divergence.kind,
        vector=vector,
        case=divergence.wire_form if divergence.size <= LARGEST_CASE else None,
        case_bytes=divergence.size,
        case_text=_cut(divergence.described),
        authority=divergence.authority,
        reference=reference,
        runner=_cut(runner),
        summary=_cut(first_line(divergence)),
        difference=_difference(divergence.difference),
        repeatable=divergence.repeatable,
        tests=tests,
        replay=replay.command,
        replay_file=_name(replay.path),
        declared=declared,
    )
    plain: dict[str, Json] = to_plain(record)
    return plain


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


def _name(path: Path | None) -> str | None:
    return None if path is None else path.name


def _cut(text: str) -> str:
    return shortened(text, _LONGEST_TEXT)
