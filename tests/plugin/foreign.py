"""Runs of pytest in other projects."""

import os
import subprocess
import sys
import sysconfig
from collections.abc import Callable
from functools import partial
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
FAST = ("-p", "no:cacheprovider", "-p", "no:xdist")

type Run = Callable[..., subprocess.CompletedProcess[str]]


def _run(folder: Path, *arguments: str, site: Path | None = None) -> subprocess.CompletedProcess[str]:
    """Run pytest in a new process.

    Args:
        folder: the current folder of the run.
        arguments: the arguments of pytest.
        site: the installed packages; by default this environment's.
    """
    # As an editable install has it.
    environment = {**os.environ, "PYTHONPATH": f"{site}:{ROOT}" if site else str(ROOT)}
    command = [sys.executable, *(["-S"] if site else []), "-m", "pytest", *FAST, *arguments]
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True)


def runs_in(folder: Path) -> Run:
    """Return a function that runs pytest in a folder, in a new process."""
    return partial(_run, folder)


def site_without(folder: Path, *missing: str) -> Path:
    """Return a folder of all installed packages except some."""
    folder.mkdir()
    for each in Path(sysconfig.get_path("purelib")).iterdir():
        if each.suffix != ".pth" and each.name.partition("-")[0].partition(".")[0] not in missing:
            (folder / each.name).symlink_to(each)
    return folder
