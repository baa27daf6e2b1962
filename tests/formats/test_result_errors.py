"""A document that does not fit its model gives one line with the place and the expected value."""

import pydantic
import pytest

from parity.formats.configuration import JobConfiguration
from parity.formats.result_errors import problem_of

_REFUSED = [
    ("[]", "must be a JSON object, not an array"),
    ('{"tasks": ', "not JSON: EOF while parsing a value at line 1 column 10"),
    ("[" * 300, "nested too deeply"),
    ('{"tasks": 3}', "tasks must be an array, not a number"),
    ('{"tasks": [{"path": 3}]}', "tasks.0.path must be a string, not a number"),
    ('{"tasks": [{"path": "a"}, {}]}', "tasks.1 must have either a path or a name"),
    ('{"quiet": "maybe"}', "quiet must be true or false, not 'maybe'"),
    ('{"n_attempts": 1.5}', "n_attempts must be an integer, not a number"),
    ('{"retry": {"max_retries": -1}}', "retry.max_retries must be greater than or equal to 0"),
    (
        '{"metrics": [{"type": "x"}]}',
        "metrics.0.type must be one of 'sum', 'min', 'max', 'mean' or 'uv-script', not 'x'",
    ),
    ('{"artifacts": ["a", 3]}', "artifacts.1 must be a string, not a number"),
    ('{"artifacts": [{}]}', "artifacts.0.source is missing"),
    ('{"environment": {"env": {"A": null}}}', "environment.env.A must be a string, not null"),
]


@pytest.mark.parametrize(("text", "problem"), _REFUSED)
def test_one_line_says_what_is_wrong(text: str, problem: str) -> None:
    """The first problem is named; in a union, the problem of the type that fits best."""
    with pytest.raises(pydantic.ValidationError) as refused:
        JobConfiguration.model_validate_json(text)

    assert problem_of(refused.value, text.encode()) == problem


def test_a_byte_that_is_not_utf8_is_named() -> None:
    """A byte that is not UTF-8 is named with its position."""
    content = b'{"job_name": "\xff"}'
    with pytest.raises(pydantic.ValidationError) as refused:
        JobConfiguration.model_validate_json(content)

    assert problem_of(refused.value, content) == "not UTF-8: byte 14 is 0xff"
