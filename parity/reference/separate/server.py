"""The reference's side of the pipe: answers the kit's questions with the installed wheel."""

from collections.abc import Iterator
from dataclasses import asdict
from platform import python_version
from types import SimpleNamespace
from typing import Any

from parity.operations import OPERATIONS
from parity.operations.wire import Json, canonical
from parity.reference import WheelError, open_reference
from parity.reference.separate import OWN_OPERATIONS, pickled
from parity.reference.stored_jobs import stored_job
from parity.runners.pipe.serving import answer_line, converse, read_message


def serve() -> None:
    """Answer questions on standard output until standard input ends."""
    converse(_lines)


def _lines(questions: Iterator[bytes]) -> Iterator[str]:
    next(questions, None)  # skip the hello: the reference's own interpreter decides the series
    try:
        reference = open_reference(release=None)
    except WheelError as error:
        yield _hello([], {"problem": error.problem, "repair": error.repair})
        return
    described = {
        "identity": asdict(reference.identity),
        "unpinned": reference.unpinned,
        "lacking": dict(reference.lacking),
        "is_as_recorded": reference.is_as_recorded,
    }
    yield _hello([*OPERATIONS], described)
    own = SimpleNamespace(stored_job=lambda *arguments: pickled(stored_job(reference.wheel, *arguments)))
    for line in questions:
        message = read_message(line)
        operation = message.get("operation")
        if operation in OWN_OPERATIONS:
            yield answer_line(own, message, OWN_OPERATIONS)
            continue
        try:
            if operation not in reference.lacking:
                reference.load(operation)
        except WheelError as error:
            raise SystemExit(str(error)) from None  # the kit shows standard error
        yield answer_line(reference.wheel, message)


def _hello(operations: list[Json], reference: dict[str, Any]) -> str:
    hello: Json = {
        "name": "the reference",
        "language": f"Python {python_version()}",
        "operations": operations,
        "pipelining": True,
        "reference": reference,
    }
    return canonical({"hello": hello})
