"""The JSON Schemas of the pipe and of golden files agree with the codec of cases."""

import json
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from parity.operations import OPERATIONS
from parity.operations.goldens import golden_folder
from parity.operations.wire import WireError
from tests.schemas import GOLDEN, PROTOCOL, Schema, golden_schema, protocol_schema, written

_VALIDATOR = Draft202012Validator(golden_schema())


@pytest.mark.parametrize(("path", "schema"), [(PROTOCOL, protocol_schema()), (GOLDEN, golden_schema())])
def test_schemas_are_generated(path: Path, schema: Schema) -> None:
    """The files are up to date; otherwise, run `python -m tests.schemas`."""
    assert path.read_text(encoding="utf-8") == written(schema)


@pytest.mark.parametrize("operation", OPERATIONS)
def test_golden_files_follow_their_schema(operation: str) -> None:
    """Golden files follow their schema."""
    document = json.loads((golden_folder() / f"{operation}.json").read_text(encoding="utf-8"))

    assert list(_VALIDATOR.iter_errors(document)) == []


_TRIAL = {"agent": "a", "model": None, "source": None, "task": "t", "rewards": {"r": {"f64": "3ff0000000000000"}}}


@pytest.mark.parametrize(
    ("operation", "case"),
    [
        ("aggregate", {"metric": "mean"}),
        ("aggregate", {"metric": "mean", "rewards": {}}),
        ("aggregate", {"metric": "mean", "rewards": [{"r": {"f64": "1"}}]}),
        ("reason_code", {"text": True}),
        ("pass_at_k", {"trials": [{**_TRIAL, "rewards": {"r": True}}]}),
        ("pass_at_k", {"trials": [{**_TRIAL, "model": {"int": "1"}}]}),
        ("run_trial", {"task": {"toml": "", "files": {}, "more": ""}}),
        ("outcome", {"folder": "nonesuch", "result.json": {"kind": "absent"}}),
        ("outcome", {"folder": "folder", "result.json": {"kind": "nonesuch"}}),
    ],
)
def test_schema_and_codec_refuse_the_same(operation: str, case: Any) -> None:
    """The schema and the codec both refuse a malformed case."""
    vector = {"id": "", "rule": "", "flags": [], "input": case, "answer": {"value": None}}

    with pytest.raises(WireError):
        OPERATIONS[operation].decode(case)

    assert not _VALIDATOR.is_valid({"format": 1, "operation": operation, "vectors": [vector]})
