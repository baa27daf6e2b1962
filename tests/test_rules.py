"""The flags that a rule may name."""

from dataclasses import replace

import pytest

from parity.operations.read_reward import ReadReward


def test_a_rule_names_flags_of_its_operation() -> None:
    """A rule that names an unknown flag is an error when its operation is imported."""
    rule = replace(ReadReward.rules[0], flags=frozenset({"json-over-text", "json-over-txt"}))

    with pytest.raises(ValueError, match=r"^.+ names json-over-text, which is no flag of read_reward$"):
        type("Misspelt", (ReadReward,), {"rules": (rule,)})
