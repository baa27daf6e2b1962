"""Folders that one worker of pytest-xdist fills for all: what takes long and is the same for every test that looks."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest
from filelock import FileLock


def filled_once(factory: pytest.TempPathFactory, name: str, fill: Callable[[Path], None]) -> Path:
    """A folder of this run of the tests, filled by whoever asks for it first, while the others wait.

    Args:
        factory: pytest's fixture.
        name: that of the folder, and of nothing else.
        fill: fills the empty folder; where it raises, the next one tries again.
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
