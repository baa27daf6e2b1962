"""Tests that the environments for bridges pin the same versions as the reference's environment."""

from pathlib import Path

from parity.reference.releases import ENVIRONMENT_FILE

_CHECKOUT = Path(__file__).parents[2]


def test_bridges_pin_the_same_pydantic_as_the_reference() -> None:
    """Environments for bridges pin the reference's release of pydantic, because Harbor's models depend on it."""
    constraints = _CHECKOUT / "parity" / "runners" / "bridges" / "constraints.txt"

    pins = {line for line in constraints.read_text().splitlines() if "==" in line}

    assert {pin.partition("==")[0] for pin in pins} == {"pydantic", "pydantic-core"}
    assert pins <= set(ENVIRONMENT_FILE.read_text().splitlines())
