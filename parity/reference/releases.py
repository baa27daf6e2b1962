"""The releases of Harbor that can be the reference: their hashes, and the pinned packages of their environments.

Rules, golden vectors and verdicts are about 0.13.1; `--reference` can name another release.
"""

import tomllib
from functools import cache
from pathlib import Path

from parity.reference.environment import ENVIRONMENT_FILE

HARBOR_VERSION = "0.13.1"
"""The release that rules, golden vectors and verdicts are about."""

_TABLE = Path(__file__).with_name("releases.toml")
_CONSTRAINTS = Path(__file__).with_name("releases.txt")


@cache
def wheel_hashes() -> dict[str, str]:
    """Return every known release with the hash of its wheel, from the oldest to the newest."""
    return tomllib.loads(_TABLE.read_text(encoding="utf-8"))


def constraints_of(release: str) -> Path:
    """Return the constraints file for pip with the pinned packages of a release's environment."""
    return ENVIRONMENT_FILE if release == HARBOR_VERSION else _CONSTRAINTS


def known_releases() -> str:
    """Return the known releases as one text, for messages."""
    return ", ".join(wheel_hashes())
