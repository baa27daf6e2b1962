"""The table of bridges is what runs of them have found."""

import pytest

from parity.operations import OPERATIONS
from parity.operations.rules import RULES
from tests.readme.bridges import FIELD, Bridge, field_text, read_field

_FIELD = read_field()


@pytest.mark.parametrize("bridge", _FIELD.values(), ids=_FIELD)
def test_what_is_kept_is_of_this_kit(bridge: Bridge) -> None:
    """Its rules and operations are those of this kit; otherwise, its tox environment has to run again."""
    claimed = {rule.slug for rule in RULES.values() if rule.operation in bridge.operations}

    assert set(bridge.operations) <= set(OPERATIONS)
    assert set(bridge.rules) <= claimed


def test_it_is_kept_a_bridge_a_line() -> None:
    """So that a change shows as a line."""
    assert field_text(_FIELD) == FIELD.read_text(encoding="utf-8")
