"""The table of bridges fits this kit."""

import pytest

from parity.operations import OPERATIONS
from parity.operations.rules import RULES
from tests.readme.bridges import FIELD, Bridge, field_text, read_field

_FIELD = read_field()


@pytest.mark.parametrize("bridge", _FIELD.values(), ids=_FIELD)
def test_what_is_kept_is_of_this_kit(bridge: Bridge) -> None:
    """The stored rules and operations are those of this kit; otherwise, run its tox environment again."""
    claimed = {rule.slug for rule in RULES.values() if rule.operation in bridge.operations}

    assert set(bridge.operations) <= set(OPERATIONS)
    assert set(bridge.rules) <= claimed


def test_it_is_kept_a_bridge_a_line() -> None:
    """The file has one bridge a line, so that a change shows as a line."""
    assert field_text(_FIELD) == FIELD.read_text(encoding="utf-8")
