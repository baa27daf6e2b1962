"""Checks messages with the definitions in `pipe.schema.json`."""

from functools import cache

from jsonschema import Draft202012Validator

from tests.schemas import read_schema

SCHEMA = read_schema("pipe")


def accepts(definition: str, message: object) -> bool:
    """Return whether this definition in the schema accepts the message."""
    return bool(_validator(definition).is_valid(message))


@cache
def _validator(definition: str) -> Draft202012Validator:
    return Draft202012Validator({**SCHEMA, "oneOf": [{"$ref": f"#/$defs/{definition}"}]})
