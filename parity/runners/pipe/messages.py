"""Writes the kit's lines and reads a program's lines. PROTOCOL.md describes both."""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, NoReturn

from parity.operations import OPERATIONS
from parity.operations.answers import Answer, Fault, NotClaimed, Value
from parity.operations.operation import Operation
from parity.operations.wire import Json, WireError, canonical
from parity.runners.pipe.program import excerpt

PROTOCOL = 1
REFERENCE = "harbor==0.13.1"
_LONGEST_NAME = 100
LONGEST_MESSAGE = 10_000
_KINDS = ("value", "fault", "unsupported")
_CONVERSATION, _VALUES = "the-conversation", "values"
"""Sections of PROTOCOL.md."""


class ProtocolMistake(Exception):
    """A line that does not follow the protocol.

    Args:
        mistake: the mistake, in the same words for every line with this mistake.
        detail: the details of the mistake in this line.
        line: the line.
        expected: the form of a correct line.
        section: the section of PROTOCOL.md that describes the correct form.
        lost: whether it is unknown which question the line answers, so that the conversation cannot continue.
    """

    def __init__(
        self, mistake: str, detail: str, line: bytes, expected: str, section: str, *, lost: bool = False
    ) -> None:
        super().__init__(f"{mistake}{detail}: {excerpt(line)}")
        self.mistake = mistake
        self.received = excerpt(line)
        self.expected = expected
        self.section = section
        self.lost = lost


@dataclass(frozen=True)
class Hello:
    """A program's hello: its first line."""

    name: str
    operations: tuple[str, ...]
    version: str | None = None
    language: str | None = None
    pipelining: bool = False
    """Whether the program accepts further questions before it has answered the first."""

    reference: Mapping[str, Any] | None = None
    """The reference's description of itself, if the program is a reference; None for a runner."""

    def is_the_same(self, other: "Hello") -> bool:
        """Return whether another hello is the same, apart from the order of the operations."""
        return set(self.operations) == set(other.operations) and self == replace(other, operations=self.operations)

    @property
    def title(self) -> str:
        """The program's name, followed by its version if the hello contains one."""
        return f"{self.name} {self.version}" if self.version else self.name

    def __str__(self) -> str:
        return f"{self.title} ({self.language or 'language not given'}) with {', '.join(self.operations)}"


def hello_line(series: str) -> bytes:
    """Return the kit's hello, without a line end."""
    return canonical({"hello": {"protocol": PROTOCOL, "reference": REFERENCE, "interpreter": series}}).encode()


def question_line(number: int, operation: str, question: Json) -> bytes:
    """Return a question as a line, without a line end."""
    return canonical({"id": str(number), "operation": operation, "input": question}).encode()


def read_hello(line: bytes) -> Hello:
    """Read a program's hello.

    Raises:
        ProtocolMistake: the line is not a valid hello.
    """
    members = '"name": "…", "version": "…", "language": "…", "operations": ["…"], "pipelining": true'
    expected = f'{{"hello": {{{members}}}}}'

    def refuse(what: str) -> NoReturn:
        raise ProtocolMistake(what, "", line, expected, _CONVERSATION, lost=True)

    message, wrong = _object(line, expected, lambda number: f'"{number}"')
    if wrong:
        refuse("".join(wrong))
    hello = message.get("hello")
    if list(message) != ["hello"] or not isinstance(hello, dict):
        refuse("the first line is no hello")
    if unknown := sorted(set(hello) - {"name", "version", "language", "operations", "pipelining", "reference"}):
        refuse(f"the hello has a key {unknown[0]!r} that the protocol does not know")
    name, operations = hello.get("name"), hello.get("operations")
    if not isinstance(name, str) or not _is_label(name):
        refuse(f"the hello has no name of 1 to {_LONGEST_NAME} printable characters")
    for key in ("version", "language"):
        if key in hello and not _is_label(hello[key]):
            refuse(f"the {key} in the hello is no string of 1 to {_LONGEST_NAME} printable characters")
    reference = hello.get("reference")
    if reference is not None and not isinstance(reference, dict):
        refuse("the reference in the hello is no object")
    if not isinstance(operations, list) or not (operations or reference):
        refuse("the hello lists no operations")
    for each in operations:
        is_operation = isinstance(each, str) and each in OPERATIONS
        if not is_operation or operations.count(each) > 1:
            what = f"an operation twice: {each!r}" if is_operation else f"an unknown operation: {each!r:.60}"
            refuse(f"the hello lists {what} (known are {', '.join(OPERATIONS)})")
    if not isinstance(pipelining := hello.get("pipelining", False), bool):
        refuse("the pipelining in the hello is neither true nor false")
    return Hello(name, tuple(operations), hello.get("version"), hello.get("language"), pipelining, reference)


def read_answer(operation: Operation[Any], number: int, line: bytes) -> Answer:
    """Read a program's answer to the question with this number.

    Raises:
        ProtocolMistake: the line is not a valid answer to the question.
    """
    expected = f'{{"id": "{number}", …}} with one of value, fault, unsupported'

    def refuse(
        mistake: str, detail: str = "", instead: str = expected, section: str = _CONVERSATION, *, lost: bool = False
    ) -> NoReturn:
        raise ProtocolMistake(mistake, detail, line, instead, section, lost=lost)

    message, wrong = _object(line, expected, lambda number: '{"f64": "…"} or {"int": "…"}')
    answered = message.get("id")
    if wrong and "id" in message and answered is None:
        refuse("the id is no string", f': write "id": "{number}"', lost=True)
    if answered != str(number) and not wrong:
        if answered is None:
            refuse("the answer has no id", lost=True)
        refuse("the answer has another id", f", {answered!r:.60}, not {str(number)!r}", lost=True)
    if wrong:
        refuse(*wrong, section=_VALUES, lost=answered != str(number))  # the mistake may be in the id
    kinds = [kind for kind in _KINDS if kind in message]
    if len(kinds) != 1:
        refuse(f"the answer has {' and '.join(kinds) or 'none of value, fault, unsupported'}")
    if unknown := sorted(set(message) - {"id", *kinds}):
        refuse(f"the answer has a key {unknown[0]!r} that the protocol does not know")
    match kinds[0], message[kinds[0]]:
        case "value", value:
            try:
                return Value(operation.decode_value(value))
            except WireError as error:
                refuse("the value is malformed", f": {error}", section=_VALUES)
            except RecursionError:
                refuse("the value is nested too deeply", section=_VALUES)
        case "fault", {"kind": str(kind), **rest} if kind and set(rest) <= {"message"}:
            text = rest.get("message", "")
            if isinstance(text, str):
                return Fault(kind[:_LONGEST_NAME], text[:LONGEST_MESSAGE])
        case "unsupported", str(reason):
            return NotClaimed(reason[:LONGEST_MESSAGE])
    shape = '{"kind": "…", "message": "…"}' if kinds[0] == "fault" else "a string"
    return refuse(f"the {kinds[0]} is not {shape}", "", f'{{"id": "{number}", "{kinds[0]}": {shape}}}')


def _is_label(value: object) -> bool:
    return isinstance(value, str) and 0 < len(value) <= _LONGEST_NAME and value.isprintable() and bool(value.strip())


def _object(line: bytes, expected: str, instead: Callable[[str], str]) -> tuple[dict[str, Any], tuple[str, str] | None]:
    """Read a line as a JSON object. Return the object, and its first mistake with the details, or None.

    Args:
        line: the line.
        expected: the form of a correct line, for messages.
        instead: a function that returns the correct form for a number that the line contains as a JSON number.

    Raises:
        ProtocolMistake: the line is not a JSON object.
    """

    def refuse(mistake: str, detail: str = "") -> NoReturn:
        raise ProtocolMistake(mistake, detail, line, expected, _CONVERSATION, lost=True)

    wrong: list[tuple[str, str]] = []

    def number(text: str) -> None:
        wrong.append(("the line has a plain number", f", {text[:40]}, where {instead(text[:40])} should be"))

    def dictionary(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        document = dict(pairs)
        if len(document) < len(pairs):
            keys = [key for key, _ in pairs]
            twice = next(key for key in keys if keys.count(key) > 1)
            wrong.append((f"the line has an object with the key {twice!r} twice", ""))
        return document

    try:
        message = json.loads(
            line.decode(), parse_int=number, parse_float=number, parse_constant=number, object_pairs_hook=dictionary
        )
    except UnicodeDecodeError as error:
        refuse("the line is not UTF-8", f" (byte {error.start + 1})")
    except ValueError as error:
        if not line.strip():
            refuse("the line is empty")
        refuse("the line is not JSON", f" ({error})")
    except RecursionError:
        refuse("the line is nested too deeply")
    if not isinstance(message, dict):
        refuse("the line is not a JSON object")
    return message, wrong[0] if wrong else None
