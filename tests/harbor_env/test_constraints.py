"""Pinned versions that the environments with `verifiers` share with the reference environment."""

from pathlib import Path

from parity.reference.releases import ENVIRONMENT_FILE


def test_the_versions_of_pydantic_are_those_of_the_reference() -> None:
    """The environments pin the reference's release of pydantic, because Harbor's models depend on it."""
    constraints = Path(__file__).with_name("verifiers") / "constraints.txt"

    pins = {line for line in constraints.read_text().splitlines() if "==" in line}

    assert {pin.partition("==")[0] for pin in pins} == {"pydantic", "pydantic-core"}
    assert pins <= set(ENVIRONMENT_FILE.read_text().splitlines())
