"""pipe.schema.json agrees with the code that reads the lines."""

import json
from collections.abc import Iterator
from functools import cache
from typing import Any, cast

import pytest
from jsonschema import Draft202012Validator, ValidationError
from jsonschema.validators import extend

from parity.operations import OPERATIONS
from parity.operations.goldens import read_vectors
from parity.operations.harbor_env import HARBOR_ENV
from parity.operations.harbor_env.recorded.scenario import EnvScenario, TaskScenario
from parity.operations.operation import Operation
from parity.runners.pipe.messages import ProtocolMistake, hello_line, question_line, read_answer, read_hello
from tests.pipe.unruly_program import INTRODUCTION
from tests.schemas import read_schema

SCHEMA = read_schema("pipe")


_FOUND: dict[tuple[str, str], list[ValidationError]] = {}


def _referred(validator: object, reference: str, instance: object, schema: object) -> Iterator[ValidationError]:
    """As the library has it, but each value once: vectors have most of theirs in common."""
    key = reference, json.dumps(instance)
    if key not in _FOUND:
        _FOUND[key] = [*Draft202012Validator.VALIDATORS["$ref"](validator, reference, instance, schema)]
    yield from _FOUND[key]


_VALIDATOR: Any = extend(Draft202012Validator, {"$ref": _referred})  # type: ignore[no-untyped-call]


@cache
def _validator(definition: str) -> Any:
    return _VALIDATOR({**SCHEMA, "oneOf": [{"$ref": f"#/$defs/{definition}"}]})


def accepts(definition: str, message: object) -> bool:
    """Return whether the schema accepts a message by this definition."""
    return bool(_validator(definition).is_valid(message))


def test_the_schema_is_one() -> None:
    """The schema is valid, and lists all operations."""
    Draft202012Validator.check_schema(SCHEMA)

    assert SCHEMA["$defs"]["operation"]["enum"] == list(OPERATIONS)


def test_what_the_kit_writes() -> None:
    """The schema accepts the kit's hello and questions."""
    question = question_line(1, "aggregate", {"metric": "mean", "rewards": []})

    assert accepts("greeting", json.loads(hello_line("3.12")))
    assert accepts("question", json.loads(question))
    assert not accepts("answer", json.loads(question))


@pytest.mark.parametrize("operation", OPERATIONS.values(), ids=OPERATIONS)
def test_golden_vectors(operation: Operation[Any]) -> None:
    """The schema accepts all questions and answers of the golden vectors."""
    refused = []

    for vector in read_vectors(operation.name):
        with operation.arguments(vector.case) as arguments:
            question = question_line(1, operation.name, operation.question(*arguments))
        accepted = [
            accepts("answer", {"id": "1", **cast("dict[str, Any]", answer)}) for answer in vector.answers.values()
        ]
        if not all([accepts("question", json.loads(question)), *accepted]):
            refused.append(vector.id)

    assert refused == []


def test_only_contents_have_a_count() -> None:
    """A plain number is accepted only as the count of a file's content, never in an answer."""
    content = {"utf8": "[", "times": 100_000}
    case: Any = HARBOR_ENV.encode(EnvScenario("harbor", (TaskScenario("task", left={"a": b"[" * 100_000}),)))
    question = {"id": "1", "operation": "harbor_env", "input": case}

    assert case["tasks"][0]["left"] == {"a": content}
    assert accepts("question", question)
    case["tasks"][0]["code"] = content
    assert not accepts("question", question)
    assert not accepts("answer", {"id": "1", "value": content})
    assert not accepts("answer", {"id": "1", "value": {"tasks": [{"left": {"a": content}}]}})


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
        pytest.param('{"id": "1", "value": {"int": "' + "9" * 100_000 + '"}}', id="most digits"),
        pytest.param('{"id": "1", "value": {"int": "-' + "9" * 100_000 + '"}}', id="most digits below 0"),
        pytest.param('{"id": "1", "value": {"int": "' + "9" * 100_001 + '"}}', id="a digit too many"),
        pytest.param('{"id": "1", "value": {"int": "-' + "9" * 100_001 + '"}}', id="a digit too many below 0"),
    ],
)
def test_answers_alike(line: str) -> None:
    """The schema accepts exactly the answers that the code accepts."""
    try:
        read_answer(OPERATIONS["reason_code"], 1, line.encode())
        taken = True
    except ProtocolMistake:
        taken = False

    assert accepts("answer", json.loads(line)) is taken


@pytest.mark.parametrize(
    "hello",
    [
        json.loads(INTRODUCTION),
        {"hello": {"name": "a", "version": "1", "language": "C", "operations": ["aggregate"]}},
        {"hello": {"name": "a", "operations": ["aggregate"], "pipelining": True}},
        {"hello": {"name": "a", "operations": ["aggregate"], "pipelining": "yes"}},
        {"hello": {"name": "", "operations": ["aggregate"]}},
        {"hello": {"name": " ", "operations": ["aggregate"]}},
        {"hello": {"name": "a" * 101, "operations": ["aggregate"]}},
        {"hello": {"name": " \u00e9\U0001f600 b", "operations": ["aggregate"]}},
        {"hello": {"name": "a\tb", "operations": ["aggregate"]}},
        {"hello": {"name": "a\n", "operations": ["aggregate"]}},
        {"hello": {"name": "a\x85b", "operations": ["aggregate"]}},
        {"hello": {"name": "a", "operations": []}},
        {"hello": {"name": "a", "operations": ["nonesuch"]}},
        {"hello": {"name": "a", "operations": ["aggregate", "aggregate"]}},
        {"hello": {"name": "a", "operations": ["aggregate"], "more": "x"}},
        {"hello": {"operations": ["aggregate"]}},
        {"hello": {"name": "a", "operations": ["aggregate"]}, "id": "1"},
    ],
)
def test_hellos_alike(hello: object) -> None:
    """The schema accepts exactly the hellos that the code accepts."""
    try:
        read_hello(json.dumps(hello).encode())
        taken = True
    except ProtocolMistake:
        taken = False

    assert accepts("hello", hello) is taken


@pytest.mark.parametrize("name", ["a\u00a0b", "a\u200bb", "a\u202eb", "\ud800"])
def test_what_no_pattern_says(name: str) -> None:
    """Only the code refuses unprintable characters that are not control characters."""
    hello = {"hello": {"name": name, "operations": ["aggregate"]}}

    with pytest.raises(ProtocolMistake, match="no name of 1 to 100 printable characters"):
        read_hello(json.dumps(hello).encode())

    assert accepts("hello", hello)
    assert "rintable" in SCHEMA["$defs"]["label"]["description"]
