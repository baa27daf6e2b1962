"""Describe in one line where a document does not fit its model, and the expected value."""

import pydantic
from pydantic_core import ErrorDetails, from_json

from parity.formats.errors import best_fit

_WANTED = {
    "string_type": "a string",
    "path_type": "a string",
    "int_type": "an integer",
    "int_from_float": "an integer",
    "float_type": "a number",
    "bool_type": "true or false",
    "model_type": "an object",
    "model_attributes_type": "an object",
    "dict_type": "an object",
    "list_type": "an array",
    "set_type": "an array",
}
_WANTED_TEXT = {
    "bool_parsing": "true or false",
    "float_parsing": "a number",
    "int_parsing": "an integer",
    "datetime_type": "a time",
    "datetime_parsing": "a time",
    "datetime_from_date_parsing": "a time",
    "uuid_type": "a UUID",
    "uuid_parsing": "a UUID",
}


def problem_of(error: pydantic.ValidationError, content: bytes) -> str:
    """Return the first problem of a document, with its place in the document.

    If the value may have several types, the problem is that of the type that fits best.

    Args:
        error: the error of the model that refused the document.
        content: the document's JSON text.
    """
    first = error.errors(include_url=False)[0]
    if first["type"] == "json_invalid":
        return _problem_of_text(content, first["msg"].removeprefix("Invalid JSON: "))
    place, (detail, *_) = best_fit(error, from_json(content))
    return f"{'.'.join(map(str, place))} {_problem(detail)}".lstrip()


def _problem(detail: ErrorDetails) -> str:
    kind, value, problem = detail["type"], detail["input"], detail["msg"]
    if not detail["loc"] and kind in _WANTED:
        return f"must be a JSON object, not {type_name(value)}"
    if kind == "missing":
        return "is missing"
    if kind in _WANTED:
        return f"must be {_WANTED[kind]}, not {type_name(value)}"
    if kind in _WANTED_TEXT:
        return f"must be {_WANTED_TEXT[kind]}, not {_shown(value)}"
    if kind == "literal_error":
        return f"must be one of {detail['ctx']['expected']}, not {_shown(value)}"
    return problem.removeprefix("Value error, ").replace("Input should be", "must be")


def _problem_of_text(content: bytes, problem: str) -> str:
    if problem.startswith("recursion limit"):
        return "nested too deeply"
    try:
        content.decode()
    except UnicodeDecodeError as error:
        return f"not UTF-8: byte {error.start} is {content[error.start]:#04x}"
    return f"not JSON: {problem}"


def type_name(value: object) -> str:
    """Return JSON's name for the type of a value, with its article."""
    names = {dict: "an object", list: "an array", str: "a string", bool: "a boolean", type(None): "null"}
    return names.get(type(value), "a number")


def _shown(value: object) -> str:
    return repr(value[:40]) if isinstance(value, str) else type_name(value)
