"""Reads the pairs of an operation and a function that may end without a divergence."""

import tomllib
from pathlib import Path

_FILE = Path(__file__).with_name("listed.toml")


def listed() -> dict[tuple[str, str], str]:
    """Return the reason for each listed pair."""
    groups = tomllib.loads(_FILE.read_text(encoding="utf-8")).get("listed", [])
    return {
        (operation, function): group["reason"]
        for group in groups
        for operation in group["operations"]
        for function in group["functions"]
    }
