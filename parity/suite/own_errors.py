"""Shows the traceback of a runner's unexpected error, so that a bug in an adapter is not mistaken for wrong scoring.

An error of a kind that Harbor raises for the operation is treated as an answer. Any other error is treated as a
mistake, and is reported with its traceback.
"""

from functools import cache
from traceback import StackSummary, TracebackException

from parity.operations.answers import Answer, Crash, Fault
from parity.operations.goldens import read_vectors
from parity.runners.own_frames import is_own

_MOST_FRAMES = 8
_WIDTH = 400


@cache
def kinds_of(operation: str) -> frozenset[str]:
    """Return the kinds of error that Harbor raises in the golden vectors of an operation."""
    answers = (vector.answer(series) for vector in read_vectors(operation) for series in vector.answers)
    return frozenset(answer.kind for answer in answers if isinstance(answer, Fault))


def own_error(operation: str, reference: Answer, runner: Answer) -> list[str]:
    """Return the lines of a traceback, shortened to the runner's own code; an empty list if there is nothing to show.

    Args:
        operation: the operation's name.
        reference: the reference's answer; if it is an error, its kind is treated as one that Harbor raises.
        runner: the runner's answer; an answer from a program has no traceback.
    """
    if not isinstance(runner, Fault | Crash) or runner.error is None:
        return []
    if isinstance(runner, Fault) and (runner.kind in kinds_of(operation) or _kind(reference) == runner.kind):
        return []
    try:
        trace = TracebackException.from_exception(runner.error)
        _shorten(trace)
        lines = "".join(trace.format()).splitlines()
    except Exception:  # an error may be any object
        return []
    return [line if len(line) <= _WIDTH else f"{line[:_WIDTH]} …" for line in lines]


def _kind(answer: Answer) -> str | None:
    return answer.kind if isinstance(answer, Fault) else None


def _shorten(trace: TracebackException) -> None:
    """Keep only the last frames in the code of the runner and of its dependencies."""
    own = [frame for frame in trace.stack if is_own(frame.filename)] or list(trace.stack)[-3:]
    trace.stack = StackSummary.from_list(own[-_MOST_FRAMES:])
    for other in (trace.__cause__, trace.__context__):
        if other:
            _shorten(other)
