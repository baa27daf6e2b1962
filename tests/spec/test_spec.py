"""The specification and the evidence for its rules are current and complete."""

import re

import pytest

from parity.operations.evidence import TRACEABILITY_FILE, read_evidence
from parity.operations.rules import RULES
from tests.spec.drawn import UNDRAWN, drawn_rules, reason
from tests.spec.errata import ERRATA
from tests.spec.evidence import lacking, read_releases, traceability_text
from tests.spec.text import SPEC_FILE, outlined, spec_text

pytestmark = pytest.mark.slow
"""The evidence includes whether each rule has a drawn case, and drawing takes seconds."""


def test_evidence_is_current() -> None:
    """The file is up to date; otherwise, run `python -m tests.spec`."""
    assert traceability_text() == TRACEABILITY_FILE.read_text(encoding="ascii")


@pytest.mark.needs("utf-8")
def test_specification_is_current() -> None:
    """The file is up to date; otherwise, run `python -m tests.spec`."""
    assert spec_text() == SPEC_FILE.read_text(encoding="utf-8")


def test_every_rule_has_evidence() -> None:
    """Every rule has a vector, a place in the clean room, and what decides it; rules that others can break, a fault."""
    assert [line for slug, evidence in read_evidence().items() for line in lacking(slug, evidence)] == []


def test_every_rule_has_a_drawn_case() -> None:
    """The suite draws cases that can break each rule, except those that `tests/spec/drawn.py` lists with a reason."""
    assert [slug for slug in RULES if slug not in drawn_rules() and not reason(slug)] == []


def test_every_reason_is_needed() -> None:
    """Each reason is that of a rule without a drawn case."""
    assert {reason(slug) for slug in RULES if slug not in drawn_rules()} == {*UNDRAWN.values()}


def test_every_rule_stands_once_in_the_specification() -> None:
    """Every rule is in `tests/spec/outline.txt` once."""
    anchors = re.findall(r'<a id="([^"]+)"></a>', SPEC_FILE.read_text(encoding="utf-8"))

    assert sorted(anchors) == sorted(RULES)
    assert anchors == outlined()


def test_every_erratum_stands_at_a_rule() -> None:
    """Every erratum names an existing rule, so that the specification shows it."""
    assert [erratum.claim for erratum in ERRATA if erratum.rule not in RULES] == []


def test_releases_are_those_of_rules() -> None:
    """No removed rule has releases."""
    assert [slug for slug in read_releases() if slug not in RULES] == []


def test_rule_of_another_authority_has_no_releases() -> None:
    """The description, `verifiers` and the kit decide without a release of Harbor."""
    decided = {evidence.authority for evidence in read_evidence().values() if evidence.releases is None}

    assert decided == {("description",), ("verifiers",)}
