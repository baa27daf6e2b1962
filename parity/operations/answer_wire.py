"""Answers as golden vectors, replay files and declared divergences hold them: a value, or the kind of a fault."""

from typing import Any

from parity.operations.answers import Answer, Fault, Value
from parity.operations.operation import Operation
from parity.operations.wire import Json, WireError, encode


def encode_answer(answer: Answer) -> Json:
    """Encode an answer for golden vectors and replay files: its value, or the kind of its fault."""
    if isinstance(answer, Value):
        return {"value": encode(answer.value)}
    if isinstance(answer, Fault):
        return {"fault": {"kind": answer.kind}}
    raise WireError(f"{type(answer).__name__} is not an answer of the reference")


def decode_answer(operation: Operation[Any], value: Json) -> Answer:
    """Decode an answer; the inverse of `encode_answer`.

    Raises:
        WireError: the JSON is neither a value nor a fault.
    """
    match value:
        case {"value": encoded}:
            return Value(operation.decode_value(encoded))
        case {"fault": {"kind": str(kind)}}:
            return Fault(kind)
    raise WireError("an answer takes a value, or a fault with a kind")
