"""The releases of Harbor that can be the reference: their hashes, and what is pinned in their environments.

0.13.1 is the one that rules, goldens and verdicts are about; another is asked where `--reference` names it.
"""

import tomllib
from functools import cache
from pathlib import Path

from parity.reference.environment import ENVIRONMENT_FILE

HARBOR_VERSION = "0.13.1"
"""The release that the kit is about."""

_TABLE = Path(__file__).with_name("releases.toml")
_CONSTRAINTS = Path(__file__).with_name("releases.txt")


@cache
def wheel_hashes() -> dict[str, str]:
    """Every release that is known, with the hash of its wheel, from the oldest to the newest."""
    return tomllib.loads(_TABLE.read_text(encoding="utf-8"))


def constraints_of(release: str) -> Path:
    """What is pinned in the environment of a release: a constraints file for pip."""
    return ENVIRONMENT_FILE if release == HARBOR_VERSION else _CONSTRAINTS


def known_releases() -> str:
    """All of them, for people."""
    return ", ".join(wheel_hashes())
