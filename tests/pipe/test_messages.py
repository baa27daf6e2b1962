"""Tests that the code and pipe.schema.json accept the same messages, and that each mistake is reported."""

import json
from typing import Any, cast

import pytest

from parity.operations import OPERATIONS
from parity.operations.goldens import read_vectors
from parity.operations.operation import Operation
from parity.operations.rollout import HARBOR_ENV
from parity.operations.rollout.scenario import EnvScenario, TaskScenario
from parity.runners.pipe.messages import ProtocolMistake, hello_line, question_line, read_answer, read_hello
from tests.pipe.schema import SCHEMA, accepts
from tests.pipe.unruly_program import INTRODUCTION


def test_messages_from_the_kit_follow_the_schema() -> None:
    """The schema accepts the kit's hello and questions."""
    question = question_line(1, "aggregate", {"metric": "mean", "rewards": []})

    assert accepts("greeting", json.loads(hello_line("3.12")))
    assert accepts("question", json.loads(question))
    assert not accepts("answer", json.loads(question))


@pytest.mark.parametrize("operation", OPERATIONS.values(), ids=OPERATIONS)
def test_vectors_follow_the_schema(operation: Operation[Any]) -> None:
    """The schema accepts the questions and answers in the golden vectors of each operation."""
    refused = []

    for vector in read_vectors(operation.name)[::60]:
        with operation.arguments(vector.case) as arguments:
            question = question_line(1, operation.name, operation.question(*arguments))
        answers = [{"id": "1", **cast("dict[str, Any]", answer)} for answer in vector.answers.values()]
        if not all([accepts("question", json.loads(question)), *(accepts("answer", each) for each in answers)]):
            refused.append(vector.id)

    assert refused == []


def test_plain_number_is_accepted_only_in_file_contents() -> None:
    """A plain number is accepted only as a repeat count in a file's content, and never in an answer."""
    content = {"utf8": "[", "times": 100_000}
    case: Any = HARBOR_ENV.encode(EnvScenario("harbor", (TaskScenario("task", left={"a": b"[" * 100_000}),)))
    question = {"id": "1", "operation": "harbor_env", "input": case}

    assert case["tasks"][0]["left"] == {"a": content}
    assert accepts("question", question)
    case["tasks"][0]["code"] = content
    assert not accepts("question", question)
    assert not accepts("answer", {"id": "1", "value": content})


_NINES = "9" * 100_000
_ANSWERS = [
    ('{"id": "1", "value": null}', None),
    ('{"id": "1", "value": {"f64": {"f64": "0000000000000000"}, "int": true}}', None),
    ('{"id": "1", "value": {"f64": null}}', None),
    ('{"id": "1", "value": {"f64": "3ff0000000000000", "int": "1"}}', None),
    ('{"id": "1", "value": {"int": "-12"}}', None),
    ('{"id": "1", "value": [{"int": "0"}, "\\ud800"]}', None),
    ('{"id": "1", "fault": {"kind": "ValueError"}}', None),
    ('{"id": "1", "unsupported": ""}', None),
    (f'{{"id": "1", "value": {{"int": "-{_NINES}"}}}}', None),
    ('["1", "x"]', "the line is not a JSON object"),
    ("null", "the line is not a JSON object: null"),
    ('{"value": "x"}', "the answer has no id"),
    ('{"id": 1, "value": "x"}', 'the id is no string: write "id": "1"'),
    ('{"id": "1"}', "the answer has none of value, fault, unsupported"),
    ('{"id": "1", "value": null, "unsupported": ""}', "the answer has value and unsupported"),
    ('{"id": "1", "value": null, "score": ""}', "the answer has a key 'score' that the protocol does not know"),
    ('{"id": "1", "value": 1}', "the line has a plain number, 1, where"),
    ('{"id": "1", "value": [0.5]}', "the line has a plain number, 0.5, where"),
    ('{"id": "1", "value": {"f64": "3ff0"}}', "f64 must have sixteen hex digits in lower case, not '3ff0'"),
    ('{"id": "1", "value": {"f64": "3FF0000000000000"}}', "f64 must have sixteen hex digits in lower case, not '3FF"),
    ('{"id": "1", "value": {"int": "-0"}}', "int must have decimal digits without leading zeros, not '-0'"),
    ('{"id": "1", "value": {"int": "007"}}', "int must have decimal digits without leading zeros, not '007'"),
    ('{"id": "1", "value": {"int": "1_0"}}', "int must have decimal digits"),
    (f'{{"id": "1", "value": {{"int": "{_NINES}9"}}}}', "int must have at most 100,000 digits, not 100,001"),
    ('{"id": "1", "fault": "ValueError"}', "the fault is not"),
    ('{"id": "1", "fault": {}}', "the fault is not"),
    ('{"id": "1", "fault": {"kind": ""}}', "the fault is not"),
    ('{"id": "1", "fault": {"kind": "x", "message": null}}', "the fault is not"),
    ('{"id": "1", "fault": {"kind": "x", "code": "1"}}', "the fault is not"),
    ('{"id": "1", "unsupported": true}', "the unsupported is not a string"),
]
"""Answers to question 1, each with the mistake that is reported, or None if the answer is accepted."""

_BEYOND_THE_SCHEMA = [
    ('{"id": "0", "value": "x"}', "the answer has another id, '0', not '1'"),
    ('{"id": "1", "value": "x", "value": "y"}', "the line has an object with the key 'value' twice"),
    ('{"id": "1", "value": NaN}', "the line has a plain number, NaN, where"),
    ("", "the line is empty: ''"),
    ('{"id": "1", "value": "x",}', "the line is not JSON ("),
    ('{"id": "1", "value": "x"}{"id": "1", "value": "x"}', "the line is not JSON (Extra data"),
    ('{"id": "1", "value": ' + "[" * 100_000, "the line is nested too deeply"),
    (b'{"id": "1", "value": "\xff"}', "the line is not UTF-8 (byte 23)"),
    ('{"id": "1"}'.encode("utf-16"), "the line is not UTF-8 (byte 1)"),
]
"""Lines that are not JSON, or that no schema can refuse, each with the mistake that is reported."""


def _mistake(line: str | bytes) -> str | None:
    """Return the mistake in an answer to question 1, or None."""
    try:
        read_answer(OPERATIONS["reason_code"], 1, line.encode() if isinstance(line, str) else line)
    except ProtocolMistake as mistake:
        return str(mistake)
    return None


@pytest.mark.parametrize(("line", "mistake"), _ANSWERS, ids=[line[:70] for line, _ in _ANSWERS])
def test_code_and_schema_accept_the_same_answers(line: str, mistake: str | None) -> None:
    """The schema accepts exactly the answers that the code accepts, and the code reports each mistake."""
    reported = _mistake(line)

    assert (reported is None) == (mistake is None)
    assert (mistake or "") in (reported or "")
    assert accepts("answer", json.loads(line)) is (mistake is None)


@pytest.mark.parametrize(("line", "mistake"), _BEYOND_THE_SCHEMA, ids=[mistake for _, mistake in _BEYOND_THE_SCHEMA])
def test_malformed_answer_is_refused(line: str | bytes, mistake: str) -> None:
    """The code reports mistakes that a schema cannot express."""
    assert mistake in (_mistake(line) or "")


_LABEL = "no name of 1 to 100 printable characters"
_HELLOS: list[tuple[Any, str | None]] = [
    (INTRODUCTION, None),
    ({"hello": {"name": "a", "version": "1", "language": "C", "operations": ["aggregate"]}}, None),
    ({"hello": {"name": "a", "operations": ["aggregate"], "pipelining": True}}, None),
    ({"hello": {"name": " \u00e9\U0001f600 b", "operations": ["aggregate"]}}, None),
    ({"hello": {"name": "a", "operations": ["aggregate"], "pipelining": "yes"}}, "is neither true nor false"),
    ({"hello": {"operations": ["aggregate"]}}, _LABEL),
    ({"hello": {"name": "", "operations": ["aggregate"]}}, _LABEL),
    ({"hello": {"name": " ", "operations": ["aggregate"]}}, _LABEL),
    ({"hello": {"name": "a" * 101, "operations": ["aggregate"]}}, _LABEL),
    ({"hello": {"name": "a\tb", "operations": ["aggregate"]}}, _LABEL),
    ({"hello": {"name": "a\x85b", "operations": ["aggregate"]}}, _LABEL),
    ({"hello": {"name": "a", "version": 1, "operations": ["aggregate"]}}, 'a plain number, 1, where "1" should be'),
    ({"hello": {"name": "a", "version": [], "operations": ["aggregate"]}}, "the version in the hello is no string"),
    ({"hello": {"name": "a"}}, "the hello lists no operations"),
    ({"hello": {"name": "a", "operations": []}}, "the hello lists no operations"),
    ({"hello": {"name": "a", "operations": ["score"]}}, "an unknown operation: 'score' (known are read_reward, "),
    ({"hello": {"name": "a", "operations": [["aggregate"]]}}, "an unknown operation: ['aggregate']"),
    ({"hello": {"name": "a", "operations": ["aggregate", "aggregate"]}}, "an operation twice: 'aggregate'"),
    ({"hello": {"name": "a", "operations": ["aggregate"], "more": "x"}}, "a key 'more' that the protocol does not"),
    ({"hello": {"name": "a", "operations": ["aggregate"]}, "id": "1"}, "the first line is no hello"),
    ({"hello": ["a"]}, "the first line is no hello"),
]
"""First lines of a program, each with the mistake that is reported, or None if the line is accepted."""


@pytest.mark.parametrize(("hello", "mistake"), _HELLOS)
def test_code_and_schema_accept_the_same_hellos(hello: object, mistake: str | None) -> None:
    """The schema accepts exactly the hellos that the code accepts, and the code reports each mistake."""
    try:
        read_hello(json.dumps(hello).encode())
        reported = ""
    except ProtocolMistake as refused:
        reported = str(refused)

    assert bool(reported) is (mistake is not None)
    assert (mistake or "") in reported
    assert accepts("hello", hello) is (mistake is None)


@pytest.mark.parametrize("name", ["a\u00a0b", "a\u200bb", "a\u202eb", "\ud800"])
def test_only_the_code_refuses_unprintable_names(name: str) -> None:
    """Only the code refuses unprintable characters that are not control characters, as the schema states."""
    hello = {"hello": {"name": name, "operations": ["aggregate"]}}

    with pytest.raises(ProtocolMistake, match=_LABEL):
        read_hello(json.dumps(hello).encode())

    assert accepts("hello", hello)
    assert "rintable" in SCHEMA["$defs"]["label"]["description"]
