"""Say in one line where a document does not fit its model, and what should be there."""

from contextlib import suppress
from typing import Any

import pydantic
from pydantic_core import ErrorDetails, from_json

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
    details = error.errors(include_url=False)
    if details[0]["type"] == "json_invalid":
        return _problem_of_text(content, details[0]["msg"].removeprefix("Invalid JSON: "))
    document = from_json(content)
    places = [_place(document, detail) for detail in details]
    place = max((each for each in places if each[: len(places[0])] == places[0]), key=len)
    return f"{'.'.join(place)} {_problem(details[places.index(place)])}".lstrip()


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


def _place(document: Any, detail: ErrorDetails) -> list[str]:
    """Return the names and numbers that lead to a value, without the types that pydantic tried of a union."""
    place = []
    for part in detail["loc"]:
        with suppress(LookupError, TypeError):
            document = document[part]
            place.append(str(part))
    return [*place, str(detail["loc"][-1])] if detail["type"] == "missing" else place


def type_name(value: object) -> str:
    """Return JSON's name for the type of a value, with its article."""
    names = {dict: "an object", list: "an array", str: "a string", bool: "a boolean", type(None): "null"}
    return names.get(type(value), "a number")


def _shown(value: object) -> str:
    return repr(value[:40]) if isinstance(value, str) else type_name(value)
