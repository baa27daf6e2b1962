"""Generates the JSON Schemas in `golden/schema/`: those of cases, evidence and records from their types.

`python -m tests.schemas` writes them. Kept by hand are the definitions of the pipe that are not cases.
"""

import json
from collections.abc import Callable, Iterable
from typing import Any

from pydantic import TypeAdapter
from pydantic.json_schema import GenerateJsonSchema

from parity.operations import OPERATIONS
from parity.operations.evidence import Traceability
from parity.operations.goldens import FORMAT, golden_directory
from parity.scorer.job_directory.trial_score import TRIAL_RESULT
from parity.suite.records import Report
from parity.suite.replay import FORMAT as REPLAY_FORMAT

type Schema = dict[str, Any]

FOLDER = golden_directory() / "schema"
_VALUES = ("value", "double", "integer", "digits", "bytes")
_BY_HAND = ("greeting", "hello", "question", "answer", "label", *_VALUES)
_OPERATION = {"enum": [*OPERATIONS]}


def read_schema(name: str) -> Schema:
    """Read a schema from its file."""
    schema: Schema = json.loads((FOLDER / f"{name}.schema.json").read_text(encoding="utf-8"))
    return schema


def pipe_schema() -> Schema:
    """Return the schema of the pipe's lines: the definitions kept by hand, with the questions made anew."""
    schema = read_schema("pipe")
    paths = {name: each.path_member for name, each in OPERATIONS.items() if each.path_member}
    cases, definitions = _cases(OPERATIONS.keys() - paths)
    cases |= {name: _object({key: {"type": "string"}}) for name, key in paths.items()}
    by_hand = {name: schema["$defs"][name] for name in _BY_HAND}
    by_hand["question"]["allOf"] = _by_operation({name: {"input": case} for name, case in cases.items()})
    return {**schema, "$defs": {**by_hand, "operation": _OPERATION, **definitions}}


def vectors_schema() -> Schema:
    """Return the schema of a file of golden vectors."""
    vector = {
        **_object({"id": _TEXT, "rule": _TEXT, "input": {}}),
        "oneOf": [{"required": ["answer"]}, {"required": ["answers"]}],
    }
    vector["additionalProperties"] = True
    vector["properties"] |= {"answer": _ANSWER, "answers": {"type": "object", "additionalProperties": _ANSWER}}
    properties = {"format": {"const": FORMAT}, "vectors": {"type": "array", "items": vector}}
    return _of_operations(
        "A file of golden vectors of harbor-parity",
        properties,
        lambda case: {"vectors": {"items": {"properties": {"input": case}}}},
    )


def replay_schema() -> Schema:
    """Return the schema of a replay file."""
    properties = {"format": {"const": REPLAY_FORMAT}, "input": {}, "reference": _ANSWER, "sha256": _SHA256}
    return _of_operations("A replay file of harbor-parity", properties, lambda case: {"input": case})


def manifest_schema() -> Schema:
    """Return the schema of the manifest of the golden files."""
    properties = {
        "format": {"const": FORMAT},
        **dict.fromkeys(("harbor", "pydantic", "pydantic_core"), _TEXT),
        "wheel": _SHA256,
        "series": {"type": "object", "additionalProperties": _TEXT, "minProperties": 1},
        "counts": _object({name: {"type": "integer", "minimum": 1} for name in OPERATIONS}),
        "questions": _object(dict.fromkeys(OPERATIONS, _SHA256)),
    }
    return {**_head("The manifest of the golden files of harbor-parity"), **_object(properties)}


def traceability_schema() -> Schema:
    """Return the schema of the evidence for each rule."""
    head = _head("The evidence for each rule of harbor-parity")
    return head | Traceability.model_json_schema(schema_generator=_Untitled) | head


def trial_result_schema() -> Schema:
    """Return the schema of a trial's result.json, as far as a JSON Schema can state what Harbor accepts."""
    head = _head("A trial's result.json") | {
        "description": "Members that are not named here are allowed, and ignored. Beyond this schema, a number or a "
        "boolean may also be a string that spells it, and a task's configuration must have either a path or a name. "
        "The rules trial-score/refused and trial-score/bad-reward in SPEC.md say what else is refused."
    }
    return head | TRIAL_RESULT.model_json_schema(schema_generator=_Untitled) | head


def record_schema() -> Schema:
    """Return the schema of the record of a run."""
    head = _head("The record of a run of harbor-parity")
    return head | TypeAdapter(Report).json_schema(schema_generator=_Untitled) | head


SCHEMAS: dict[str, Callable[[], Schema]] = {
    "vectors": vectors_schema,
    "manifest": manifest_schema,
    "traceability": traceability_schema,
    "replay": replay_schema,
    "pipe": pipe_schema,
    "trial-result": trial_result_schema,
    "record": record_schema,
}
"""The schemas that are generated, by the names of their files."""


def written(schema: Schema) -> str:
    """Return the text of a schema's file, with one definition a line."""
    definitions = ",\n".join(
        f" {json.dumps(name)}: {json.dumps(each)}" for name, each in schema.get("$defs", {}).items()
    )
    properties = [f"{json.dumps(name)}: {json.dumps(each)}" for name, each in schema.items() if name != "$defs"]
    properties += [f'"$defs": {{\n{definitions}\n}}'] if definitions else []
    return "{\n" + ",\n".join(properties) + "\n}\n"


_TEXT = {"type": "string"}
_SHA256 = {"type": "string", "pattern": "^[0-9a-f]{64}$"}


class _Untitled(GenerateJsonSchema):
    """Generates schemas without titles, which would only repeat the names of fields."""

    def field_title_should_be_set(self, schema: object) -> bool:
        return False


def _object(properties: Schema) -> Schema:
    return {"type": "object", "properties": properties, "required": list(properties), "additionalProperties": False}


_ANSWER = {"oneOf": [_object({"value": {"$ref": "#/$defs/value"}}), _object({"fault": _object({"kind": _TEXT})})]}
"""The schema of an answer in a file."""


def _head(title: str) -> Schema:
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", "title": title}


def _of_operations(title: str, properties: Schema, with_case: Callable[[Schema], Schema]) -> Schema:
    """Return the schema of a file that names an operation; `with_case` says where its cases are."""
    cases, definitions = _cases(OPERATIONS.keys())
    values = read_schema("pipe")["$defs"]
    return {
        **_head(title),
        **_object({**properties, "operation": _OPERATION}),
        "allOf": _by_operation({name: with_case(case) for name, case in cases.items()}),
        "$defs": {**{name: values[name] for name in _VALUES}, **definitions},
    }


def _by_operation(properties: dict[str, Schema]) -> list[Schema]:
    """Return conditions that give each operation its own properties."""
    return [
        {"if": {"properties": {"operation": {"const": name}}}, "then": {"properties": properties[name]}}
        for name in OPERATIONS
    ]


def _cases(names: Iterable[str]) -> tuple[dict[str, Schema], dict[str, Schema]]:
    """Return the schema of each operation's cases, and the definitions that these refer to."""
    adapters: list[Any] = [(name, "validation", OPERATIONS[name].codec.adapter) for name in OPERATIONS if name in names]
    cases, shared = TypeAdapter.json_schemas(adapters, schema_generator=_Untitled)
    return {name: case for (name, _), case in cases.items()}, shared["$defs"]


if __name__ == "__main__":
    for name, schema in SCHEMAS.items():
        (FOLDER / f"{name}.schema.json").write_text(written(schema()), encoding="utf-8")
