"""What decides a rule exists: functions and classes of Harbor, pydantic and Python, or a document."""

import re
from pkgutil import resolve_name

import pytest

from parity.operations.rule import Rule
from parity.operations.rules import RULES

_FUNCTION = r"[a-z]\w*(?:\.\w+)+"


def _functions(rule: Rule) -> list[str]:
    return re.findall(_FUNCTION, rule.source)


@pytest.mark.parametrize("name", sorted({name for rule in RULES.values() for name in _functions(rule)}))
def test_function_that_decides_a_rule_exists(name: str) -> None:
    """A rule names functions and classes that can be imported from the wheel, from pydantic or from Python."""
    function = resolve_name(name)

    assert callable(function)


def test_rule_without_a_function_names_a_document() -> None:
    """A rule without a function names a document, and no other rule does."""
    sources = {rule.source for rule in RULES.values() if not _functions(rule)}

    assert sources == {
        "HarborEnv of verifiers", "scoring description, section 1.4", "scoring description, section 5", "this kit"
    }  # fmt: skip


def test_source_lists_functions_alone() -> None:
    """A source with a misspelled name is not accepted as a list of functions."""
    sources = [rule.source for rule in RULES.values() if _functions(rule)]

    assert [each for each in sources if re.sub(_FUNCTION, "", each).replace(", ", "") not in ("", " and ")] == []
