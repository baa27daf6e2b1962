"""protocol.schema.json says the same as the code that reads the lines."""

import json
from importlib.resources import files
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from parity.goldens import read_entries
from parity.operations import OPERATIONS
from parity.runners.pipe.messages import Mistake, hello_line, question_line, read_answer, read_hello
from tests.pipe.unruly_program import HELLO

SCHEMA: dict[str, Any] = json.loads(files("parity.runners.pipe").joinpath("protocol.schema.json").read_text())


def accepts(definition: str, message: object) -> bool:
    """Whether the schema takes a message as such a one."""
    schema = {**SCHEMA, "oneOf": [{"$ref": f"#/$defs/{definition}"}]}
    return bool(Draft202012Validator(schema).is_valid(message))


def test_the_schema_is_one() -> None:
    """It is a valid schema, and lists all operations."""
    Draft202012Validator.check_schema(SCHEMA)

    assert SCHEMA["$defs"]["operation"]["enum"] == list(OPERATIONS)


def test_what_the_kit_writes() -> None:
    """Hello and questions are as the schema says."""
    question = question_line(1, "aggregate", {"metric": "mean", "rewards": []})

    assert accepts("greeting", json.loads(hello_line("3.12")))
    assert accepts("question", json.loads(question))
    assert not accepts("answer", json.loads(question))


@pytest.mark.parametrize("operation", OPERATIONS)
def test_golden_answers(operation: str) -> None:
    """Inputs and answers of the golden vectors are values and answers by the schema, but for counts of bytes."""
    for entry in read_entries(operation).values():
        for answer in [entry["answer"]] if "answer" in entry else entry["answers"].values():
            assert accepts("answer", {"id": "1", **answer})
        if operation not in ("read_reward", "outcome", "harbor_env"):  # their bytes have `times`, or go as files
            assert accepts("value", entry["input"])


@pytest.mark.parametrize(
    "line",
    [
        '{"id": "1", "value": null}',
        '{"id": "1", "value": {"f64": {"f64": "0000000000000000"}, "int": true}}',
        '{"id": "1", "value": {"f64": null}}',
        '{"id": "1", "value": {"f64": "3ff0000000000000", "int": "1"}}',
        '{"id": "1", "value": {"int": "-12"}}',
        '{"id": "1", "value": [{"int": "0"}, "\\ud800"]}',
        '{"id": "1", "fault": {"kind": "ValueError"}}',
        '{"id": "1", "unsupported": ""}',
        '{"id": "1", "value": 1}',
        '{"id": "1", "value": [0.5]}',
        '{"id": "1", "value": {"f64": "3FF0000000000000"}}',
        '{"id": "1", "value": {"f64": "3ff"}}',
        '{"id": "1", "value": {"int": "-0"}}',
        '{"id": "1", "value": {"int": "01"}}',
        '{"id": "1", "value": {"int": "1_0"}}',
        '{"id": "1"}',
        '{"id": "1", "value": null, "unsupported": ""}',
        '{"id": "1", "value": null, "more": ""}',
        '{"id": "1", "fault": {}}',
        '{"id": "1", "fault": {"kind": ""}}',
        '{"id": "1", "fault": {"kind": "x", "message": null}}',
        '{"id": "1", "unsupported": null}',
    ],
)
def test_answers_alike(line: str) -> None:
    """What the code takes, the schema takes, and nothing else."""
    try:
        read_answer(OPERATIONS["reason_code"], 1, line.encode())
        taken = True
    except Mistake:
        taken = False

    assert accepts("answer", json.loads(line)) is taken


@pytest.mark.parametrize(
    "hello",
    [
        HELLO,
        {"hello": {"name": "a", "version": "1", "language": "C", "operations": ["aggregate"]}},
        {"hello": {"name": "", "operations": ["aggregate"]}},
        {"hello": {"name": " ", "operations": ["aggregate"]}},
        {"hello": {"name": "a" * 101, "operations": ["aggregate"]}},
        {"hello": {"name": "a", "operations": []}},
        {"hello": {"name": "a", "operations": ["nonesuch"]}},
        {"hello": {"name": "a", "operations": ["aggregate", "aggregate"]}},
        {"hello": {"name": "a", "operations": ["aggregate"], "more": "x"}},
        {"hello": {"operations": ["aggregate"]}},
        {"hello": {"name": "a", "operations": ["aggregate"]}, "id": "1"},
    ],
)
def test_hellos_alike(hello: object) -> None:
    """The same for a program's hello."""
    try:
        read_hello(json.dumps(hello).encode())
        taken = True
    except Mistake:
        taken = False

    assert accepts("hello", hello) is taken
