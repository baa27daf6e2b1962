"""Tests that the environments for bridges pin the same versions as the reference's environment."""

from parity.reference.releases import ENVIRONMENT_FILE
from tests.bridges.environments import CONSTRAINTS


def test_bridges_pin_the_same_pydantic_as_the_reference() -> None:
    """Environments for bridges pin the reference's release of pydantic, because Harbor's models depend on it."""
    pins = {line for line in CONSTRAINTS.read_text().splitlines() if "==" in line}

    assert {pin.partition("==")[0] for pin in pins} == {"pydantic", "pydantic-core"}
    assert pins <= set(ENVIRONMENT_FILE.read_text().splitlines())
