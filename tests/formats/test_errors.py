"""The one-line message about a document that does not fit its model."""

from typing import Annotated, Any, Literal

import pytest
from pydantic import AfterValidator, BaseModel, Field, ValidationError

from parity.formats.errors import explain


def _refuse(written: str) -> str:
    raise ValueError(f"is {written!r}; write another")


class _Item(BaseModel):
    name: str
    odd: Annotated[str, AfterValidator(_refuse)] = ""


class _Document(BaseModel):
    number: float = 0.0
    whole: int = 0
    word: Literal["one", "two"] = "one"
    text: str = Field("text", min_length=1)
    user: str | int = ""
    bound: float | dict[str, float] = 0.0
    items: tuple[_Item, ...] = ()


@pytest.mark.parametrize(
    ("document", "line"),
    [
        ({"number": "x"}, "number is a string; write a number"),
        ({"number": 10**309}, "number is beyond a double; write a smaller number"),
        ({"whole": 1.5, "number": True}, "whole is a float; write a whole number"),
        ({"whole": float("nan")}, "whole is a float; write a whole number"),
        ({"word": "three"}, "word is 'three'; write 'one' or 'two'"),
        ({"word": 1}, "word is an integer; write 'one' or 'two'"),
        ({"text": ""}, "text is empty; write a text"),
        ({"user": []}, "user is an array; write a string or a whole number"),
        ({"bound": {"str": {}}}, "bound.str is a table; write a number"),
        ({"items": {}}, "items is a table; write an array"),
        ({"items": [{"name": "a"}, 1]}, "items[1] is an integer; write a table"),
        ({"items": [{}]}, "items[0].name is missing; add it"),
        ({"items": [{"name": "a", "odd": "b"}]}, "items[0].odd is 'b'; write another"),
        ({"items": [{}], "number": []}, "number is an array; write a number"),
    ],
)
def test_lines(document: dict[str, Any], line: str) -> None:
    """The line names the first value that does not fit, its fault, and the remedy."""
    with pytest.raises(ValidationError) as error:
        _Document.model_validate(document)

    assert explain(error.value, document) == line
