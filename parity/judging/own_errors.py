"""Where a runner's own error comes from: a mistake in an adapter is not to be taken for a fault of its scoring.

An error of a kind that Harbor raises for the operation is taken for an answer, any other for a mistake, and is reported
with its traceback.
"""

from functools import cache
from traceback import StackSummary, TracebackException

from parity.operations import OPERATIONS
from parity.operations.answer_wire import decode_answer
from parity.operations.answers import Answer, Crash, Fault
from parity.operations.goldens import read_entries
from parity.runners.own_frames import is_own

_MOST_FRAMES = 8
_WIDTH = 400


@cache
def kinds_of(operation: str) -> frozenset[str]:
    """The kinds of error that Harbor raises for an operation, in any of its golden vectors."""
    kinds = set()
    for entry in read_entries(operation).values():
        for trace in [entry["answer"]] if "answer" in entry else entry["answers"].values():
            answer = decode_answer(OPERATIONS[operation], trace)
            kinds |= {answer.kind} if isinstance(answer, Fault) else set()
    return frozenset(kinds)


def own_error(operation: str, reference: Answer, runner: Answer, *, always: bool = False) -> list[str]:
    """The traceback of the runner's error, shortened to its own code, a line each.

    Args:
        operation: what was asked.
        reference: the reference's answer, whose kind of error is one of Harbor's.
        runner: the runner's; one of a program has no traceback.
        always: whether to show it also where Harbor raises such an error.
    """
    if not isinstance(runner, Fault | Crash) or runner.error is None:
        return []
    is_known = isinstance(runner, Fault) and (runner.kind in kinds_of(operation) or _kind(reference) == runner.kind)
    if is_known and not always:
        return []
    try:
        trace = TracebackException.from_exception(runner.error)
        _shorten(trace)
        lines = "".join(trace.format()).splitlines()
    except Exception:  # an error may be anything at all
        return []
    return [line if len(line) <= _WIDTH else f"{line[:_WIDTH]} …" for line in lines]


def _kind(answer: Answer) -> str | None:
    return answer.kind if isinstance(answer, Fault) else None


def _shorten(trace: TracebackException) -> None:
    """Leave out what is neither the runner's nor of what it uses, and most of a long recursion."""
    own = [frame for frame in trace.stack if is_own(frame.filename)] or list(trace.stack)[-3:]
    trace.stack = StackSummary.from_list(own[-_MOST_FRAMES:])
    for other in (trace.__cause__, trace.__context__):
        if other:
            _shorten(other)
