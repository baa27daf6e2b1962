"""A release of the kit has one version, with an entry in the changelogs."""

import re
from pathlib import Path

import pytest

from parity import __version__

_ROOT = Path(__file__).resolve().parent.parent


@pytest.mark.parametrize("name", ["golden/README.md", "parity/README.md"])
def test_the_changelogs_begin_with_this_version(name: str) -> None:
    """Each changelog begins with the version of the package."""
    _, changelog = (_ROOT / name).read_text(encoding="utf-8").split("\n## CHANGELOG\n")

    assert re.findall(r"^- \*\*(.+?)\*\*:", changelog, re.MULTILINE)[0] == __version__
