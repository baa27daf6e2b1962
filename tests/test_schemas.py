"""Tests that the JSON Schemas in `golden/schema/` agree with the files that they describe, and with the codec."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from parity.operations import OPERATIONS
from parity.operations.goldens import FORMAT, golden_directory, read_vectors
from parity.operations.wire import WireError
from parity.scorer.series import OFFICIAL
from parity.suite.replay import write_replay
from tests.schemas import FOLDER, SCHEMAS, read_schema, written

_VECTORS = Draft202012Validator(read_schema("vectors"))


def _is_valid(name: str, path: Path) -> bool:
    document = json.loads(path.read_text(encoding="utf-8"))
    return Draft202012Validator(read_schema(name)).is_valid(document)


@pytest.mark.parametrize("name", SCHEMAS)
def test_schemas_are_up_to_date(name: str) -> None:
    """The schema files are up to date; if not, run `python -m tests.schemas`."""
    assert (FOLDER / f"{name}.schema.json").read_text(encoding="utf-8") == written(SCHEMAS[name]())


def test_each_schema_is_valid() -> None:
    """Each schema is valid in the draft that it states."""
    names = [path.name.removesuffix(".schema.json") for path in FOLDER.iterdir()]

    assert sorted(names) == sorted(SCHEMAS)
    for name in names:
        Draft202012Validator.check_schema(read_schema(name))


_LARGE = ("aggregate", "trial_reward", "job_stats", "run_trial", "run_job", "harbor_env")
"""Operations whose golden files take seconds to validate."""


@pytest.mark.parametrize(
    "operation", [pytest.param(name, marks=[pytest.mark.slow] if name in _LARGE else []) for name in OPERATIONS]
)
def test_golden_files_follow_their_schema(operation: str) -> None:
    """Each golden file is valid in its schema."""
    assert _is_valid("vectors", golden_directory() / f"{operation}.json")


@pytest.mark.parametrize("name", ["manifest", "traceability"])
def test_manifest_and_evidence_follow_their_schemas(name: str) -> None:
    """The manifest and the evidence for the rules are valid in their schemas."""
    assert _is_valid(name, golden_directory() / f"{name}.json")


_BEYOND_THE_SCHEMA = (
    "trial-score/coerced/",
    "trial-score/bad-reward/replaced-text",
    "trial-score/bad-reward/replaced-null",
    "trial-score/refused/id-text",
    "trial-score/refused/unpaired-surrogate",
    "trial-score/refused/id-empty",
    "trial-score/refused/id-not-hex",
    "trial-score/beyond-double/beside-one",
    "trial-score/not-finite/nan-beside-empty-key",
    "trial-score/several-keys/subnormal-text-under-empty-key",
)
"""Vectors that the schema of results judges otherwise: converted values, replaced values, and the spelling of an id."""

_NOT_CONVERTED = {"trial-score/coerced/string-padded-with-separator", "trial-score/coerced/string-of-full-width-digit"}
"""Vectors of strings that Harbor refuses, too."""


def test_schema_of_results_accepts_what_harbor_accepts() -> None:
    """Harbor refuses a result.json if and only if it does not follow its schema, but for what the schema cannot say."""
    schema = Draft202012Validator(read_schema("trial-result"))
    judged = {}

    for vector in read_vectors("trial_score"):
        document = vector.case.document()
        refused = vector.answers[OFFICIAL] == {"fault": {"kind": "ValidationError"}}
        judged[vector.id] = schema.is_valid(document) == refused

    wrong = {name for name, is_wrong in judged.items() if is_wrong}
    assert wrong == {name for name in judged if name.startswith(_BEYOND_THE_SCHEMA)} - _NOT_CONVERTED


def test_replay_files_follow_their_schema(tmp_path: Path) -> None:
    """A replay file is valid in its schema."""
    vector = read_vectors("read_reward")[0]
    answer = vector.answer(OFFICIAL)
    assert answer is not None

    path = write_replay("read_reward", vector.input, answer, tmp_path)

    assert _is_valid("replay", path)


def _without(name: str) -> Callable[[dict[str, Any]], object]:
    return lambda vector: vector.pop(name)


def _with(**keys: Any) -> Callable[[dict[str, Any]], object]:
    return lambda vector: vector.update(keys)


_ONE = {"f64": "3ff0000000000000"}
_SPOILT = {
    "no id": _without("id"),
    "no rule": _without("rule"),
    "no input": _without("input"),
    "no answer": _without("answer"),
    "two answers": _with(answers={"3.12": {"value": None}}),
    "a case of another operation": _with(input={"metric": "mean", "rewards": []}),
    "a file of another kind": _with(
        input={"folder": "folder", "reward.json": {"kind": "pipe"}, "reward.txt": {"kind": "absent"}}
    ),
    "a value and a fault": _with(answer={"value": None, "fault": {"kind": "ValueError"}}),
    "a plain number": _with(answer={"value": {"reward": 1}}),
    "a double of fewer digits": _with(answer={"value": {"reward": {"f64": "3ff"}}}),
    "a fault without a kind": _with(answer={"fault": {}}),
}


@pytest.mark.parametrize("spoil", _SPOILT.values(), ids=_SPOILT)
def test_schema_refuses_a_malformed_vector(spoil: Callable[[dict[str, Any]], object]) -> None:
    """The schema refuses a golden file with one malformed vector."""
    (vector,) = (each.to_entry() for each in read_vectors("read_reward") if each.id == "reward-file/missing/no-files")
    document = {"format": FORMAT, "operation": "read_reward", "vectors": [vector]}
    assert _VECTORS.is_valid(document)

    spoil(vector)

    assert not _VECTORS.is_valid(document)


_TRIAL = {"agent": "a", "model": None, "source": None, "task": "t", "rewards": {"r": _ONE}}


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
def test_schema_and_codec_refuse_the_same_cases(operation: str, case: Any) -> None:
    """Both the schema and the codec refuse a malformed case."""
    vector = {"id": "", "rule": "", "flags": [], "input": case, "answer": {"value": None}}

    with pytest.raises(WireError):
        OPERATIONS[operation].decode(case)

    assert not _VECTORS.is_valid({"format": FORMAT, "operation": operation, "vectors": [vector]})
