"""Tests that the source of each rule exists: functions and classes in Harbor, pydantic or Python, or a document."""

import re
from pkgutil import resolve_name

import pytest

from parity.operations.rule import Rule
from parity.operations.rules import RULES

_FUNCTION = r"[a-z]\w*(?:\.\w+)+"


def _functions(rule: Rule) -> list[str]:
    return re.findall(_FUNCTION, rule.source)


@pytest.mark.parametrize("name", sorted({name for rule in RULES.values() for name in _functions(rule)}))
def test_function_in_the_source_of_a_rule_exists(name: str) -> None:
    """Each function or class in a rule's source can be imported from Harbor, pydantic or Python."""
    function = resolve_name(name)

    assert callable(function)


def test_source_without_a_function_is_a_known_document() -> None:
    """A rule whose source contains no function has one of the known documents, or this kit, as its source."""
    sources = {rule.source for rule in RULES.values() if not _functions(rule)}

    assert sources == {
        "HarborEnv of verifiers", "scoring description, section 1.4", "scoring description, section 5", "this kit"
    }  # fmt: skip


def test_source_with_a_function_contains_only_functions() -> None:
    """A source that contains a function contains nothing else, so a misspelled name in it is noticed."""
    sources = [rule.source for rule in RULES.values() if _functions(rule)]

    assert [each for each in sources if re.sub(_FUNCTION, "", each).replace(", ", "") not in ("", " and ")] == []
