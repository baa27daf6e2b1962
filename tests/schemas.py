"""Generates the JSON Schemas of cases from their types: for the questions of the pipe, and for golden files.

`python -m tests.schemas` writes them. The other definitions in the schema of the pipe are written by hand.
"""

import json
from collections.abc import Iterable
from importlib.resources import files
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter
from pydantic.json_schema import GenerateJsonSchema

from parity.operations import OPERATIONS
from parity.operations.goldens import FORMAT, golden_folder

type Schema = dict[str, Any]

PROTOCOL = Path(str(files("parity.runners.pipe") / "protocol.schema.json"))
GOLDEN = golden_folder() / "vectors.schema.json"
_VALUES = ("value", "double", "integer", "digits", "bytes")
_BY_HAND = ("greeting", "hello", "question", "answer", "label", "operation", *_VALUES)


def protocol_schema() -> Schema:
    """Return the schema of the pipe's lines: the definitions written by hand, with generated questions."""
    schema: Schema = json.loads(PROTOCOL.read_text(encoding="utf-8"))
    paths = {name: each.path_member for name, each in OPERATIONS.items() if each.path_member}
    cases, definitions = _cases(OPERATIONS.keys() - paths)
    cases |= {name: _object({member: {"type": "string"}}) for name, member in paths.items()}
    by_hand = {name: schema["$defs"][name] for name in _BY_HAND}
    by_hand["question"]["allOf"] = _by_operation({name: {"input": case} for name, case in cases.items()})
    return {**schema, "$defs": {**by_hand, **definitions}}


def golden_schema() -> Schema:
    """Return the schema of a file of golden vectors."""
    cases, definitions = _cases(OPERATIONS.keys())
    answer = {"oneOf": [_object({"value": {"$ref": "#/$defs/value"}}), _object({"fault": _object({"kind": _TEXT})})]}
    vector = {
        **_object({"id": _TEXT, "rule": _TEXT, "flags": {"type": "array", "items": _TEXT}, "input": {}}),
        "oneOf": [{"required": ["answer"]}, {"required": ["answers"]}],
    }
    vector["additionalProperties"] = True
    vector["properties"] |= {"answer": answer, "answers": {"type": "object", "additionalProperties": answer}}
    inputs = {name: {"vectors": {"items": {"properties": {"input": case}}}} for name, case in cases.items()}
    known = protocol_schema()["$defs"]
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "A file of golden vectors of harbor-parity",
        **_object(
            {
                "format": {"const": FORMAT},
                "operation": known["operation"],
                "vectors": {"type": "array", "items": vector},
            }
        ),
        "allOf": _by_operation(inputs),
        "$defs": {**{name: known[name] for name in _VALUES}, **definitions},
    }


def written(schema: Schema) -> str:
    """Return the text of a schema's file, with one definition a line."""
    definitions = ",\n".join(f" {json.dumps(name)}: {json.dumps(each)}" for name, each in schema["$defs"].items())
    head = ",\n".join(f"{json.dumps(name)}: {json.dumps(each)}" for name, each in schema.items() if name != "$defs")
    return f'{{\n{head},\n"$defs": {{\n{definitions}\n}}\n}}\n'


_TEXT = {"type": "string"}


class _Untitled(GenerateJsonSchema):
    """Generates schemas without titles, which would only repeat the names of members."""

    def field_title_should_be_set(self, schema: object) -> bool:
        return False


def _object(properties: Schema) -> Schema:
    return {"type": "object", "properties": properties, "required": list(properties), "additionalProperties": False}


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
    for path, schema in ((PROTOCOL, protocol_schema()), (GOLDEN, golden_schema())):
        path.write_text(written(schema), encoding="utf-8")
