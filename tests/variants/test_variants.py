"""Tests that golden vectors alone tell each variant from the scorer."""

import pytest

from parity.runners.asking import Clock
from tests.variants.faulty_runners import BROKEN_RULES
from tests.variants.vector_checks import ANSWERED, ask_variants

_TIMEOUT = 600.0
"""The time limit for one answer, in seconds."""


@pytest.mark.needs("utf-8")
@pytest.mark.filterwarnings("ignore")  # `ast.literal_eval` warns of odd numbers
@pytest.mark.parametrize("operation", ANSWERED)
def test_golden_vectors_tell_variants_from_the_scorer(operation: str) -> None:
    """A golden vector shows each variant but those that are listed as equivalent, the first under a listed rule."""
    clock = Clock(_TIMEOUT)

    with clock.installed():
        caught = ask_variants(operation, clock)

    assert {each.name for each, vector in caught.items() if vector is None} == {
        each.name for each in caught if each.equivalent
    }
    first = {f"{operation}/{each.name}": vector.rule for each, vector in caught.items() if vector is not None}
    assert {name: rule for name, rule in BROKEN_RULES.items() if name in first}.items() <= first.items()
