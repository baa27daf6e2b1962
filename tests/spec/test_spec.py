"""Tests that the specification and the evidence for its rules are up to date and complete."""

import re

import pytest

from parity.operations.evidence import TRACEABILITY_FILE, read_evidence
from parity.operations.rules import RULES
from tests.spec.drawn import UNDRAWN, drawn_rules, reason
from tests.spec.errata import ERRATA, Erratum
from tests.spec.evidence import known_drawn, lacking, read_releases, traceability_text
from tests.spec.text import SPEC_FILE, outlined, spec_text


def test_evidence_is_up_to_date() -> None:
    """`golden/traceability.json` is up to date; `python -m tests.spec` renews it."""
    assert traceability_text(known_drawn()) == TRACEABILITY_FILE.read_text(encoding="ascii")


@pytest.mark.slow
def test_evidence_of_generated_cases_is_up_to_date() -> None:
    """`golden/traceability.json` says of each rule whether a generated case can break it."""
    assert known_drawn() == drawn_rules()


@pytest.mark.needs("utf-8")
def test_specification_is_up_to_date() -> None:
    """`golden/SPEC.md` is up to date; `python -m tests.spec` renews it."""
    assert spec_text() == SPEC_FILE.read_text(encoding="utf-8")


def test_every_rule_has_evidence() -> None:
    """Every rule has a golden vector, a place in the clean room, and a source."""
    assert [line for slug, evidence in read_evidence().items() for line in lacking(slug, evidence)] == []


@pytest.mark.slow
def test_every_rule_has_a_generated_case() -> None:
    """The suite generates a case that can break each rule, unless `tests/spec/drawn.py` lists a reason why not."""
    assert [slug for slug in RULES if slug not in drawn_rules() and not reason(slug)] == []


@pytest.mark.slow
def test_every_reason_for_a_missing_case_is_needed() -> None:
    """Each reason in `tests/spec/drawn.py` applies to a rule that no generated case can break."""
    assert {reason(slug) for slug in RULES if slug not in drawn_rules()} == {*UNDRAWN.values()}


def test_specification_contains_every_rule_once() -> None:
    """`golden/SPEC.md` contains every rule once, in the order of `tests/spec/outline.txt`."""
    anchors = re.findall(r'<a id="([^"]+)"></a>', SPEC_FILE.read_text(encoding="utf-8"))

    assert sorted(anchors) == sorted(RULES)
    assert anchors == outlined()


def test_every_erratum_contradicts_an_existing_rule() -> None:
    """Every erratum has the slug of an existing rule, so that the specification shows the erratum."""
    assert [erratum.claim for erratum in ERRATA if erratum.rule not in RULES] == []


@pytest.mark.parametrize("erratum", ERRATA, ids=lambda erratum: erratum.rule)
def test_recorded_answers_contradict_the_erratum(erratum: Erratum) -> None:
    """The claim of an erratum is wrong: its first vector has another answer than the claimed one."""
    assert erratum.is_refuted


def test_releases_are_listed_for_existing_rules_only() -> None:
    """`golden/releases.json` contains no rule that does not exist."""
    assert [slug for slug in read_releases() if slug not in RULES] == []


def test_only_rules_that_harbor_does_not_decide_have_no_releases() -> None:
    """A rule has no releases only if the scoring description or `verifiers` decides it."""
    decided = {evidence.authority for evidence in read_evidence().values() if evidence.releases is None}

    assert decided == {("description",), ("verifiers",)}
