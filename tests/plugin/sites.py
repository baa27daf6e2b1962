"""Python environments that lack some packages."""

import os
import subprocess
import sys
import sysconfig
from pathlib import Path

from tests.running import FAST, ROOT


def site_without(directory: Path, *missing: str) -> Path:
    """Return a directory of all installed packages except some."""
    directory.mkdir()
    for each in Path(sysconfig.get_path("purelib")).iterdir():
        if each.suffix != ".pth" and each.name.partition("-")[0].partition(".")[0] not in missing:
            (directory / each.name).symlink_to(each)
    return directory


def run_in_site(site: Path, *arguments: str, cwd: Path) -> "subprocess.CompletedProcess[str]":
    """Run pytest with only these packages and the kit."""
    environment = {**os.environ, "PYTHONPATH": f"{site}:{ROOT}"}  # as in an editable install
    command = [sys.executable, "-S", "-m", "pytest", *FAST, *arguments]
    return subprocess.run(command, cwd=cwd, env=environment, capture_output=True, text=True)
