"""The main job with the clean room in the default profile, which runs once for all tests that use it."""

import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from parity.judging.records import Report
from parity.operations.wire import Json
from parity.report.reading import read_report
from tests.self_noise.kept_answers import read_kept
from tests.self_noise.wheel_context import WheelContext
from tests.suite_runs import ROOT


@dataclass(frozen=True)
class MainJob:
    """A finished run of the suite."""

    folder: Path

    @property
    def exit_code(self) -> int:
        """Return pytest's exit code."""
        return int((self.folder / "code").read_text())

    @property
    def printed(self) -> str:
        """Return the standard output."""
        return (self.folder / "printed").read_text()

    @property
    def report(self) -> Report:
        """Return the report."""
        return read_report(self.folder / "report.json")

    @property
    def answers(self) -> dict[tuple[str, str], Json]:
        """Return the wheel's answers to the golden vectors, by operation and vector."""
        return read_kept(self.folder / "kept")

    @property
    def cases(self) -> Path:
        """Return the folder of the cases that were drawn; see `kept_cases`."""
        return self.folder / "cases"


def run_main_job(folder: Path) -> None:
    """Run the main job in a plain context, in an empty folder that keeps its results."""
    for name in ("kept", "cases"):
        (folder / name).mkdir()
    command = [sys.executable, "-m", "pytest", "--pyargs", "parity", "-p", "no:cacheprovider"]
    plugins = ["-p", "tests.self_noise.kept_answers", "-p", "tests.kept_cases"]
    run = subprocess.run(  # started anew, because of the hash seed
        [*command, "--report", "report.json", *plugins],
        cwd=folder,
        env={
            **WheelContext().variables(),
            "PYTHONPATH": str(ROOT),
            "PARITY_KEPT_ANSWERS": str(folder / "kept"),
            "PARITY_KEPT_CASES": str(folder / "cases"),
        },
        capture_output=True,
        text=True,
    )
    (folder / "code").write_text(str(run.returncode))
    (folder / "printed").write_text(run.stdout)
