"""The main job with the clean room in the default profile, which is run once for all tests that look at it."""

import os
from dataclasses import dataclass
from pathlib import Path

from parity.judging.records import Report
from parity.operations.wire import Json
from parity.report.reading import read_report
from tests.forked_suite import run_pytest
from tests.self_noise.kept_answers import read_kept
from tests.self_noise.wheel_context import WheelContext
from tests.suite_runs import ROOT

_UNHEARD_OF = """
from parity.operations.rules import FLAGS
FLAGS["aggregate"]["unheard-of"] = "a flag that no case can carry"
"""


@dataclass(frozen=True)
class MainJob:
    """A run with two workers that has ended, of a suite with a flag that no case can carry."""

    folder: Path

    @property
    def exit_code(self) -> int:
        """That of pytest."""
        return int((self.folder / "code").read_text())

    @property
    def printed(self) -> str:
        """What was written to standard output."""
        return (self.folder / "printed").read_text()

    @property
    def report(self) -> Report:
        """Its record."""
        return read_report(self.folder / "report.json")

    @property
    def answers(self) -> dict[tuple[str, str], Json]:
        """The wheel's answers to the golden vectors, by operation and vector."""
        return read_kept(self.folder / "kept")


def run_main_job(folder: Path) -> None:
    """Run it in a plain context, in an empty folder that keeps what it comes to."""
    (folder / "kept").mkdir()
    (folder / "more_flags.py").write_text(_UNHEARD_OF)
    context = WheelContext().variables()
    run = run_pytest(
        *("--pyargs", "parity", "-n", "2", "-p", "no:cacheprovider", "--report", "report.json"),
        *("-p", "more_flags", "-p", "tests.self_noise.kept_answers"),
        cwd=folder,
        environment={
            **context,
            "PYTHONPATH": os.pathsep.join([str(folder), str(ROOT)]),
            "PARITY_KEPT_ANSWERS": str(folder / "kept"),
        },
    )
    (folder / "code").write_text(str(run.returncode))
    (folder / "printed").write_text(run.stdout)
