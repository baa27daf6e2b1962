"""Serves a Python runner over the pipe, from another environment or another interpreter.

`parity serve package.module:name` runs the runner as a program. It needs neither Harbor nor pytest, so the suite can
test even a runner that cannot be installed in the same environment as harbor==0.13.1.
"""

import json
import os
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack
from platform import python_version
from typing import Any

from parity.operations import OPERATIONS
from parity.operations.answers import Crash, Fault, NotClaimed, Value
from parity.operations.files.directories import remove_process_directory
from parity.operations.wire import Json, WireError, canonical, encode
from parity.runners.asking import ask
from parity.runners.clean_room import CleanRoom
from parity.runners.loading import load_runner
from parity.runners.pipe.messages import LONGEST_MESSAGE
from parity.runners.runner import claims
from parity.scorer.series import Series

_CHUNK = 256 * 1024
_START = "start this with: pytest --pyargs parity --runner-cmd 'parity serve …'"
_PLAIN = (type(None), bool, int, float, str)


class ServeError(Exception):
    """The input does not come from the kit. The message is one line with the reason."""


def serve(spec: str) -> None:
    """Read questions from standard input and write answers to standard output, until the input ends.

    The runner and the programs that it starts have an empty standard input, and their output goes to standard error.

    Args:
        spec: the runner, written as for `--runner`.

    Raises:
        RunnerError: the runner cannot be loaded.
        ServeError: the input is not from the kit.
    """
    converse(lambda questions: _answers(spec, questions))


def converse(answers: Callable[[Iterator[bytes]], Iterator[str]]) -> None:
    """Answer the lines of standard input on standard output; see `serve`."""
    with os.fdopen(os.dup(0), "rb", buffering=0) as source, os.fdopen(os.dup(1), "wb") as output:
        with open(os.devnull, "rb") as nothing:
            os.dup2(nothing.fileno(), 0)
        os.dup2(2, 1)
        for line in answers(_lines(source.fileno(), output.flush)):
            output.write(line.encode() + b"\n")


def _lines(source: int, flush: Callable[[], None]) -> Iterator[bytes]:
    """Yield the lines of the input, and flush the answers before each wait for further lines."""
    rest = b""
    while chunk := os.read(source, _CHUNK):
        *lines, rest = (rest + chunk).split(b"\n")
        yield from lines
        flush()


def _answers(spec: str, questions: Iterator[bytes]) -> Iterator[str]:
    runner: Any = load_runner(spec, "SPEC")
    first = next(questions, None)
    if first is None:
        raise ServeError(f"the input ended before its first line; {_START}")
    match read_message(first):
        case {"hello": {"protocol": 1, "interpreter": str(series)}} if series in list(Series):
            if spec == CleanRoom.name:
                runner = CleanRoom(Series(series))
        case _:
            raise ServeError(f"no hello of protocol 1; {_START}")
    operations: list[Json] = [operation for operation in OPERATIONS if claims(runner, operation)]
    yield canonical(
        {
            "hello": {
                "name": runner.name,
                "language": f"Python {python_version()}",
                "operations": operations,
                "pipelining": True,
            }
        }
    )
    for line in questions:
        yield answer_line(runner, read_message(line))


def read_message(line: bytes) -> Any:
    """Read the JSON of a line.

    Raises:
        ServeError: the line is not JSON.
    """
    try:
        return json.loads(line)
    except ValueError:
        raise ServeError(f"no JSON: {line[:80]!r}") from None


def answer_line(runner: object, message: Any, operations: Mapping[str, Any] = OPERATIONS) -> str:
    """Return the runner's answer to a question about one of the operations, as a line without a line end.

    Raises:
        ServeError: the message is not a question, or not one about its operation.
    """
    match message:
        case {"id": str(number), "operation": str(operation), "input": question}:
            return canonical({"id": number, **_answer(runner, operation, question, operations)})
        case _:
            raise ServeError(f"no question: {str(message)[:80]}")


def _answer(runner: object, operation: str, question: Json, operations: Mapping[str, Any]) -> dict[str, Json]:
    if operation not in operations or not claims(runner, operation):
        return {"unsupported": f"there is no {operation}"}
    with ExitStack() as stack:
        try:
            arguments = stack.enter_context(operations[operation].decoded_arguments(question))
        except WireError as error:
            raise ServeError(f"no question about {operation}: {error}") from None
        answer = ask(runner, operation, arguments)
    try:
        match answer:
            case Value(value):
                return {"value": encode(_exact(value))}
            case Fault(kind, message):
                return _fault(kind, message)
            case NotClaimed(reason):
                return {"unsupported": reason}
            case Crash(reason):
                sys.stderr.write(f"{reason}\n")
                remove_process_directory()
                os._exit(70)  # the protocol demands that a program ends if it has no answer
    except WireError as error:
        return _fault("WireError", str(error))
    except RecursionError:
        return _fault("WireError", "the answer is nested too deeply for the wire")


def _fault(kind: str, message: str) -> dict[str, Json]:
    return {"fault": {"kind": kind, "message": message[:LONGEST_MESSAGE]}}


def _exact(value: object) -> object:
    """Return the value if all its parts have exactly the types that an answer may have.

    Raises:
        WireError: a part has a different type, such as a subclass, because the wire does not preserve that type.
    """
    if type(value) is dict:
        for key, each in value.items():
            if type(key) not in (str, int):
                raise WireError(f"a key of type {type(key).__name__} has no form on the wire")
            _exact(each)
    elif type(value) is list:
        for each in value:
            _exact(each)
    elif type(value) not in _PLAIN:
        raise WireError(f"{type(value).__name__} has no form on the wire")
    return value
