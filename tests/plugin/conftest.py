"""Fixtures of the tests of the plugin."""

from pathlib import Path

import pytest

from tests.plugin.foreign import Run, runs_in


@pytest.fixture
def run(tmp_path: Path) -> Run:
    """Return a function that runs pytest in an empty folder."""
    return runs_in(tmp_path)
