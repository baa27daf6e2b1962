"""Tests of the one-line message about a document that does not fit its model."""

from typing import Annotated, Any, Literal

import pytest
from pydantic import AfterValidator, BaseModel, Field, ValidationError

from parity.formats.configuration import JobConfiguration
from parity.formats.errors import explain, explain_json


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
        ({"number": "x"}, "number must be a number, not 'x'"),
        ({"number": 10**309}, "number must be a number within the range of a double"),
        ({"whole": 1.5, "number": True}, "whole must be an integer, not 1.5"),
        ({"whole": float("nan")}, "whole must be an integer, not nan"),
        ({"word": "three"}, "word must be 'one' or 'two', not 'three'"),
        ({"word": 1}, "word must be 'one' or 'two', not 1"),
        ({"text": ""}, "text must not be empty"),
        ({"user": []}, "user must be a string or an integer, not an array"),
        ({"bound": {"str": {}}}, "bound.str must be a number, not an object"),
        ({"items": {}}, "items must be an array, not an object"),
        ({"items": [{"name": "a"}, 1]}, "items[1] must be an object, not 1"),
        ({"items": [{}]}, "items[0].name is missing"),
        ({"items": [{"name": "a", "odd": "b"}]}, "items[0].odd is 'b'; write another"),
        ({"items": [{}], "number": []}, "number must be a number, not an array"),
    ],
)
def test_refused_document_is_explained_in_one_line(document: dict[str, Any], line: str) -> None:
    """The line reports the first value that does not fit the model, and the expected value."""
    with pytest.raises(ValidationError) as error:
        _Document.model_validate(document)

    assert explain(error.value, document) == line


_REFUSED_TEXTS = [
    ("[]", "must be an object, not an array"),
    ('{"tasks": ', "not JSON: EOF while parsing a value at line 1 column 10"),
    ("[" * 300, "nested too deeply"),
    ('{"tasks": 3}', "tasks must be an array, not 3"),
    ('{"tasks": [{"path": 3}]}', "tasks[0].path must be a string, not 3"),
    ('{"tasks": [{"path": "a"}, {}]}', "tasks[1] must have either a path or a name"),
    ('{"quiet": "maybe"}', "quiet must be true or false, not 'maybe'"),
    ('{"n_attempts": 1.5}', "n_attempts must be an integer, not 1.5"),
    ('{"retry": {"max_retries": -1}}', "retry.max_retries must be greater than or equal to 0"),
    (
        '{"metrics": [{"type": "x"}]}',
        "metrics[0].type must be 'mean', 'max', 'min', 'sum' or 'uv-script', not 'x'",
    ),
    ('{"artifacts": ["a", 3]}', "artifacts[1] must be a string or an object, not 3"),
    ('{"artifacts": [{}]}', "artifacts[0].source is missing"),
    ('{"environment": {"env": {"A": null}}}', "environment.env.A must be a string, not null"),
]


@pytest.mark.parametrize(("text", "line"), _REFUSED_TEXTS)
def test_refused_json_text_is_explained_in_one_line(text: str, line: str) -> None:
    """The line reports the first fault in a JSON text; for a union, the fault under the type that fits best."""
    with pytest.raises(ValidationError) as error:
        JobConfiguration.model_validate_json(text)

    assert explain_json(error.value, text.encode()) == line


def test_byte_that_is_not_utf8_is_reported_with_its_position() -> None:
    """The line reports the first byte that is not UTF-8, with its position."""
    content = b'{"job_name": "\xff"}'
    with pytest.raises(ValidationError) as error:
        JobConfiguration.model_validate_json(content)

    assert explain_json(error.value, content) == "not UTF-8: byte 14 is 0xff"
