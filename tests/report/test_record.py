"""Tests that the JSON of a report follows its schema, and that a report round-trips through JSON."""

import json
from dataclasses import replace
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from parity.suite.plain import from_plain
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


def test_schema_describes_every_key() -> None:
    """Each key of a record has a description in the schema, of its own or of its object."""
    kinds = [SCHEMA, *SCHEMA["$defs"].values()]

    lacking = [
        key
        for kind in kinds
        for key, value in kind.get("properties", {}).items()
        if "description" not in value and not {"$ref", "const"} & value.keys()
    ]

    assert lacking == []


_SPOILT: dict[str, Any] = {
    "format": 3,
    "started_at": 7,
    "settings": {},
    "operations": [{}],
    "counts": [{"source": "vector", "outcome": "agrees", "count": 0}],
    "divergences": [{"rule": "no slug"}],
    "more": 1,
}


@pytest.mark.parametrize("key", _SPOILT)
def test_schema_refuses_a_malformed_record(key: str) -> None:
    """The schema refuses a record with one malformed key."""
    document = json.loads(to_json(report(verdict="diverges")))

    assert not VALIDATOR.is_valid({**document, key: _SPOILT[key]})


@pytest.mark.parametrize("text", ["plain", "\ud800 lone", "\x00\x1b[31m", "</script>", "\u202eabc"])
def test_report_round_trips_through_json(text: str) -> None:
    """A report with any text round-trips through JSON, which is ASCII."""
    before = with_text(text)

    written = to_json(before)

    assert written.isascii()
    assert from_plain(Report, json.loads(written)) == before
