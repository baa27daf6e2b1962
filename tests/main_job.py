"""The main job with the clean room in the default profile, which runs once for all tests that use it."""

import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from parity.suite.records import Report
from parity.suite.report.reading import read_report
from tests.running import ROOT


@dataclass(frozen=True)
class MainJob:
    """A finished run of the suite."""

    directory: Path

    @property
    def exit_code(self) -> int:
        """Return pytest's exit code."""
        return int((self.directory / "code").read_text())

    @property
    def printed(self) -> str:
        """Return the standard output."""
        return (self.directory / "printed").read_text()

    @property
    def report(self) -> Report:
        """Return the report."""
        return read_report(self.directory / "report.json")

    @property
    def cases(self) -> Path:
        """Return the directory of the cases that were drawn; see `kept_cases`."""
        return self.directory / "cases"


def run_main_job(directory: Path) -> None:
    """Run the main job in a new directory, and leave its results there."""
    (directory / "cases").mkdir()
    command = [sys.executable, "-m", "pytest", "--pyargs", "parity", "-p", "no:cacheprovider"]
    run = subprocess.run(
        [*command, "--report", "report.json", "-p", "tests.kept_cases"],
        cwd=directory,
        env={**os.environ, "PYTHONPATH": str(ROOT), "PARITY_KEPT_CASES": str(directory / "cases")},
        capture_output=True,
        text=True,
    )
    (directory / "code").write_text(str(run.returncode))
    (directory / "printed").write_text(run.stdout)
