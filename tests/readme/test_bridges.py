"""The table of bridges fits this kit."""

import re

import pytest

from parity.operations import OPERATIONS
from parity.operations.rules import RULES
from tests.readme.bridges import FIELD, Bridge, field_text, read_field
from tests.readme.field import worst_cells

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


def test_the_worst_cells_are_plain_and_few() -> None:
    """The README shows at most eight rules, each with a reward file that an ordinary verifier leaves."""
    rows = worst_cells()

    assert 0 < len(rows) <= 8
    assert [row[0].case for row in rows if re.search(r"\\|\"\":|\d{4}|\de", row[0].case)] == []
    assert len({row[0].rule for row in rows}) == len(rows)
