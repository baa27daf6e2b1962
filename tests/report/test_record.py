"""Tests that the JSON of a report follows its schema, and that a report round-trips through JSON."""

import json
from dataclasses import replace
from typing import Any, get_args

import pytest
from jsonschema import Draft202012Validator

from parity.operations import OPERATIONS
from parity.operations.compare import Aspect
from parity.operations.goldens import read_vectors
from parity.suite.difference_kind import DIFFERENCE_KINDS
from parity.suite.harm import HARMS
from parity.suite.plain import from_plain, to_plain
from parity.suite.records import DeclaredReason, Report, RuleVerdict
from parity.suite.report.report_files import to_json
from parity.suite.report.verdicts import VERDICTS
from tests.report.samples import divergence, report, with_text
from tests.schemas import read_schema

SCHEMA = read_schema("record")
VALIDATOR = Draft202012Validator(SCHEMA)


@pytest.mark.parametrize("verdict", list(VERDICTS))
def test_report_with_any_verdict_follows_the_schema(verdict: RuleVerdict) -> None:
    """A report follows the schema, whatever the verdict."""
    document = json.loads(to_json(report(verdict=verdict)))

    VALIDATOR.validate(document)


def test_report_with_optional_keys_follows_the_schema() -> None:
    """A report with a declared divergence whose case is left out follows the schema."""
    reported = replace(divergence(declared=DeclaredReason("by-design", "we round")), case=None, case_bytes=70_000)

    document = json.loads(to_json(report(divergences=(reported,))))

    VALIDATOR.validate(document)


def test_schema_lists_every_allowed_value() -> None:
    """The schema lists all grades, kinds, aspects, authorities and verdicts."""
    definitions = SCHEMA["$defs"]
    divergence = definitions["divergence"]["properties"]
    authorities = {OPERATIONS[name].authority(each.case) for name in OPERATIONS for each in read_vectors(name)}

    assert definitions["harm"]["enum"] == list(HARMS)
    assert divergence["kind"]["enum"] == list(DIFFERENCE_KINDS)
    assert divergence["difference"]["properties"]["aspect"]["enum"] == list(get_args(Aspect.__value__))
    assert set(divergence["authority"]["enum"]) == authorities
    assert definitions["rule"]["properties"]["verdict"]["enum"] == list(VERDICTS)


def test_schema_and_records_have_the_same_keys() -> None:
    """The schema and the records have the same keys, in the same order."""
    document = to_plain(report(verdict="declared"))

    _has_all_keys(document, SCHEMA)


def _has_all_keys(value: Any, schema: Any) -> None:
    if "$ref" in schema:
        schema = SCHEMA["$defs"][schema["$ref"].rpartition("/")[2]]
    if "oneOf" in schema:
        schema = schema["oneOf"][-1]
    if isinstance(value, list):
        for each in value:
            _has_all_keys(each, schema.get("items", {}))
    if isinstance(value, dict) and "properties" in schema:
        assert list(schema["properties"]) == list(value) == schema["required"]
        for key, each in value.items():
            _has_all_keys(each, schema["properties"][key])


@pytest.mark.parametrize("text", ["plain", "\ud800 lone", "\x00\x1b[31m", "</script>", "\u202eabc"])
def test_report_round_trips_through_json(text: str) -> None:
    """A report with any text round-trips through JSON, which is ASCII."""
    before = with_text(text)

    written = to_json(before)

    assert written.isascii()
    assert from_plain(Report, json.loads(written)) == before
