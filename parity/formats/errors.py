"""Describe in one line where a document does not fit its model, the fault there, and the remedy."""

from collections.abc import Sequence

from pydantic import ValidationError
from pydantic_core import ErrorDetails

_WANTED = {
    "bool_parsing": "true or false",
    "bool_type": "true or false",
    "dict_type": "a table",
    "finite_number": "a whole number",
    "float_parsing": "a number",
    "float_type": "a number",
    "int_from_float": "a whole number",
    "int_parsing": "a whole number",
    "int_parsing_size": "a whole number",
    "int_type": "a whole number",
    "model_attributes_type": "a table",
    "model_type": "a table",
    "string_type": "a string",
    "tuple_type": "an array",
}
_KINDS = {bool: "a boolean", int: "an integer", float: "a float", str: "a string", list: "an array", dict: "a table"}


def explain(error: ValidationError, document: object) -> str:
    """Return a line about the first value of a document that does not fit.

    If the value may have several types, the line is about the type that fits best.

    Args:
        error: the error of the model that refused the document.
        document: the document.
    """
    place, (first, *others) = best_fit(error, document)
    what, remedy = _problem(first)
    alternatives = [f" or {_WANTED[other['type']]}" for other in others if other["type"] in _WANTED]
    return f"{_place_name(place)} {what}; {''.join([remedy, *alternatives])}"


def best_fit(error: ValidationError, document: object) -> tuple[list[str | int], list[ErrorDetails]]:
    """Return the place of the first value that does not fit, and its fault by each type that it may have.

    If the value may have several types, the place is in the type that fits best.
    """
    details = error.errors(include_url=False)
    places = [_place(document, detail) for detail in details]
    place = max((each for each in places if each[: len(places[0])] == places[0]), key=len)
    return place, [detail for detail, each in zip(details, places, strict=True) if each == place]


def _place_name(place: Sequence[str | int]) -> str:
    """Return the name of a place, such as `steps[0].agent.user`."""
    return "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in place).removeprefix(".")


def _place(document: object, detail: ErrorDetails) -> list[str | int]:
    """Return the keys and indices that lead to a value, without the types of a union that pydantic adds to them."""
    place: list[str | int] = []
    here = document
    for part in detail["loc"]:
        if isinstance(here, list):
            here = dict(enumerate(here))
        if isinstance(here, dict) and part in here:
            place.append(part)
            here = here[part]
    return [*place, detail["loc"][-1]] if detail["type"] == "missing" else place


def _problem(detail: ErrorDetails) -> tuple[str, str]:
    """Return the fault of a value, and the remedy."""
    kind, value = detail["type"], detail["input"]
    known = _KINDS.get(type(value), "a date or time")
    if kind == "missing":
        return "is missing", "add it"
    if kind == "value_error":
        what, _, remedy = str(detail["ctx"]["error"]).rpartition("; ")
        return what, remedy
    if kind == "literal_error":
        return f"is {value!r}" if isinstance(value, str) else f"is {known}", f"write {detail['ctx']['expected']}"
    if kind == "float_type" and type(value) is int:
        return "is beyond a double", "write a smaller number"
    if kind == "string_too_short":
        return "is empty", "write a text"
    if kind in _WANTED:
        return f"is {known}", f"write {_WANTED[kind]}"
    return f"is {value!r}", detail["msg"]
