"""Directories that one worker of pytest-xdist fills for all, because their content takes long to make."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest
from filelock import FileLock


def filled_once(factory: pytest.TempPathFactory, name: str, fill: Callable[[Path], None]) -> Path:
    """Return a directory of this test run. The first test that asks for it fills it, while the others wait.

    Args:
        factory: pytest's fixture.
        name: the directory's name, which is unique.
        fill: fills the empty directory; if it raises, the next test tries again.
    """
    base = factory.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:
        base = base.parent
    with FileLock(base / f"{name}.lock"):
        if not (base / name).exists():
            unfinished = factory.mktemp(name)
            fill(unfinished)
            unfinished.rename(base / name)
    return base / name
