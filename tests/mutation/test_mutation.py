"""Tests that the list of equivalent mutants matches the modules."""

from pathlib import Path

from tests.mutation.lists import equivalents, modules

_CHECKOUT = Path(__file__).parents[2]


def test_every_listed_mutant_can_be_made() -> None:
    """Each mutant in `equivalents.toml` changes a line that exists, in a module that is mutated."""
    listed = equivalents()

    assert listed.keys() <= set(modules())
    for module, changes in listed.items():
        lines = {line.strip() for line in (_CHECKOUT / module).read_text(encoding="utf-8").splitlines()}
        assert {each.split(" => ")[0] for each in changes} <= lines
