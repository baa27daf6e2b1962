"""Tests of the comments in the clean room that list the implemented rules."""

from parity.operations.rules import RULES
from tests.spec.implementations import implementations


def test_comments_in_the_clean_room_list_every_rule() -> None:
    """Comments in the clean room list every rule, and no unknown slug."""
    assert sorted(implementations()) == sorted(RULES)


def test_rule_is_implemented_in_few_places() -> None:
    """A rule is implemented in at most three named functions, classes or constants."""
    places = implementations()

    assert [slug for slug, of_rule in places.items() if len(of_rule) > 3] == []
    assert [place for of_rule in places.values() for place in of_rule if not place.name] == []
