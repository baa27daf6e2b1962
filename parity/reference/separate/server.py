"""The reference's side of the pipe: the runners' protocol, and a few calls between two copies of the same kit.

Its first line is `{"problem": [what, repair]}` if this environment has no intact Harbor, else a hello with a member
`described`. That member, and the arguments and results of calls, are pickled.
"""

from collections.abc import Callable, Iterator
from functools import partial
from platform import python_version

from parity.operations import OPERATIONS
from parity.operations.wire import Json, canonical
from parity.reference import Reference, WheelError, open_reference, real_histories
from parity.reference.separate import pickled, unpickled
from parity.reference.stored_jobs import stored_job
from parity.runners.pipe.serving import ServeError, answer_line, converse, read_message


def serve() -> None:
    """Answer questions on standard output until standard input ends."""
    converse(_lines)


def _lines(questions: Iterator[bytes]) -> Iterator[str]:
    next(questions, None)  # skip the hello: the reference's own interpreter decides the series
    try:
        reference = open_reference(release=None)
        as_recorded = reference.is_as_recorded
        described = reference.identity, reference.unpinned, reference.lacking, as_recorded
    except WheelError as error:
        yield _problem(error)
        return
    operations: list[Json] = [*OPERATIONS]
    hello: Json = {
        "name": "the reference",
        "language": f"Python {python_version()}",
        "operations": operations,
        "pipelining": True,
    }
    yield canonical({"hello": hello, "described": pickled(described)})
    calls = _Calls(reference)
    for line in questions:
        match read_message(line):
            case {"call": str(name), "given": str(given)}:
                yield calls.answer(name, given)
            case message:
                yield answer_line(reference.authorities, message)


class _Calls:
    """The calls to the reference that are not operations."""

    def __init__(self, reference: Reference) -> None:
        self._known: dict[str, Callable[..., object]] = {
            "load": reference.load,
            "real_histories": partial(real_histories, reference.authorities),
            "stored_job": partial(stored_job, reference.authorities),
        }

    def answer(self, name: str, given: str) -> str:
        if name not in self._known:
            raise ServeError(f"no call: {name}")
        try:
            return canonical({"result": pickled(self._known[name](*unpickled(given)))})
        except WheelError as error:
            return _problem(error)


def _problem(error: WheelError) -> str:
    return canonical({"problem": [error.problem, error.repair]})
