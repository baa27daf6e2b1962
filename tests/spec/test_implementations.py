"""Comments in the clean room name the rules that it implements."""

from parity.operations.rules import RULES
from tests.spec.implementations import implementations


def test_clean_room_names_every_rule_and_no_other() -> None:
    """Comments in the clean room name every rule, and no other slugs."""
    assert sorted(implementations()) == sorted(RULES)


def test_rule_is_implemented_in_few_places() -> None:
    """A rule is implemented in at most three named functions, classes or constants."""
    places = implementations()

    assert [slug for slug, found in places.items() if len(found) > 3] == []
    assert [place for found in places.values() for place in found if not place.name] == []
