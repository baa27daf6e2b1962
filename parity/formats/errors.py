"""Describe in one line a value that does not fit its model, and the expected value."""

from collections.abc import Sequence

from pydantic import ValidationError
from pydantic_core import ErrorDetails, from_json

_EXPECTED = {
    "bool_parsing": "true or false",
    "bool_type": "true or false",
    "datetime_from_date_parsing": "a time",
    "datetime_parsing": "a time",
    "datetime_type": "a time",
    "dict_type": "an object",
    "finite_number": "an integer",
    "float_parsing": "a number",
    "float_type": "a number",
    "int_from_float": "an integer",
    "int_parsing": "an integer",
    "int_parsing_size": "an integer",
    "int_type": "an integer",
    "list_type": "an array",
    "model_attributes_type": "an object",
    "model_type": "an object",
    "path_type": "a string",
    "set_type": "an array",
    "string_type": "a string",
    "tuple_type": "an array",
    "uuid_parsing": "a UUID",
    "uuid_type": "a UUID",
}
"""A description of the expected value, by pydantic's error type."""

_TYPE_NAMES = {bool: "a boolean", dict: "an object", int: "a number", list: "an array", type(None): "null"}


def explain(error: ValidationError, document: object) -> str:
    """Return a line about the first value in a document that does not fit, such as `steps[0].name is missing`.

    If several types are allowed for the value, the line is about the type that fits best.

    Args:
        error: the error that the model raised for the document.
        document: the document, as Python values.
    """
    details = error.errors(include_url=False)
    places = [_place(document, detail) for detail in details]
    place = max((each for each in places if each[: len(places[0])] == places[0]), key=len)
    first, *others = [detail for detail, each in zip(details, places, strict=True) if each == place]
    return f"{_place_name(place)} {_problem(first, others)}".lstrip()


def explain_json(error: ValidationError, content: bytes) -> str:
    """Return a line about the first fault in a JSON file; see `explain`.

    Args:
        error: the error that the model raised for the file.
        content: the content of the file.
    """
    first = error.errors(include_url=False)[0]
    if first["type"] != "json_invalid":
        return explain(error, from_json(content))
    problem = first["msg"].removeprefix("Invalid JSON: ")
    if problem.startswith("recursion limit"):
        return "nested too deeply"
    try:
        content.decode()
    except UnicodeDecodeError as undecodable:
        return f"not UTF-8: byte {undecodable.start} is {content[undecodable.start]:#04x}"
    return f"not JSON: {problem}"


def _place(document: object, detail: ErrorDetails) -> list[str | int]:
    """Return the keys and indices that lead to a value, without the types that pydantic adds for a union."""
    place: list[str | int] = []
    here = document
    for part in detail["loc"]:
        if isinstance(here, list):
            here = dict(enumerate(here))
        if isinstance(here, dict) and part in here:
            place.append(part)
            here = here[part]
    return [*place, detail["loc"][-1]] if detail["type"] == "missing" else place


def _place_name(place: Sequence[str | int]) -> str:
    return "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in place).removeprefix(".")


def _problem(detail: ErrorDetails, others: Sequence[ErrorDetails]) -> str:
    kind, value = detail["type"], detail["input"]
    if kind == "missing":
        return "is missing"
    if kind == "value_error":
        return str(detail["ctx"]["error"])
    if kind == "literal_error":
        return f"must be {detail['ctx']['expected']}, not {_described(value)}"
    if kind == "string_too_short":
        return "must not be empty"
    if kind == "float_type" and type(value) is int:
        return "must be a number within the range of a double"
    if kind in _EXPECTED:
        expected = list(
            dict.fromkeys(_EXPECTED[each["type"]] for each in [detail, *others] if each["type"] in _EXPECTED)
        )
        if "a number" in expected and "an integer" in expected:
            expected.remove("an integer")
        return f"must be {' or '.join(expected)}, not {_described(value)}"
    return detail["msg"].replace("Input should be", "must be")


def _described(value: object) -> str:
    if isinstance(value, str):
        return repr(value[:40])
    if isinstance(value, float) or (type(value) is int and abs(value) < 2**64):
        return repr(value)
    return _TYPE_NAMES.get(type(value), "a date or time")
