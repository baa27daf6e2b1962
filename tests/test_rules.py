"""The flags that a rule may name."""

import re
from dataclasses import replace

import pytest

from parity.operations.read_reward import ReadReward
from parity.operations.rules import RULES


def test_a_rule_names_flags_of_its_operation() -> None:
    """A rule that names an unknown flag is an error when its operation is imported."""
    rule = replace(ReadReward.rules[0], flags=frozenset({"json-over-text", "json-over-txt"}))

    with pytest.raises(ValueError, match=r"^.+ names json-over-text, which is no flag of read_reward$"):
        type("Misspelt", (ReadReward,), {"rules": (rule,)})


def test_every_sentence_is_normative() -> None:
    """A rule's sentence says MUST, MUST NOT or MAY, as in RFC 2119, and no negated subject has MUST."""
    sentences = {slug: rule.sentence for slug, rule in RULES.items()}

    assert [slug for slug, each in sentences.items() if not re.search(r"\b(MUST|MAY)\b.*\.$", each)] == []
    assert [
        slug for slug, each in sentences.items() if re.search(r"\b(?:no|nothing|neither) (?:\w+ )?MUST\b", each, re.I)
    ] == []
