"""Pinned versions that the environments of bridges share with the reference environment."""

from pathlib import Path

from parity.reference.releases import ENVIRONMENT_FILE

_CHECKOUT = Path(__file__).parents[2]


def test_pydantic_is_pinned_as_for_the_reference() -> None:
    """The environments pin the reference's release of pydantic, because Harbor's models depend on it."""
    constraints = _CHECKOUT / "parity" / "runners" / "bridges" / "constraints.txt"

    pins = {line for line in constraints.read_text().splitlines() if "==" in line}

    assert {pin.partition("==")[0] for pin in pins} == {"pydantic", "pydantic-core"}
    assert pins <= set(ENVIRONMENT_FILE.read_text().splitlines())
